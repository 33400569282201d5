import { z } from 'zod';
import { listUsers } from '../../db/identity/users.js';
import { deactivateUser } from '../../services/users/deactivate.js';
import { User } from '../../services/users/wire.js';
import { problems } from '../http/openapi.js';
import { PageQuery, pageRequest, pageSchema, toListReply } from '../http/pagination.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const tags = ['users'];

export function userRoutes(app: ZodApp, { database: { db }, keys }: RouteDeps): void {
  app.get(
    '/platformapi/users',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getUserListAPI',
        tags,
        summary: 'List users with their roles, oldest first',
        querystring: PageQuery,
        response: { 200: pageSchema(User), ...problems() },
      },
    },
    async ({ query, principal }) => toListReply(await listUsers(db, principal.organizationUuid, pageRequest(query))),
  );

  app.post(
    '/platformapi/users/:user_id/deactivate',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'deactivateUserAPI',
        tags,
        summary: 'Deactivate a user: end their sessions and keys, and keep their history',
        params: z.object({ user_id: z.uuid() }),
        response: { 204: z.null(), ...problems(404, 409) },
      },
    },
    async ({ params, context }, reply) => {
      await deactivateUser(context, params.user_id);
      keys.forget();
      return reply.status(204).send(null);
    },
  );
}
