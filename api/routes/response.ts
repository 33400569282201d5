import { z } from 'zod';
import { listProtectedAssets } from '../../db/response/protected-assets.js';
import { readRules } from '../../db/response/response-rules.js';
import { ProtectedAsset, ResponseRules } from '../../domain/response/response-rules.js';
import { PendingRuleChange } from '../../domain/response/rule-change.js';
import { storable } from '../../domain/text.js';
import { resolveOrganization } from '../../services/organizations/require-organization.js';
import { protectAsset } from '../../services/response-rules/protect-asset.js';
import { resumeWrites } from '../../services/response-rules/resume-writes.js';
import { stopWrites } from '../../services/response-rules/stop-writes.js';
import { unprotectAsset } from '../../services/response-rules/unprotect-asset.js';
import { updateRules } from '../../services/response-rules/update.js';
import { ProtectAsset, TurnSwitch, UpdateResponseRules } from '../../services/response-rules/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['response'];
const NEEDS_SECOND_PERSON =
  'If a connection of the organization requires a second person and the request relaxes the rule, a second admin has to send the same request within 24 hours; keys of the same person do not count. Until then the reply is 202.';
const OrganizationQuery = z.object({ organization_code: storable(32).optional().describe('Required for a key for all organizations.') });

export function responseRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/response',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getResponseRulesAPI',
        tags,
        summary: "Read an organization's rules for writes",
        querystring: OrganizationQuery,
        response: { 200: ResponseRules, ...problems() },
      },
    },
    async ({ query, principal }) =>
      readRules(db, await resolveOrganization(db, principal, query.organization_code, { parameter: 'organization_code' })),
  );

  app.patch(
    '/platformapi/response',
    {
      config: { access: ['admin'], changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'updateResponseRulesAPI',
        tags,
        description: NEEDS_SECOND_PERSON,
        summary: 'Limit the writes of an organization per hour',
        body: UpdateResponseRules.meta({ examples: [{ organization_code: 'DEMO', writes_per_hour: 10 }] }),
        response: { 200: ResponseRules, 202: PendingRuleChange, ...problems(413, 415) },
      },
    },
    async ({ body, context }, reply) => {
      const organizationUuid = await resolveOrganization(db, context.by, body.organization_code);
      const pending = await updateRules(context, organizationUuid, body);
      if (pending !== null) return reply.status(202).send(pending);
      return reply.status(200).send(await readRules(db, organizationUuid));
    },
  );

  app.post(
    '/platformapi/response/stop',
    {
      config: { access: ['admin'], changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'stopWritesAPI',
        tags,
        summary: 'Hold every pending and new write of an organization',
        body: TurnSwitch.meta({ examples: [{ organization_code: 'DEMO', reason: 'A playbook proposes wrong actions.' }] }),
        response: { 200: ResponseRules, ...problems(413, 415) },
      },
    },
    async ({ body, context }) => {
      const organizationUuid = await resolveOrganization(db, context.by, body.organization_code);
      await stopWrites(context, organizationUuid, body.reason);
      return readRules(db, organizationUuid);
    },
  );

  app.post(
    '/platformapi/response/resume',
    {
      config: { access: ['admin'], changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'resumeWritesAPI',
        tags,
        description: NEEDS_SECOND_PERSON,
        summary: 'Resume the writes of an organization',
        body: TurnSwitch.meta({ examples: [{ organization_code: 'DEMO', reason: 'The playbook is fixed.' }] }),
        response: { 200: ResponseRules, 202: PendingRuleChange, ...problems(413, 415) },
      },
    },
    async ({ body, context }, reply) => {
      const organizationUuid = await resolveOrganization(db, context.by, body.organization_code);
      const pending = await resumeWrites(context, organizationUuid, body.reason);
      if (pending !== null) return reply.status(202).send(pending);
      return reply.status(200).send(await readRules(db, organizationUuid));
    },
  );

  app.get(
    '/platformapi/protected-assets',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getProtectedAssetListAPI',
        tags,
        summary: 'List protected assets, which need two approvals',
        querystring: PageQuery.extend({ organization_code: storable(32).optional() }),
        response: { 200: pageSchema(ProtectedAsset), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const filters = { organizationCode: query.organization_code };
      return toListReply(await listProtectedAssets(db, principal.organizationUuid, filters, pageRequest(query)));
    },
  );

  app.post(
    '/platformapi/protected-assets',
    {
      config: { access: ['admin'], changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'createProtectedAssetAPI',
        tags,
        summary: 'Protect a host, a user or a tag',
        body: ProtectAsset.meta({
          examples: [{ organization_code: 'DEMO', kind: 'host', value: 'hr-srv-files', reason: 'All departments use this file server.' }],
        }),
        response: { 201: ProtectedAsset, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => {
      const organizationUuid = await resolveOrganization(db, context.by, body.organization_code);
      return reply.status(201).send(await protectAsset(context, organizationUuid, body));
    },
  );

  app.delete(
    '/platformapi/protected-assets/:asset_id',
    {
      config: { access: ['admin'], changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'deleteProtectedAssetAPI',
        tags,
        summary: "Remove an asset's protection",
        params: z.object({ asset_id: z.uuid() }),
        description:
          'A second admin has to send the same request within 24 hours; keys of the same person do not count. Until then the reply is 202.',
        response: { 202: PendingRuleChange, 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      const pending = await unprotectAsset(context, params.asset_id);
      return pending === null ? reply.status(204).send(null) : reply.status(202).send(pending);
    },
  );
}
