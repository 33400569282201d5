import { z } from 'zod';
import { type AlertFilters, type AlertScope, findAlert, listAlertEntities, listAlerts } from '../../db/alerts/alerts.js';
import { listWaiting } from '../../db/connections/connection-waiters.js';
import { connectionNames } from '../../db/connections/connections.js';
import { reinvestigate } from '../../db/investigations/lifecycle.js';
import type { Rerun } from '../../db/investigations/reuse.js';
import { listAnswers } from '../../db/skills/skill-results.js';
import {
  ALERT_TYPE_MAX_LENGTH,
  Alert,
  AlertDetail,
  AlertListItem,
  CreateAlert,
  InvestigationStatus,
  StatusCode,
} from '../../domain/alert/alert.js';
import type { Principal } from '../../domain/identity/identity.js';
import { storable, text } from '../../domain/text.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply, wholeNumber } from '../http/pagination.js';
import { notFound, Problem, unprocessable } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { PendingQuestions } from '../pending-questions.js';

const tags = ['alerts'];
const AlertPath = z.object({ alert_id: storable(150) });

export const AlertQuery = PageQuery.extend({
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
      'Words of type or content that must all occur; "a phrase"; -not this; or an alert id. An alert is findable by its words once its case is opened.',
    ),
});

const IdempotencyKey = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The same key and body answers the first reply again, for at least 24 hours; the same key with another body is refused.'),
});

const EXAMPLE = {
  organization_code: 'DEMO',
  alert_provider: 'email-security',
  alert_type: 'Reported phishing',
  alert_content: 'Subject: Final notice. Verify your account at http://203.0.113.7/login within 24 hours.',
  created_at_source: 1_767_225_600,
};

const InvestigateAgain = z
  .strictObject({
    from_step: text(100).describe('A step of the newest investigation’s evidence: what was answered before it is used again.'),
    reuse: z.literal(true).describe('Ask only what failed or was never answered.'),
  })
  .partial()
  .refine(({ from_step, reuse }) => from_step === undefined || reuse === undefined, 'name either from_step or reuse');

function toRerun({ from_step, reuse }: z.infer<typeof InvestigateAgain>): Rerun | null {
  if (from_step !== undefined) return { from_step };
  return reuse ? { reuse } : null;
}

function unknownStep(steps: readonly string[]): Problem {
  const known =
    steps.length === 0 ? 'No step of the newest investigation rests on an answer' : `Steps that rest on an answer: ${steps.join(', ')}`;
  return unprocessable([{ detail: `from_step: ${known}. What has no answer is asked again by reuse.`, pointer: '#/from_step' }]);
}

/** A sender sees what its own key created, everyone else their organization. */
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
      config: { access: ['sender', 'analyst', 'admin'], boundsItself: true },
      schema: {
        operationId: 'createAlertAPI',
        tags,
        summary: 'Send an alert',
        description: 'Answered after the alert is stored; its investigation begins at once.',
        headers: IdempotencyKey,
        body: CreateAlert.meta({ examples: [EXAMPLE] }),
        response: { 201: Alert, ...problems(413, 415) },
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
        summary: 'List alerts, newest first',
        querystring: AlertQuery,
        response: { 200: pageSchema(AlertListItem), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listAlerts(db, toAlertScope(principal), toAlertFilters(query), pageRequest(query))),
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
      if (!alert) throw notFound('alert of this id');
      const [entities, answers, waitingOn] = await Promise.all([
        listAlertEntities(db, alert.alert_uuid),
        listAnswers(db, alert.alert_uuid),
        listWaiting(db, [alert.alert_uuid]),
      ]);
      const isRunning = alert.investigation_status === InvestigationStatus.InProgress;
      const underWay = isRunning ? await questions.of(alert.alert_id, waitingOn, (ids) => connectionNames(db, ids)) : [];
      return { ...alert, entities, answers, waiting_on: waitingOn, under_way: underWay };
    },
  );

  app.post(
    '/platformapi/alerts/:alert_id/investigate',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'investigateAlertAPI',
        tags,
        summary: 'Investigate an alert again',
        description:
          'Only an alert whose investigation has ended (15 or 20) can be investigated again; its retry count starts at 0. Without a body ' +
          'everything is asked again; writes are proposals, and none is repeated.',
        params: AlertPath,
        body: InvestigateAgain.meta({ examples: [{ from_step: 'the-address-is-known' }] }),
        response: { 202: AlertListItem, ...problems(404, 409, 413, 415) },
      },
      // No body is an empty one.
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async ({ params, principal, body }, reply) => {
      const result = await reinvestigate(db, principal, params.alert_id, toRerun(body));
      if (result.outcome === 'unknown') throw notFound('alert of this id');
      if (result.outcome === 'running')
        throw new Problem(409, 'This alert is still being investigated. Wait until its status is 15 or 20.');
      if (result.outcome === 'unknown-step') throw unknownStep(result.steps);
      const alert = await findAlert(db, toAlertScope(principal), params.alert_id);
      if (!alert) throw notFound('alert of this id');
      return reply
        .status(202)
        .header('location', `/platformapi/alerts/${encodeURIComponent(params.alert_id)}`)
        .send(alert);
    },
  );
}
