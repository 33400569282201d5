import { z } from 'zod';
import { listRemoteAgents } from '../../db/agents/remote-agents.js';
import { PendingRuleChange } from '../../domain/response/rule-change.js';
import { confirmAgent } from '../../services/agents/confirm.js';
import { createAgent } from '../../services/agents/create.js';
import { revokeAgent } from '../../services/agents/revoke.js';
import { CreatedRemoteAgent, CreateRemoteAgent, RemoteAgent } from '../../services/agents/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['remote agents'];

export function remoteAgentRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  app.post(
    '/platformapi/remote-agents',
    {
      config: { access: ['admin'], changes: ['connections', 'settings'] },
      schema: {
        operationId: 'createRemoteAgentAPI',
        tags,
        summary: "Create a remote agent for an organization's network",
        body: CreateRemoteAgent.meta({ examples: [{ organization_code: 'DEMO', name: 'plant network' }] }),
        response: { 201: CreatedRemoteAgent, ...problems(409, 413, 415) },
      },
    },
    async ({ body, context }, reply) => reply.status(201).send(await createAgent(context, body)),
  );

  app.get(
    '/platformapi/remote-agents',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getRemoteAgentListAPI',
        tags,
        summary: 'List remote agents with their last contact and their waiting steps',
        querystring: PageQuery,
        response: { 200: pageSchema(RemoteAgent), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listRemoteAgents(db, principal.organizationUuid, pageRequest(query))),
  );

  app.post(
    '/platformapi/remote-agents/:agent_id/confirm',
    {
      config: { access: ['admin'], changes: ['connections', 'settings'] },
      schema: {
        operationId: 'confirmRemoteAgentAPI',
        tags,
        summary: 'Confirm a remote agent, so that it may receive credentials',
        description:
          'Needs a person of the organization itself, or a second admin besides the one who enrolled the agent or confirmed it within 24 hours. Until then the reply is 202.',
        params: z.object({ agent_id: z.uuid() }),
        response: { 202: PendingRuleChange, 204: z.null(), ...problems(404, 409) },
      },
    },
    async ({ params, context }, reply) => {
      const pending = await confirmAgent(context, params.agent_id);
      return pending === null ? reply.status(204).send(null) : reply.status(202).send(pending);
    },
  );

  app.delete(
    '/platformapi/remote-agents/:agent_id',
    {
      config: { access: ['admin'], changes: ['connections', 'settings'] },
      schema: {
        operationId: 'revokeRemoteAgentAPI',
        tags,
        summary: 'Revoke a remote agent at once',
        description: 'Steps for this agent wait until their connection gets another route.',
        params: z.object({ agent_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await revokeAgent(context, params.agent_id);
      return reply.status(204).send(null);
    },
  );
}
