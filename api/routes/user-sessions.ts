import { z } from 'zod';
import { listSessions } from '../../db/identity/user-sessions.js';
import { endSession } from '../../services/sessions/end.js';
import { UserSession } from '../../services/sessions/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['users'];

export function userSessionRoutes(app: ZodApp, { database: { db }, keys, sessionLimits }: RouteDeps): void {
  app.get(
    '/platformapi/sessions',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getSessionListAPI',
        tags,
        summary: 'List your open sessions; an admin sees those of all users of the organization',
        querystring: PageQuery,
        response: { 200: pageSchema(UserSession), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listSessions(db, principal, sessionLimits.idleSeconds, pageRequest(query))),
  );

  app.delete(
    '/platformapi/sessions/:session_id',
    {
      config: { access: ['analyst', 'admin'], changes: ['settings'] },
      schema: {
        operationId: 'revokeSessionAPI',
        tags,
        summary: 'End a session at once',
        params: z.object({ session_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404) },
      },
    },
    async ({ params, context }, reply) => {
      await endSession(context, params.session_id);
      keys.forget();
      return reply.status(204).send(null);
    },
  );
}
