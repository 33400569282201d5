import { z } from 'zod';
import { createRule, deleteRule, listRules, updateRule } from '../../db/notifications/rules.js';
import { CreateRule, RULES_AT_MOST, Rule, SaveRule } from '../../domain/notification/rule.js';
import { conflict, invalid, notFound } from '../../services/errors.js';
import { requireOrganization } from '../../services/organizations/require-organization.js';
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
    async ({ body, principal }, reply) => {
      const { organization_code, ...given } = body;
      const organizationUuid = await requireOrganization(db, principal, organization_code);
      return reply.status(201).send(requireSaved(await createRule(db, principal, organizationUuid, given)));
    },
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
    async ({ params, body, principal }) => requireSaved(await updateRule(db, principal, params.rule_id, body)),
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
    async ({ params, principal }, reply) => {
      if (!(await deleteRule(db, principal, params.rule_id))) throw notFound('notification rule with this id');
      return reply.status(204).send(null);
    },
  );
}

function requireSaved(saved: Awaited<ReturnType<typeof createRule>>): Rule {
  if (saved === 'missing') throw notFound('notification rule with this id');
  if (saved === 'full') throw conflict(`An organization has at most ${RULES_AT_MOST} rules. Delete one first.`);
  if (saved === 'unknown-channel')
    throw invalid([{ pointer: '#/channel_id', detail: 'The organization has no notification channel with this id.' }]);
  if (saved === 'no-digest-channel')
    throw invalid([
      { pointer: '#/digest', detail: 'Only e-mail, Slack and Teams send digests. Choose such a channel, or remove the digest.' },
    ]);
  return saved;
}
