import { z } from 'zod';
import { findCase, listCases, updateCase } from '../../db/cases.js';
import { CaseDetail, CaseStatus, CaseSummary, Severity, UpdateCase, Verdict } from '../../domain/case.js';
import { storable } from '../../domain/text.js';
import { problems } from '../openapi.js';
import { listOf, listReply, PageQuery, pageRequest } from '../pagination.js';
import { notFound } from '../problems.js';
import type { RouteDeps, ZodApp } from '../route.js';

const tags = ['cases'];
const CasePath = z.object({ case_id: storable(100) });
const CaseQuery = PageQuery.extend({
  status: CaseStatus.optional(),
  severity: Severity.optional(),
  verdict: Verdict.optional(),
  assignee: storable(200).optional(),
  organization_code: storable(32).optional(),
});

export function caseRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/cases',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getCaseListAPI',
        tags,
        summary: 'List cases, newest first',
        querystring: CaseQuery,
        response: { 200: listOf(CaseSummary), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const { status, severity, verdict, assignee, organization_code: organizationCode } = query;
      return listReply(
        await listCases(db, principal.organizationUuid, { status, severity, verdict, assignee, organizationCode }, pageRequest(query)),
      );
    },
  );

  app.get(
    '/platformapi/cases/:case_id',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getCaseAPI',
        tags,
        summary: 'Read one case with its evidence and timeline',
        params: CasePath,
        response: { 200: CaseDetail, ...problems(404) },
      },
    },
    async ({ params, principal }) => {
      const found = await findCase(db, principal.organizationUuid, params.case_id);
      if (!found) throw notFound('case of this id');
      return found;
    },
  );

  app.patch(
    '/platformapi/cases/:case_id',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'updateCaseAPI',
        tags,
        summary: 'Work a case: status, assignee, a comment, your own verdict',
        params: CasePath,
        body: UpdateCase.meta({ examples: [{ status: 'in_progress', assignee: 'dana', comment: 'Taking this one.' }] }),
        response: { 200: CaseDetail, ...problems(404, 413, 415) },
      },
    },
    async ({ params, principal, body }) => {
      const updated = await updateCase(db, principal, params.case_id, body);
      const found = updated ? await findCase(db, principal.organizationUuid, params.case_id) : null;
      if (!found) throw notFound('case of this id');
      return found;
    },
  );
}
