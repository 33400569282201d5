import { z } from 'zod';
import { listClaimMappings } from '../../db/identity/claim-mappings.js';
import { createClaimMapping } from '../../services/claim-mappings/create.js';
import { deleteClaimMapping } from '../../services/claim-mappings/delete.js';
import { ClaimMapping, CreateClaimMapping } from '../../services/claim-mappings/wire.js';
import { requireAllOrganizations } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['users'];

/** Claims of the identity provider that give roles. They apply to all organizations, so an admin of one cannot change them. */
export function claimMappingRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/claim-mappings',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getClaimMappingListAPI',
        tags,
        summary: 'List the claims of the identity provider that give roles',
        querystring: PageQuery,
        response: { 200: pageSchema(ClaimMapping), ...problems() },
      },
    },
    async ({ query, principal }) => {
      requireAllOrganizations(principal);
      return toListReply(await listClaimMappings(db, pageRequest(query)));
    },
  );

  app.post(
    '/platformapi/claim-mappings',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'createClaimMappingAPI',
        tags,
        summary: 'Give a role to users with a claim, from their next sign-in on',
        body: CreateClaimMapping.meta({ examples: [{ claim: 'groups', value: 'soc', role: 'analyst', organization_code: 'DEMO' }] }),
        response: { 201: ClaimMapping, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createClaimMapping(context, body)),
  );

  app.delete(
    '/platformapi/claim-mappings/:mapping_id',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'deleteClaimMappingAPI',
        tags,
        summary: 'Delete a mapping; users lose the role at their next sign-in',
        params: z.object({ mapping_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await deleteClaimMapping(context, params.mapping_id);
      return reply.status(204).send(null);
    },
  );
}
