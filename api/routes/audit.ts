import { listAudit } from '../../db/identity/audit.js';
import { AuditEntry } from '../../domain/identity/audit.js';
import { storable } from '../../domain/text.js';
import { problems } from '../http/openapi.js';
import { NumberedPageQuery, pageRequest, pageSchema, toListReply, wholeNumber } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const AuditQuery = NumberedPageQuery.extend({
  action: storable(100).optional().describe('Such as `alert.create`.'),
  principal_name: storable(200)
    .optional()
    .describe('The name of the key that it was done with; `service` for what the service did by itself. Leaves out `alert.create`.'),
  target: storable(500).optional().describe('The id of what was changed. Leaves out `alert.create`.'),
  at_from: wholeNumber().optional().describe('Unix epoch seconds, inclusive'),
  at_before: wholeNumber().optional().describe('Unix epoch seconds, exclusive'),
}).refine(({ action, principal_name: who, target }) => action !== 'alert.create' || (who === undefined && target === undefined), {
  path: ['action'],
  error: 'alert.create is found by time alone: an alert says itself who sent it (created_by)',
});

export function auditRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/audit',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getAuditLogAPI',
        tags: ['audit'],
        summary: 'Who changed what, newest first',
        querystring: AuditQuery,
        response: { 200: pageSchema(AuditEntry), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const { action, principal_name: principalName, target, at_from: from, at_before: before } = query;
      const filters = { action, principalName, target, from, before };
      return toListReply(await listAudit(db, principal.organizationUuid, filters, pageRequest(query)));
    },
  );
}
