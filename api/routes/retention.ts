import { z } from 'zod';
import { readRetention } from '../../db/lifecycle/retention-rules.js';
import { storable } from '../../domain/text.js';
import { placeCaseHold } from '../../services/legal-holds/place-case-hold.js';
import { placeOrganizationHold } from '../../services/legal-holds/place-organization-hold.js';
import { releaseCaseHold } from '../../services/legal-holds/release-case-hold.js';
import { releaseOrganizationHold } from '../../services/legal-holds/release-organization-hold.js';
import { PlaceLegalHold } from '../../services/legal-holds/wire.js';
import { requirePathOrganization } from '../../services/organizations/require-organization.js';
import { dryRunRetention } from '../../services/retention/dry-run.js';
import { saveRetentionRules } from '../../services/retention/save-rules.js';
import { Retention, RetentionCount, RetentionDryRun, SaveRetention } from '../../services/retention/wire.js';
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
    async ({ params, body, context }) => saveRetentionRules(context, params.organization_code, body.rules),
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
    async ({ params, body, principal: by }) => ({ items: await dryRunRetention({ db, by, runner }, params.organization_code, body) }),
  );

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
    async ({ params, body, context }) => placeOrganizationHold(context, params.organization_code, body.reason),
  );

  app.post(
    '/platformapi/organizations/:organization_code/legal-hold/release',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'releaseLegalHoldAPI',
        tags,
        summary: "Release an organization's legal hold",
        description: 'The retention rules apply again. Holds on single cases stay.',
        params: OrganizationPath,
        body: PlaceLegalHold.meta({ examples: [{ reason: 'The proceedings ended.' }] }),
        response: { 200: Retention, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => releaseOrganizationHold(context, params.organization_code, body.reason),
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
    async ({ params, body, context }, reply) => {
      await placeCaseHold(context, params.case_id, body.reason);
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
        summary: "Release a case's legal hold",
        params: CasePath,
        body: PlaceLegalHold.meta({ examples: [{ reason: 'The proceedings ended.' }] }),
        response: { 204: z.null(), ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }, reply) => {
      await releaseCaseHold(context, params.case_id, body.reason);
      return reply.status(204).send(null);
    },
  );
}
