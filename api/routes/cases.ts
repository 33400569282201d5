import { z } from 'zod';
import { type MergeOutcome, mergeCase, unmergeCase } from '../../db/cases/case-merge.js';
import { findCase, listCases, updateCase } from '../../db/cases/cases.js';
import { CaseDetail, CaseStatus, CaseSummary, MergeCase, UnmergeCase, UpdateCase } from '../../domain/case/case.js';
import { Severity, Verdict } from '../../domain/case/evidence.js';
import type { Principal } from '../../domain/identity/identity.js';
import { PROPOSAL_CHANGED, proposalWorkflowId } from '../../domain/response/proposal.js';
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
    .describe('Only unassigned cases.'),
  organization_code: storable(32).optional(),
  text: storable(500)
    .optional()
    .describe('Words, or beginnings of words, of the alert that opened the case, as in the list of alerts; or the id of a case.'),
  disagrees: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .meta({ override: { type: 'boolean' } })
    .optional()
    .describe('Whether the verdicts of analyst and service differ. Only cases with both verdicts match.'),
});

function requireDone(merged: MergeOutcome): void {
  if (merged.outcome === 'unknown') throw notFound('case with this id');
  if (merged.outcome === 'unknown-target') throw notFound('case with the id in `into`');
  if (merged.outcome === 'conflict') throw new Problem(409, merged.why);
}

export function caseRoutes(app: ZodApp, { database: { db }, runner }: RouteDeps): void {
  const read = async (principal: Principal, caseId: string | null): Promise<CaseDetail> => {
    const found = caseId === null ? null : await findCase(db, principal.organizationUuid, caseId, canBeUndone);
    if (!found) throw notFound('case with this id');
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
      const { organization_code: organizationCode, limit: _limit, cursor: _cursor, ...given } = query;
      const filters = { ...given, organizationCode };
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
      config: { access: ['analyst', 'admin'], changes: ['cases', 'alerts', 'proposals'] },
      schema: {
        operationId: 'updateCaseAPI',
        tags,
        summary: 'Update a case: title, status, classification, assignee, comment, analyst verdict',
        params: CasePath,
        body: UpdateCase.meta({ examples: [{ status: 'in_progress', assignee: 'dana', comment: 'I am looking into this.' }] }),
        response: { 200: CaseDetail, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, principal, body }) => {
      const updated = await updateCase(db, principal, params.case_id, body);
      if (updated.outcome === 'unknown') throw notFound('case with this id');
      if (updated.outcome === 'merged')
        throw new Problem(409, 'This case is merged into another case. Update the other case, or unmerge this one first.');
      // If these signals are lost, the reconcile pass wakes the workflows.
      await runner.signal(updated.withdrawn.map(proposalWorkflowId), PROPOSAL_CHANGED);
      return read(principal, params.case_id);
    },
  );

  app.post(
    '/platformapi/cases/:case_id/merge',
    {
      config: { access: ['analyst', 'admin'], changes: ['cases', 'alerts'] },
      schema: {
        operationId: 'mergeCaseAPI',
        tags,
        summary: 'Merge a case into another',
        description: 'Moves the alerts to the other case, which then shows the worst verdict of all its alerts. Unmerge undoes it.',
        params: CasePath,
        body: MergeCase.meta({ examples: [{ into: 'DEMO-CASE-1', reason: 'The same attacker.' }] }),
        response: { 200: CaseDetail.describe('The case that now holds the alerts.'), ...problems(404, 409, 413, 415) },
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
      config: { access: ['analyst', 'admin'], changes: ['cases', 'alerts'] },
      schema: {
        operationId: 'unmergeCaseAPI',
        tags,
        summary: 'Undo the merge of a case',
        description: 'The case gets back its own alerts and its earlier status.',
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
