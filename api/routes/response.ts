import { z } from 'zod';
import { isUniqueViolation } from '../../db/client.js';
import { listProtectedAssets, protectAsset, unprotectAsset } from '../../db/response/protected-assets.js';
import { limitWrites, listHeld, readRules, resumeWrites, stopWrites } from '../../db/response/response-rules.js';
import { WRITES_RELEASED } from '../../domain/connection/skill.js';
import { ProtectAsset, ProtectedAsset, ResponseRules, TurnSwitch, UpdateResponseRules } from '../../domain/response/response-rules.js';
import { storable } from '../../domain/text.js';
import { problems } from '../http/openapi.js';
import { resolveOrganization } from '../http/organization.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import { notFound, Problem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['response'];
const OrganizationQuery = z.object({ organization_code: storable(32).optional().describe('Required for a key for all organizations.') });

export function responseRoutes(app: ZodApp, { database: { db, pg }, runner }: RouteDeps): void {
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
      readRules(pg, await resolveOrganization(db, principal, query.organization_code, { parameter: 'organization_code' })),
  );

  app.patch(
    '/platformapi/response',
    {
      config: { access: ['admin'], changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'updateResponseRulesAPI',
        tags,
        summary: 'Limit the writes of an organization per hour',
        body: UpdateResponseRules.meta({ examples: [{ organization_code: 'DEMO', writes_per_hour: 10 }] }),
        response: { 200: ResponseRules, ...problems(413, 415) },
      },
    },
    async ({ body, principal }) => {
      const organizationUuid = await resolveOrganization(db, principal, body.organization_code);
      await limitWrites(db, principal, organizationUuid, body.writes_per_hour);
      await releaseHeld(organizationUuid);
      return readRules(pg, organizationUuid);
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
      return readRules(pg, organizationUuid);
    },
  );

  app.post(
    '/platformapi/response/resume',
    {
      config: { access: ['admin'], changes: ['proposals', 'cases', 'settings'] },
      schema: {
        operationId: 'resumeWritesAPI',
        tags,
        summary: 'Resume the writes of an organization',
        body: TurnSwitch.meta({ examples: [{ organization_code: 'DEMO', reason: 'The playbook is fixed.' }] }),
        response: { 200: ResponseRules, ...problems(413, 415) },
      },
    },
    async ({ body, principal }) => {
      const organizationUuid = await resolveOrganization(db, principal, body.organization_code);
      await resumeWrites(db, principal, organizationUuid, body.reason);
      await releaseHeld(organizationUuid);
      return readRules(pg, organizationUuid);
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
        throw new Problem(409, 'This asset is already protected. The comparison ignores case.');
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
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, principal }, reply) => {
      if (!(await unprotectAsset(db, principal, params.asset_id))) throw notFound('protected asset with this id');
      return reply.status(204).send(null);
    },
  );
}
