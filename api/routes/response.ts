import { z } from 'zod';
import { isUniqueViolation } from '../../db/client.js';
import { listProtectedAssets, protectAsset, unprotectAsset } from '../../db/response/protected-assets.js';
import { limitWrites, listHeld, readRules, resumeWrites, stopWrites } from '../../db/response/response-rules.js';
import { WRITES_RELEASED } from '../../domain/connection/skill.js';
import { ProtectAsset, ProtectedAsset, ResponseRules, TurnSwitch, UpdateResponseRules } from '../../domain/response/response-rules.js';
import { PendingRuleChange } from '../../domain/response/rule-change.js';
import { storable } from '../../domain/text.js';
import { conflict, notFound } from '../../services/errors.js';
import { resolveOrganization } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['response'];
const NEEDS_SECOND_PERSON =
  'If a connection of the organization requires a second person and the request relaxes the rule, a second admin has to send the same request within 24 hours; keys of the same person do not count. Until then the reply is 202.';
const OrganizationQuery = z.object({ organization_code: storable(32).optional().describe('Required for a key for all organizations.') });

export function responseRoutes(app: ZodApp, { database, runner }: RouteDeps): void {
  const { db } = database;
  /** Each workflow checks the rules again when it wakes. */
  async function releaseHeld(organizationUuid: string): Promise<void> {
    await runner.signal(await listHeld(db, organizationUuid), WRITES_RELEASED);
  }

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
      readRules(database, await resolveOrganization(db, principal, query.organization_code, { parameter: 'organization_code' })),
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
    async ({ body, principal }, reply) => {
      const organizationUuid = await resolveOrganization(db, principal, body.organization_code);
      const pending = await limitWrites(db, principal, organizationUuid, body.writes_per_hour);
      if (pending !== null) return reply.status(202).send(pending);
      await releaseHeld(organizationUuid);
      return reply.status(200).send(await readRules(database, organizationUuid));
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
    async ({ body, principal }) => {
      const organizationUuid = await resolveOrganization(db, principal, body.organization_code);
      await stopWrites(db, principal, organizationUuid, body.reason);
      return readRules(database, organizationUuid);
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
    async ({ body, principal }, reply) => {
      const organizationUuid = await resolveOrganization(db, principal, body.organization_code);
      const pending = await resumeWrites(db, principal, organizationUuid, body.reason);
      if (pending !== null) return reply.status(202).send(pending);
      await releaseHeld(organizationUuid);
      return reply.status(200).send(await readRules(database, organizationUuid));
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
    async ({ body, principal }, reply) => {
      const organizationUuid = await resolveOrganization(db, principal, body.organization_code);
      try {
        return await reply.status(201).send(await protectAsset(db, principal, organizationUuid, body));
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict('This asset is already protected. The comparison ignores case.');
      }
    },
  );

  app.delete(
    '/platformapi/protected-assets/:asset_id',
    {
      config: { access: ['admin'], changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'deleteProtectedAssetAPI',
        tags,
        summary: 'Remove the protection of an asset',
        params: z.object({ asset_id: z.uuid() }),
        description:
          'A second admin has to send the same request within 24 hours; keys of the same person do not count. Until then the reply is 202.',
        response: { 202: PendingRuleChange, 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, principal }, reply) => {
      const ended = await unprotectAsset(db, principal, params.asset_id);
      if (ended === 'missing') throw notFound('protected asset with this id');
      if (ended !== 'done') return reply.status(202).send(ended);
      return reply.status(204).send(null);
    },
  );
}
