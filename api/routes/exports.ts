import { Readable } from 'node:stream';
import { z } from 'zod';
import { writeContracts } from '../../connectors/skill-index.js';
import { type AlertFilters, type AlertScope, listAlerts, listEntitiesForAlerts } from '../../db/alerts/alerts.js';
import { listAttachments } from '../../db/cases/case-attachments.js';
import type { CaseFilters } from '../../db/cases/case-filters.js';
import { listTasks } from '../../db/cases/case-tasks.js';
import { findCase, listCases } from '../../db/cases/cases.js';
import type { Db } from '../../db/client.js';
import { type AlertListItem, findStatusName } from '../../domain/alert/alert.js';
import type { AlertSort } from '../../domain/alert/alert-sort.js';
import { toIsoString } from '../../domain/alert/intake-source.js';
import type { CaseSummary } from '../../domain/case/case.js';
import { storable } from '../../domain/text.js';
import { asJson, asMarkdown, asStix } from '../../services/cases/export-formats.js';
import { requireCase } from '../../services/cases/require-case.js';
import { notFound } from '../../services/errors.js';
import { recordExport } from '../../services/exports/record.js';
import { csvLine } from '../http/csv.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { AlertQuery, toAlertFilters, toAlertScope } from './alerts.js';
import { CaseQuery, toCaseFilters } from './cases.js';

const PAGE_SIZE = 1_000;
/** A spreadsheet holds about as many rows. */
const MAX_ROWS = 1_000_000;
const CSV_COLUMNS = [
  'alert_id',
  'organization_code',
  'alert_provider',
  'alert_type',
  'investigation_status',
  'created_at',
  'playbook',
  'case_id',
  'verdict',
  'severity',
  'completed_at',
  'alert_content',
] as const;

/** A spreadsheet shows names and times, not codes and epoch seconds. */
function toCell(alert: AlertListItem, column: (typeof CSV_COLUMNS)[number]): string | number | null {
  if (column === 'investigation_status') return findStatusName(alert.investigation_status);
  if (column === 'created_at' || column === 'completed_at') return alert[column] === null ? null : toIsoString(alert[column]);
  return alert[column];
}

const CASE_COLUMNS = [
  'case_id',
  'title',
  'verdict',
  'analyst_verdict',
  'classification',
  'severity',
  'score',
  'confidence',
  'status',
  'assignee',
  'alert_id',
  'organization_code',
  'playbook',
  'opened_at',
  'modified_at',
  'closed_at',
  'merged_into',
  'summary',
] as const;

function toCaseCell(found: CaseSummary, column: (typeof CASE_COLUMNS)[number]): string | number | null {
  if (column !== 'opened_at' && column !== 'modified_at' && column !== 'closed_at') return found[column];
  return found[column] === null ? null : toIsoString(found[column]);
}

/** Exports: alerts and cases as CSV, a case as Markdown, JSON or STIX. */
export function exportRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    '/platformapi/alerts.csv',
    { config: { access: ['analyst', 'admin'], boundsItself: true }, schema: { hide: true, querystring: AlertQuery } },
    async ({ query, principal, context }, reply) => {
      const { organizationUuid } = principal;
      await recordExport(context, { action: 'alert.export', organizationUuid, target: 'alerts.csv', details: { filters: query } });
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="alerts.csv"')
        .send(Readable.from(streamCsv(db, toAlertScope(principal), toAlertFilters(query), query.sort)));
    },
  );

  app.get(
    '/platformapi/cases.csv',
    { config: { access: ['analyst', 'admin'], boundsItself: true }, schema: { hide: true, querystring: CaseQuery } },
    async ({ query, principal, context }, reply) => {
      const { organizationUuid } = principal;
      await recordExport(context, { action: 'case.export', organizationUuid, target: 'cases.csv', details: { filters: query } });
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="cases.csv"')
        .send(Readable.from(streamCases(db, principal.organizationUuid, await toCaseFilters(db, principal, query))));
    },
  );

  app.get(
    '/platformapi/cases/:case_id/export',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        hide: true,
        params: z.object({ case_id: storable(100) }),
        querystring: z.object({ format: z.enum(['markdown', 'json', 'stix']) }),
      },
    },
    async ({ params: { case_id }, query: { format }, principal, context }, reply) => {
      const place = await requireCase(db, principal, case_id);
      const found = await findCase(db, principal.organizationUuid, case_id, writeContracts);
      if (!found) throw notFound('case with this id');
      const { organizationUuid } = place;
      await recordExport(context, { action: 'case.export', organizationUuid, target: case_id, details: { format } });
      const name = `${case_id}.${format === 'markdown' ? 'md' : format === 'stix' ? 'stix.json' : 'json'}`;
      reply.header('content-disposition', `attachment; filename="${name}"`);
      const entities = await listEntitiesForAlerts(db, found.alert_ids);
      const { items: tasks } = await listTasks(db, place);
      const parts = { entities, tasks, attachments: await listAttachments(db, place) };
      if (format === 'markdown') return reply.type('text/markdown; charset=utf-8').serializer(String).send(asMarkdown(found, parts));
      if (format === 'stix') return reply.type('application/stix+json;version=2.1').send(asStix(found, parts));
      return asJson(found, parts);
    },
  );
}

async function* streamCases(db: Db, scope: string | null, filters: CaseFilters): AsyncGenerator<string> {
  yield csvLine(CASE_COLUMNS);
  let after: string | null = null;
  for (let count = 0; count < MAX_ROWS; ) {
    const page = await listCases(db, scope, filters, { limit: PAGE_SIZE, after });
    count += page.items.length;
    yield page.items.map((found) => csvLine(CASE_COLUMNS.map((column) => toCaseCell(found, column)))).join('');
    after = page.next;
    if (after === null) return;
  }
}

/** Streams page by page at the reader's pace, so that memory stays constant. */
async function* streamCsv(db: Db, scope: AlertScope, filters: AlertFilters, sort: AlertSort): AsyncGenerator<string> {
  yield csvLine(CSV_COLUMNS);
  let after: string | null = null;
  let count = 0;
  while (count < MAX_ROWS) {
    const page = await listAlerts(db, scope, filters, { limit: PAGE_SIZE, after }, sort);
    count += page.items.length;
    yield page.items.map((alert) => csvLine(CSV_COLUMNS.map((column) => toCell(alert, column)))).join('');
    after = page.next;
    if (after === null) return;
  }
}
