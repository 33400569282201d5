import { listAudit } from '../../db/identity/audit.js';
import { storable } from '../../domain/text.js';
import { AuditEntry } from '../../services/audit/wire.js';
import { problems } from '../http/openapi.js';
import { NumberedPageQuery, pageRequest, pageSchema, toListReply, wholeNumber } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const AuditQuery = NumberedPageQuery.extend({
  action: storable(100).optional().describe('For example `alert.create`.'),
  principal_name: storable(200)
    .optional()
    .describe('Name of the API key, or `service` for changes by the service. Excludes `alert.create`.'),
  target: storable(500).optional().describe('Target ID (exact). Excludes `alert.create`.'),
  at_from: wholeNumber().optional().describe('Unix epoch seconds, inclusive'),
  at_before: wholeNumber().optional().describe('Unix epoch seconds, exclusive'),
}).refine(({ action, principal_name: who, target }) => action !== 'alert.create' || (who === undefined && target === undefined), {
  path: ['action'],
  error: 'alert.create can be filtered by time only; created_by of an alert names its sender',
});

export function auditRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/audit',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getAuditLogAPI',
        tags: ['audit'],
        summary: 'List the audit log, newest first',
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
