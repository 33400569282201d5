import { z } from 'zod';
import { listPeople } from '../../db/identity/people.js';
import { storable } from '../../domain/text.js';
import { requirePathOrganization } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

/** The names that a case can be assigned to and that a comment can mention. */
export function peopleRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/organizations/:organization_code/people',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getPeopleListAPI',
        tags: ['organizations'],
        summary: 'List the names that a case can be assigned to',
        description: 'The names of the active keys of analysts and admins, of the organization and of its provider. At most 1,000.',
        params: z.object({ organization_code: storable(32) }),
        response: { 200: z.object({ items: z.array(z.object({ name: z.string() })) }), ...problems(404) },
      },
    },
    async ({ params, principal }) => {
      const organizationUuid = await requirePathOrganization(db, principal, params.organization_code);
      return { items: (await listPeople(db, organizationUuid)).map((name) => ({ name })) };
    },
  );
}
