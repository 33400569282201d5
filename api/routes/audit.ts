import { listAudit } from '../../db/audit.js';
import { AuditEntry } from '../../domain/audit.js';
import { problems } from '../openapi.js';
import { listOf, listReply, NumberedPageQuery, pageRequest } from '../pagination.js';
import type { RouteDeps, ZodApp } from '../route.js';

export function auditRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/audit',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getAuditLogAPI',
        tags: ['audit'],
        summary: 'Who changed what, newest first',
        querystring: NumberedPageQuery,
        response: { 200: listOf(AuditEntry), ...problems() },
      },
    },
    async ({ query, principal }) => listReply(await listAudit(db, principal.organizationUuid, pageRequest(query))),
  );
}
