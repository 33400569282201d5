import { z } from 'zod';
import { writeContracts } from '../../connectors/skill-index.js';
import { COUNTED_PER_STATUS, countCases } from '../../db/cases/case-counts.js';
import type { CaseFilters } from '../../db/cases/case-filters.js';
import { readLastVisit } from '../../db/cases/case-visits.js';
import { findCase, listCases } from '../../db/cases/cases.js';
import type { Db } from '../../db/client.js';
import { CaseDetail, CaseStatus, CaseSummary } from '../../domain/case/case.js';
import { CASE_SORTS, NEWEST_CASES } from '../../domain/case/case-sort.js';
import { Tag } from '../../domain/case/tags.js';
import type { Principal } from '../../domain/identity/identity.js';
import { SlaFilter } from '../../domain/sla/clock.js';
import { readSort } from '../../domain/sort.js';
import { storable } from '../../domain/text.js';
import { Severity, Verdict } from '../../domain/verdict/evidence.js';
import { changeCases } from '../../services/cases/change-cases.js';
import { mergeCase } from '../../services/cases/merge.js';
import { recordVisit } from '../../services/cases/record-visit.js';
import { unmergeCase } from '../../services/cases/unmerge.js';
import { updateCase } from '../../services/cases/update.js';
import { CaseChangeResult, CaseCounts, CaseVisit, ChangeCases, MergeCase, UnmergeCase, UpdateCase } from '../../services/cases/wire.js';
import { notFound } from '../../services/errors.js';
import { problems } from '../http/openapi.js';
import { fitsSort, pageRequest, pageSchema, SortedPageQuery, toListReply, wholeNumber } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['cases'];
const CasePath = z.object({ case_id: storable(100) });
export const CaseQuery = z.object({
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
  tag: Tag.optional(),
  sla: SlaFilter.optional().describe('Cases with a breached clock, with a running clock that is due soon, or that a person acknowledged.'),
  opened_from: wholeNumber().optional().describe('Unix epoch seconds, inclusive'),
  opened_before: wholeNumber().optional().describe('Unix epoch seconds, exclusive'),
  since_last_visit: z
    .stringbool({ truthy: ['true'], falsy: [] })
    .meta({ override: { type: 'boolean', enum: [true] } })
    .optional()
    .describe('Only cases that changed since the previous visit of this API key ended. In the first visit, all cases.'),
});

/** The values that a cursor of each order holds. */
const CURSOR_VALUES: Readonly<Record<string, RegExp | undefined>> = { severity: /^\d$/ };

const CaseListQuery = SortedPageQuery.extend({
  ...CaseQuery.shape,
  sort: z
    .enum(CASE_SORTS)
    .default(NEWEST_CASES)
    .describe('A minus sorts descending. Cases of equal severity are in the order of their age.'),
}).refine(({ sort, cursor }) => fitsSort(cursor, CURSOR_VALUES[readSort(sort).column]), {
  error: 'is not a cursor of the list in this order',
  path: ['cursor'],
});

export async function toCaseFilters(db: Db, { uuid }: Principal, query: z.output<typeof CaseQuery>): Promise<CaseFilters> {
  const lastVisit = query.since_last_visit ? await readLastVisit(db, uuid) : null;
  const { status, severity, verdict, assignee, unassigned, text, disagrees, tag, sla } = query;
  return {
    ...{ status, severity, verdict, assignee, unassigned, text, disagrees, tag, sla },
    organizationCode: query.organization_code,
    openedFrom: query.opened_from,
    openedBefore: query.opened_before,
    changedFrom: lastVisit ?? undefined,
  };
}

export function caseRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  const read = async (principal: Principal, caseId: string): Promise<CaseDetail> => {
    const found = await findCase(db, principal.organizationUuid, caseId, writeContracts);
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
        summary: 'List cases, newest first unless `sort` is given',
        querystring: CaseListQuery,
        response: { 200: pageSchema(CaseSummary), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const filters = await toCaseFilters(db, principal, query);
      return toListReply(await listCases(db, principal.organizationUuid, filters, pageRequest(query), query.sort));
    },
  );

  app.get(
    '/platformapi/case-counts',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getCaseCountsAPI',
        tags,
        summary: 'Count cases by status, severity and verdict',
        description: `Counts each value under the other filters. Of each status it counts at most the newest ${COUNTED_PER_STATUS} cases.`,
        querystring: CaseQuery,
        response: { 200: CaseCounts, ...problems() },
      },
    },
    async ({ query, principal }) => countCases(db, principal.organizationUuid, await toCaseFilters(db, principal, query)),
  );

  app.post(
    '/platformapi/case-visit',
    {
      config: { access: ['analyst', 'admin'], changes: [] },
      schema: {
        operationId: 'recordCaseVisitAPI',
        tags,
        summary: 'Note that this API key uses the list of cases',
        description: 'A visit ends when the key does not use the list for 30 minutes. `since_last_visit` lists the changes since then.',
        response: { 200: CaseVisit, ...problems() },
      },
    },
    async ({ context }) => ({ last_visit_at: await recordVisit(context) }),
  );

  app.post(
    '/platformapi/cases/bulk',
    {
      config: { access: ['analyst', 'admin'], changes: ['cases', 'alerts', 'proposals'] },
      schema: {
        operationId: 'changeCasesAPI',
        tags,
        summary: 'Change up to 200 cases',
        description:
          'Changes each case under the rules of its own operation and in its own transaction, in the given order. The reply has one ' +
          'result for each change. A refused change does not stop the others.',
        body: ChangeCases.meta({
          examples: [{ changes: [{ case_id: 'DEMO-CASE-1', update: { classification: 'false_positive', add_tags: ['vpn'] } }] }],
        }),
        response: { 200: z.object({ results: z.array(CaseChangeResult) }), ...problems(413, 415) },
      },
    },
    async ({ body, context }) => ({ results: await changeCases(context, body.changes) }),
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
        summary: 'Update a case: title, status, classification, assignee, comment, analyst verdict, tags',
        params: CasePath,
        body: UpdateCase.meta({ examples: [{ status: 'in_progress', assignee: 'dana', comment: 'I am looking into this.' }] }),
        response: { 200: CaseDetail, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, principal, body, context }) => {
      await updateCase(context, params.case_id, body);
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
    async ({ params, principal, body, context }) => read(principal, await mergeCase(context, params.case_id, body)),
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
    async ({ params, principal, body, context }) => {
      await unmergeCase(context, params.case_id, body);
      return read(principal, params.case_id);
    },
  );
}
