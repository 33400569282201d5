import { z } from 'zod';
import { createRemoteAgent, listRemoteAgents, revokeRemoteAgent } from '../../db/agents/remote-agents.js';
import { isUniqueViolation } from '../../db/client.js';
import { newToken } from '../../db/tokens.js';
import { CreatedRemoteAgent, CreateRemoteAgent, RemoteAgent } from '../../domain/connection/remote-agent.js';
import { conflict, notFound } from '../../services/errors.js';
import { requireOrganization } from '../../services/organizations/require-organization.js';
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
    async ({ body, principal }, reply) => {
      const { organization_code, name } = body;
      const organizationUuid = await requireOrganization(db, principal, organization_code);
      const token = newToken('agent');
      try {
        const created = await createRemoteAgent(db, principal, { organizationUuid, name }, token);
        const unseen = { version: null, last_seen_at: null, waiting_steps: 0, waiting_since: null, revoked_at: null };
        return reply.status(201).send({ ...created, ...unseen, organization_code, name, token });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict('The organization already has a remote agent with this name. Choose another name.', {
          errors: [{ pointer: '#/name', detail: 'name: is taken.' }],
        });
      }
    },
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
    async ({ params, principal }, reply) => {
      if (!(await revokeRemoteAgent(db, principal, params.agent_id))) throw notFound('remote agent with this id');
      return reply.status(204).send(null);
    },
  );
}
