import { listPlaybooks } from '../../db/playbooks.js';
import { Playbook } from '../../domain/playbook.js';
import { problems } from '../openapi.js';
import { listOf, listReply, PageQuery, pageRequest } from '../pagination.js';
import type { RouteDeps, ZodApp } from '../route.js';

export function playbookRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/playbooks',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getPlaybookListAPI',
        tags: ['playbooks'],
        summary: 'List playbooks, written and generated',
        querystring: PageQuery,
        response: { 200: listOf(Playbook), ...problems() },
      },
    },
    async ({ query, principal }) => listReply(await listPlaybooks(db, principal.organizationUuid, pageRequest(query))),
  );
}
