import { z } from 'zod';
import { search } from '../../db/search/search.js';
import { SearchResult } from '../../domain/search/search.js';
import { storable } from '../../domain/text.js';
import { requireOrganization } from '../../services/organizations/require-organization.js';
import { problems } from '../http/openapi.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const SearchQuery = z.object({
  text: storable(500)
    .refine((text) => text.trim().length >= 2, 'must have at least 2 characters')
    .describe(
      'A part of a name, title, comment or finding, such as `ws-014`, `vries`, `3400` or a part of a hash; words or beginnings of words of an alert; "a phrase"; -excluded; or an id.',
    ),
  organization_code: storable(32).optional(),
});

export function searchRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/search',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'searchAPI',
        tags: ['search'],
        summary: 'Search alerts, cases, entities, comments, evidence and connections',
        querystring: SearchQuery,
        response: { 200: SearchResult, ...problems() },
      },
    },
    async ({ query: { text, organization_code: code }, principal }) => {
      const organizationUuid =
        code === undefined
          ? principal.organizationUuid
          : await requireOrganization(db, principal, code, { parameter: 'organization_code' });
      return search(db, organizationUuid, text.trim());
    },
  );
}
