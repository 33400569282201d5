import { z } from 'zod';
import { deactivateUser, listUsers } from '../../db/identity/users.js';
import { User } from '../../domain/identity/user.js';
import { conflict, notFound } from '../../services/errors.js';
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
    '/platformapi/users/:user_uuid/deactivate',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'deactivateUserAPI',
        tags,
        summary: 'Deactivate a user: end their sessions and keys, and keep their history',
        params: z.object({ user_uuid: z.uuid() }),
        response: { 204: z.null(), ...problems(404, 409) },
      },
    },
    async ({ params, principal }, reply) => {
      if (params.user_uuid === principal.userUuid) throw conflict('You cannot deactivate yourself. Ask another admin.');
      const deactivated = await deactivateUser(db, principal, params.user_uuid);
      if (deactivated === 'missing') throw notFound('user with this id');
      if (deactivated === 'foreign') throw conflict('This user also belongs to other organizations. Ask an admin for all organizations.');
      keys.forget();
      return reply.status(204).send(null);
    },
  );
}
