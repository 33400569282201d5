import { z } from 'zod';
import { countDue, cutoffSeconds, toAppliedRules } from '../../db/lifecycle/due-data.js';
import { changeOrganizationHold, type HoldOutcome, placeCaseHold, releaseCaseHold } from '../../db/lifecycle/legal-holds.js';
import { listRules, readRetention, saveRules } from '../../db/lifecycle/retention-rules.js';
import {
  historiesQuery,
  PlaceLegalHold,
  Retention,
  RetentionCount,
  RetentionDryRun,
  type RetentionRule,
  SaveRetention,
} from '../../domain/organization/retention.js';
import { storable } from '../../domain/text.js';
import { conflict, notFound } from '../../services/errors.js';
import { requirePathOrganization } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['organizations'];
const OrganizationPath = z.object({ organization_code: storable(32) });
const CasePath = z.object({ case_id: storable(100) });
const EXAMPLE = {
  rules: [
    { kind: 'alerts', severity: null, days: 365 },
    { kind: 'alerts', severity: 'critical', days: 1825 },
    { kind: 'answers', severity: null, days: 90 },
  ],
};
const HOLD_EXAMPLE = { reason: 'Court order 17/2026' };
const COUNT_LIMIT_MS = 5_000;

/** How long an organization keeps its data, and the legal holds that stop every deletion. */
export function retentionRoutes(app: ZodApp, { database: { db }, runner }: RouteDeps): void {
  app.get(
    '/platformapi/organizations/:organization_code/retention',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getRetentionAPI',
        tags,
        summary: 'Read how long an organization keeps its data',
        params: OrganizationPath,
        response: { 200: Retention, ...problems(404) },
      },
    },
    async ({ params, principal }) => readRetention(db, await requirePathOrganization(db, principal, params.organization_code)),
  );

  app.put(
    '/platformapi/organizations/:organization_code/retention',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'updateRetentionAPI',
        tags,
        summary: 'Replace the retention rules of an organization',
        description:
          'The service deletes older data within an hour, in small batches. It never deletes open cases, unfinished investigations, pending writes or writes without a known outcome. Count first with a dry run.',
        params: OrganizationPath,
        body: SaveRetention.meta({ examples: [EXAMPLE] }),
        response: { 200: Retention, ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, principal }) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      await saveRules(db, principal, organizationUuid, body.rules);
      return readRetention(db, organizationUuid);
    },
  );

  app.post(
    '/platformapi/organizations/:organization_code/retention/dry-run',
    {
      config: { access: ['admin'], changes: [] },
      schema: {
        operationId: 'dryRunRetentionAPI',
        tags,
        summary: 'Count what retention rules would delete now',
        description: 'Changes nothing. Counts with the rules of the request, or with the stored rules.',
        params: OrganizationPath,
        body: RetentionDryRun.meta({ examples: [EXAMPLE] }),
        response: { 200: z.object({ items: z.array(RetentionCount) }), ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, principal }) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      const { organization_code: code } = await readRetention(db, organizationUuid);
      const rules = toAppliedRules(organizationUuid, body.rules ?? (await listRules(db, organizationUuid)));
      const items: RetentionCount[] = [];
      for (const rule of rules) items.push(rule.kind === 'histories' ? await countHistories(code, rule) : await countDue(db, rule));
      return { items };
    },
  );

  /** Counts the investigations only: the other runs do not name their organization. */
  async function countHistories(code: string, rule: RetentionRule): Promise<RetentionCount> {
    const { kind, severity, days } = rule;
    const [query = ''] = historiesQuery(code, cutoffSeconds(rule));
    const { connection, workflow } = runner.client;
    const counted = await connection.withDeadline(Date.now() + COUNT_LIMIT_MS, () => workflow.count(query)).catch(() => null);
    return { kind, severity, days, would_delete: counted?.count ?? null, held: 0, oldest_kept_at: null };
  }

  app.post(
    '/platformapi/organizations/:organization_code/legal-hold',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'placeLegalHoldAPI',
        tags,
        summary: 'Place a legal hold on all data of an organization',
        params: OrganizationPath,
        body: PlaceLegalHold.meta({ examples: [HOLD_EXAMPLE] }),
        response: { 200: Retention, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, principal }) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      if (!(await changeOrganizationHold(db, principal, organizationUuid, { placed: true, ...body })))
        throw conflict('The organization already has a legal hold. Release it first to change its reason.');
      return readRetention(db, organizationUuid);
    },
  );

  app.post(
    '/platformapi/organizations/:organization_code/legal-hold/release',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'releaseLegalHoldAPI',
        tags,
        summary: 'Release the legal hold of an organization',
        description: 'The retention rules apply again. Holds on single cases stay.',
        params: OrganizationPath,
        body: PlaceLegalHold.meta({ examples: [{ reason: 'The proceedings ended.' }] }),
        response: { 200: Retention, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, principal }) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      if (!(await changeOrganizationHold(db, principal, organizationUuid, { placed: false, ...body })))
        throw conflict('The organization has no legal hold.');
      return readRetention(db, organizationUuid);
    },
  );

  app.post(
    '/platformapi/cases/:case_id/legal-hold',
    {
      config: { access: ['analyst', 'admin'], changes: ['cases'] },
      schema: {
        operationId: 'placeCaseLegalHoldAPI',
        tags: ['cases'],
        summary: 'Place a legal hold on a case',
        description: 'No retention rule and no erasure deletes the data of the case until an admin releases the hold.',
        params: CasePath,
        body: PlaceLegalHold.meta({ examples: [HOLD_EXAMPLE] }),
        response: { 204: z.null(), ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, principal }, reply) => {
      requireHoldDone(await placeCaseHold(db, principal, params.case_id, body.reason), 'The case already has a legal hold.');
      return reply.status(204).send(null);
    },
  );

  app.post(
    '/platformapi/cases/:case_id/legal-hold/release',
    {
      config: { access: ['admin'], changes: ['cases'] },
      schema: {
        operationId: 'releaseCaseLegalHoldAPI',
        tags: ['cases'],
        summary: 'Release the legal hold of a case',
        params: CasePath,
        body: PlaceLegalHold.meta({ examples: [{ reason: 'The proceedings ended.' }] }),
        response: { 204: z.null(), ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, principal }, reply) => {
      requireHoldDone(await releaseCaseHold(db, principal, params.case_id, body.reason), 'The case has no legal hold.');
      return reply.status(204).send(null);
    },
  );
}

function requireHoldDone(outcome: HoldOutcome, otherwise: string): void {
  if (outcome === 'missing') throw notFound('case with this id');
  if (outcome === 'conflict') throw conflict(otherwise);
}
