import { z } from 'zod';
import { listUsers } from '../../db/identity/users.js';
import { deactivateUser } from '../../services/users/deactivate.js';
import { handOver } from '../../services/users/hand-over.js';
import { listBelongings } from '../../services/users/list-belongings.js';
import { Belongings, HandOver, User } from '../../services/users/wire.js';
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

  app.get(
    '/platformapi/users/:user_id/belongings',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'getUserBelongingsAPI',
        tags,
        summary: 'List what a user leaves: what ends with their access, and their open work',
        params: z.object({ user_id: z.uuid() }),
        response: { 200: Belongings, ...problems(404) },
      },
    },
    ({ params, principal }) => listBelongings({ db, by: principal }, params.user_id),
  );

  app.post(
    '/platformapi/users/:user_id/hand-over',
    {
      config: { access: ['admin'], changes: ['settings', 'cases'] },
      schema: {
        operationId: 'handOverBelongingsAPI',
        tags,
        summary: 'Hand over what a user leaves to another admin, and return the rest',
        description: 'A person who leaves may know the value of a key. Replace handed-over keys soon.',
        params: z.object({ user_id: z.uuid() }),
        body: HandOver.meta({ examples: [{ to_user_id: '0190b6a0-7a6b-7000-8000-000000000000' }] }),
        response: { 200: Belongings, ...problems(404, 409, 413, 415) },
      },
    },
    async ({ params, body, context, principal }) => {
      await handOver(context, params.user_id, body);
      return listBelongings({ db, by: principal }, params.user_id);
    },
  );

  app.post(
    '/platformapi/users/:user_id/deactivate',
    {
      config: { access: ['admin'], changes: ['settings'] },
      schema: {
        operationId: 'deactivateUserAPI',
        tags,
        summary: 'Deactivate a user: end their access and what they left, and keep their history',
        description:
          'Ends sessions, own keys, Slack links, and everything in `GET /users/{user_id}/belongings` that no other admin took over.',
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
