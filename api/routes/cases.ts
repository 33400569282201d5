import { z } from 'zod';
import { type MergeOutcome, mergeCase, unmergeCase } from '../../db/cases/case-merge.js';
import { findCase, listCases, updateCase } from '../../db/cases/cases.js';
import { CaseDetail, CaseStatus, CaseSummary, MergeCase, Severity, UnmergeCase, UpdateCase, Verdict } from '../../domain/case/case.js';
import type { Principal } from '../../domain/identity/identity.js';
import { storable } from '../../domain/text.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import { notFound, Problem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { canBeUndone } from '../skill-index.js';

const tags = ['cases'];
const CasePath = z.object({ case_id: storable(100) });
const CaseQuery = PageQuery.extend({
  status: CaseStatus.optional(),
  severity: Severity.optional(),
  verdict: Verdict.optional(),
  assignee: storable(200).optional(),
  unassigned: z
    .stringbool({ truthy: ['true'], falsy: [] })
    .meta({ override: { type: 'boolean', enum: [true] } })
    .optional()
    .describe('Only those that nobody has taken.'),
  organization_code: storable(32).optional(),
  disagrees: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .meta({ override: { type: 'boolean' } })
    .optional()
    .describe('Whether the analyst’s own verdict is another than the service’s; cases without both are left out.'),
});

function requireDone(merged: MergeOutcome): void {
  if (merged.outcome === 'unknown') throw notFound('case of this id');
  if (merged.outcome === 'unknown-target') throw notFound('case of the id in `into`');
  if (merged.outcome === 'conflict') throw new Problem(409, merged.why);
}

export function caseRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  const read = async (principal: Principal, caseId: string | null): Promise<CaseDetail> => {
    const found = caseId === null ? null : await findCase(db, principal.organizationUuid, caseId, canBeUndone);
    if (!found) throw notFound('case of this id');
    return found;
  };

  app.get(
    '/platformapi/cases',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getCaseListAPI',
        tags,
        summary: 'List cases, newest first',
        querystring: CaseQuery,
        response: { 200: pageSchema(CaseSummary), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const { organization_code: organizationCode, status, severity, verdict, assignee, unassigned, disagrees } = query;
      const filters = { status, severity, verdict, assignee, unassigned, disagrees, organizationCode };
      return toListReply(await listCases(db, principal.organizationUuid, filters, pageRequest(query)));
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
    async ({ params, principal }) => read(principal, params.case_id),
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
        response: { 200: CaseDetail, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, principal, body }) => {
      const outcome = await updateCase(db, principal, params.case_id, body);
      if (outcome === 'merged') throw new Problem(409, 'This case is merged into another. Work that one, or unmerge this one first.');
      return read(principal, outcome === 'updated' ? params.case_id : null);
    },
  );

  app.post(
    '/platformapi/cases/:case_id/merge',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'mergeCaseAPI',
        tags,
        summary: 'Merge a case into another',
        description: 'Its alerts move to the other case, which then shows the worst verdict of all its alerts. Can be undone.',
        params: CasePath,
        body: MergeCase.meta({ examples: [{ into: 'DEMO-CASE-1', reason: 'The same attacker.' }] }),
        response: { 200: CaseDetail.describe('The case that took the alerts.'), ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, principal, body }) => {
      requireDone(await mergeCase(db, principal, params.case_id, body));
      return read(principal, body.into);
    },
  );

  app.post(
    '/platformapi/cases/:case_id/unmerge',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'unmergeCaseAPI',
        tags,
        summary: 'Take a merged case out of the other again',
        description: 'It gets back the alerts that were its own, and the status it had.',
        params: CasePath,
        body: UnmergeCase.meta({ examples: [{ reason: 'Two attackers after all.' }] }),
        response: { 200: CaseDetail, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, principal, body }) => {
      requireDone(await unmergeCase(db, principal, params.case_id, body));
      return read(principal, params.case_id);
    },
  );
}
