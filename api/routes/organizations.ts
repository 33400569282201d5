import { listOrganizations } from '../../db/identity/organizations.js';
import { createOrganization } from '../../services/organizations/create.js';
import { CreateOrganization, Organization } from '../../services/organizations/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['organizations'];

export function organizationRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
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
