import { z } from 'zod';
import { listOrganizations, readTwoFactorPolicy } from '../../db/identity/organizations.js';
import { storable } from '../../domain/text.js';
import { createOrganization } from '../../services/organizations/create.js';
import { requirePathOrganization } from '../../services/organizations/require-organization.js';
import { saveSignInPolicy } from '../../services/organizations/save-sign-in-policy.js';
import { CreateOrganization, Organization, SaveSignInPolicy, SignInPolicy } from '../../services/organizations/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['organizations'];
const OrganizationPath = z.object({ organization_code: storable(32) });

export function organizationRoutes(app: ZodApp, { database: { db }, keys }: RouteDeps): void {
  app.get(
    '/platformapi/organizations',
    {
      config: { access: ['sender', 'analyst', 'admin'] },
      schema: {
        operationId: 'getOrganizationListAPI',
        tags,
        summary: 'List the organizations that this key can use',
        querystring: PageQuery,
        response: { 200: pageSchema(Organization), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listOrganizations(db, principal.organizationUuid, pageRequest(query))),
  );

  const policyPath = '/platformapi/organizations/:organization_code/sign-in-policy';

  app.get(
    policyPath,
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getSignInPolicyAPI',
        tags,
        summary: 'Read the sign-in policy of an organization',
        params: OrganizationPath,
        response: { 200: SignInPolicy, ...problems(404) },
      },
    },
    async ({ params, principal }) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      return { requires_two_factor: await readTwoFactorPolicy(db, organizationUuid) };
    },
  );

  app.put(
    policyPath,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'saveSignInPolicyAPI',
        tags,
        summary: 'Replace the sign-in policy of an organization',
        params: OrganizationPath,
        body: SaveSignInPolicy.meta({ examples: [{ requires_two_factor: true }] }),
        response: { 200: SignInPolicy, ...problems(404, 413, 415) },
      },
    },
    async ({ params, body, context }) => {
      const saved = await saveSignInPolicy(context, params.organization_code, body);
      keys.forget();
      return saved;
    },
  );

  app.post(
    '/platformapi/organizations',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'createOrganizationAPI',
        tags,
        summary: 'Create an organization',
        body: CreateOrganization.meta({ examples: [{ organization_code: 'ACME', name: 'Acme Corporation' }] }),
        response: { 201: Organization, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createOrganization(context, body)),
  );
}
