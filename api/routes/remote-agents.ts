import { z } from 'zod';
import { listRemoteAgents } from '../../db/agents/remote-agents.js';
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
