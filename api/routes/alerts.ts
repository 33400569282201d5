import { z } from 'zod';
import {
  type AlertFilters,
  type AlertScope,
  findAlert,
  listAlertEntities,
  listAlerts,
  readPlaybookReason,
} from '../../db/alerts/alerts.js';
import { listWaiting } from '../../db/connections/connection-waiters.js';
import { connectionNames } from '../../db/connections/connections.js';
import type { Rerun } from '../../db/investigations/reuse.js';
import { readAlertKnowledge } from '../../db/organization/knowledge.js';
import { listAnswers } from '../../db/skills/skill-results.js';
import { ALERT_TYPE_MAX_LENGTH, Alert, AlertListItem, InvestigationStatus, StatusCode } from '../../domain/alert/alert.js';
import { ALERT_SORTS, NEWEST_ALERTS } from '../../domain/alert/alert-sort.js';
import type { Principal } from '../../domain/identity/identity.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import { readSort } from '../../domain/sort.js';
import { storable } from '../../domain/text.js';
import { AlertDetail, CreateAlert, InvestigateAgain } from '../../services/alerts/wire.js';
import { notFound } from '../../services/errors.js';
import { investigateAgain } from '../../services/investigations/investigate-again.js';
import { PendingQuestions } from '../../services/investigations/pending-questions.js';
import { problems } from '../http/openapi.js';
import { fitsSort, pageRequest, pageSchema, SortedPageQuery, toListReply, wholeNumber } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['alerts'];
const AlertPath = z.object({ alert_id: storable(150) });

/** The values that a cursor of each order holds. */
const CURSOR_VALUES: Readonly<Record<string, RegExp | undefined>> = { completed_at: /^-?\d{1,17}$/, alert_type: /^/, status: /^\d{1,2}$/ };

export const AlertQuery = SortedPageQuery.extend({
  status: wholeNumber()
    .pipe(StatusCode)
    .meta(StatusCode.meta() ?? {})
    .optional(),
  organization_code: storable(32).optional(),
  provider: storable(64).optional(),
  alert_type: storable(ALERT_TYPE_MAX_LENGTH).optional().describe('Upper and lower case and spaces do not matter.'),
  created_from: wholeNumber().optional().describe('Unix epoch seconds, inclusive'),
  created_before: wholeNumber().optional().describe('Unix epoch seconds, exclusive'),
  text: storable(500)
    .optional()
    .describe(
      'Words, or beginnings of words, that must all occur in the type or the content, such as `hr-ws-014`, `dana.vries` or `Malwar`; "a phrase" of whole words; -excluded; or an alert id. The search finds an alert once its case is open.',
    ),
  sort: z
    .enum(ALERT_SORTS)
    .default(NEWEST_ALERTS)
    .describe('A minus sorts descending. Sorted by `completed_at`, the list has only completed alerts.'),
}).refine(({ sort, cursor }) => fitsSort(cursor, CURSOR_VALUES[readSort(sort).column]), {
  error: 'is not a cursor of the list in this order',
  path: ['cursor'],
});

const IdempotencyKey = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'A request with the same key and body returns the first reply, for at least 24 hours. The API refuses the same key with another body, and replies with 410 if the alert was deleted.',
    ),
});

const EXAMPLE = {
  organization_code: 'DEMO',
  alert_provider: 'email-security',
  alert_type: 'Reported phishing',
  alert_content: 'Subject: Final notice. Verify your account at http://203.0.113.7/login within 24 hours.',
  created_at_source: 1_767_225_600,
};

function toRerun({ from_step, reuse }: InvestigateAgain): Rerun | null {
  if (from_step !== undefined) return { from_step };
  return reuse ? { reuse } : null;
}

/** A sender must not learn which of its alerts get past the investigation: a stolen key would be an oracle for an attacker. */
function showTo(principal: Principal, alert: AlertListItem): AlertListItem {
  return principal.role === 'sender' ? { ...alert, verdict: null, severity: null } : alert;
}

/** A sender sees the alerts that its key created; other roles see their organization. */
export function toAlertScope(principal: Principal): AlertScope {
  return { organizationUuid: principal.organizationUuid, createdBy: principal.role === 'sender' ? principal.uuid : null };
}

export function toAlertFilters(query: z.output<typeof AlertQuery>): AlertFilters {
  const { status, provider, text } = query;
  return {
    status,
    provider,
    text,
    organizationCode: query.organization_code,
    alertType: query.alert_type,
    createdFrom: query.created_from,
    createdBefore: query.created_before,
  };
}

export function alertRoutes(app: ZodApp, { database: { db }, intake, metrics, runner }: RouteDeps): void {
  const questions = new PendingQuestions(runner.client);

  app.post(
    '/platformapi/alerts',
    {
      config: { access: ['sender', 'analyst', 'admin'], changes: ['alerts', 'cases'], boundsItself: true },
      schema: {
        operationId: 'createAlertAPI',
        tags,
        summary: 'Send an alert',
        description: 'The API replies after it stores the alert. The investigation starts at once.',
        headers: IdempotencyKey,
        body: CreateAlert.meta({ examples: [EXAMPLE] }),
        response: { 201: Alert, ...problems(410, 413, 415) },
      },
      onResponse(_request, reply, done) {
        metrics.intakeRequests.inc({ status: reply.statusCode });
        done();
      },
    },
    async (request, reply) => {
      const alert = await intake.submit({
        principal: request.principal,
        request: request.body,
        idempotencyKey: request.headers['idempotency-key'] ?? null,
      });
      return reply
        .status(201)
        .header('location', `/platformapi/alerts/${encodeURIComponent(alert.alert_id)}`)
        .send(alert);
    },
  );

  app.get(
    '/platformapi/alerts',
    {
      config: { access: ['sender', 'analyst', 'admin'] },
      schema: {
        operationId: 'getAlertListAPI',
        tags,
        summary: 'List alerts, newest first unless `sort` is given',
        querystring: AlertQuery,
        response: { 200: pageSchema(AlertListItem), ...problems() },
      },
    },
    async ({ query, principal }) => {
      const { items, next } = await listAlerts(db, toAlertScope(principal), toAlertFilters(query), pageRequest(query), query.sort);
      return toListReply({ items: items.map((alert) => showTo(principal, alert)), next });
    },
  );

  app.get(
    '/platformapi/alerts/:alert_id',
    {
      config: { access: ['sender', 'analyst', 'admin'] },
      schema: {
        operationId: 'getAlertAPI',
        tags,
        summary: 'Read one alert',
        params: AlertPath,
        response: { 200: AlertDetail, ...problems(404) },
      },
    },
    async ({ params, principal }) => {
      const alert = await findAlert(db, toAlertScope(principal), params.alert_id);
      if (!alert) throw notFound('alert with this id');
      // A sender must not learn which third parties the organization uses.
      const maySeeConnections = principal.role !== 'sender';
      const [playbookReason, entities, knowledge, answers, waitingOn] = await Promise.all([
        readPlaybookReason(db, alert.alert_uuid),
        listAlertEntities(db, alert.alert_uuid),
        readAlertKnowledge(db, alert.alert_uuid),
        maySeeConnections ? listAnswers(db, alert.alert_uuid) : [],
        maySeeConnections ? listWaiting(db, [alert.alert_uuid]) : [],
      ]);
      const isRunning = maySeeConnections && alert.investigation_status === InvestigationStatus.InProgress;
      const underWay = isRunning ? await questions.list(alert.alert_id, waitingOn, (ids) => connectionNames(db, ids)) : [];
      return {
        ...showTo(principal, alert),
        playbook_reason: playbookReason,
        entities,
        own: listOwn(entities, knowledge),
        answers,
        waiting_on: waitingOn,
        under_way: underWay,
      };
    },
  );

  app.post(
    '/platformapi/alerts/:alert_id/investigate',
    {
      config: { access: ['analyst', 'admin'], changes: ['alerts', 'cases'] },
      schema: {
        operationId: 'investigateAlertAPI',
        tags,
        summary: 'Investigate an alert again',
        description:
          'Works only after the investigation ended (15 or 20). The retry count starts at 0. Without a body, the service asks all questions ' +
          'again. Writes are proposals, so none is repeated.',
        params: AlertPath,
        body: InvestigateAgain.meta({ examples: [{ from_step: 'the-address-is-known' }] }),
        response: { 202: AlertListItem, ...problems(404, 409, 413, 415) },
      },
      // A missing body counts as an empty one.
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async ({ params, principal, body, context }, reply) => {
      await investigateAgain(context, params.alert_id, toRerun(body));
      const alert = await findAlert(db, toAlertScope(principal), params.alert_id);
      if (!alert) throw notFound('alert with this id');
      return reply
        .status(202)
        .header('location', `/platformapi/alerts/${encodeURIComponent(params.alert_id)}`)
        .send(alert);
    },
  );
}
