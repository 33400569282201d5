import { isUniqueViolation } from '../../db/client.js';
import { createOrganization, listOrganizations } from '../../db/identity/organizations.js';
import { CreateOrganization, Organization } from '../../domain/identity/identity.js';
import { conflict } from '../../services/errors.js';
import { requireAllOrganizations } from '../http/auth.js';
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
    async ({ body, principal }, reply) => {
      requireAllOrganizations(principal);
      try {
        return await reply.status(201).send(await createOrganization(db, principal, body));
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict('An organization with this code already exists. The comparison ignores case.', {
          errors: [{ pointer: '#/organization_code', detail: 'Choose another code.' }],
        });
      }
    },
  );
}
