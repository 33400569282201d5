import { z } from 'zod';
import { listRules } from '../../db/notifications/rules.js';
import { createRule } from '../../services/notifications/create-rule.js';
import { deleteRule } from '../../services/notifications/delete-rule.js';
import { updateRule } from '../../services/notifications/update-rule.js';
import { CreateRule, Rule, SaveRule } from '../../services/notifications/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['notifications'];
const LIST = '/platformapi/notification-rules';
const RulePath = z.object({ rule_id: z.uuid() });
const EXAMPLE = {
  name: 'Critical cases',
  channel_id: '01a1e897-5323-72e9-b68c-244568c5224a',
  events: ['case.verdict_changed'],
  min_severity: 'critical',
} as const;

/** Which events go to which channel. */
export function notificationRuleRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.get(
    LIST,
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getNotificationRuleListAPI',
        tags,
        summary: 'List notification rules',
        querystring: PageQuery,
        response: { 200: pageSchema(Rule), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listRules(db, principal.organizationUuid, pageRequest(query))),
  );

  app.post(
    LIST,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'createNotificationRuleAPI',
        tags,
        summary: 'Send events to a channel',
        description: 'An event that several rules match goes to each channel once. A rule applies to later events only.',
        body: CreateRule.meta({ examples: [{ organization_code: 'DEMO', ...EXAMPLE }] }),
        response: { 201: Rule, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createRule(context, body)),
  );

  app.put(
    `${LIST}/:rule_id`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'updateNotificationRuleAPI',
        tags,
        summary: 'Replace a notification rule',
        params: RulePath,
        body: SaveRule.meta({ examples: [EXAMPLE] }),
        response: { 200: Rule, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context }) => updateRule(context, params.rule_id, body),
  );

  app.delete(
    `${LIST}/:rule_id`,
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'deleteNotificationRuleAPI',
        tags,
        summary: 'Delete a notification rule; pending deliveries stay',
        params: RulePath,
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await deleteRule(context, params.rule_id);
      return reply.status(204).send(null);
    },
  );
}
