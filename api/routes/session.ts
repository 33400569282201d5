import type { FastifyReply, FastifyRequest } from 'fastify';
import { findOrganizationCode } from '../../db/identity/organizations.js';
import { type Principal, type Session, SignIn } from '../../domain/identity/identity.js';
import { unusableKey, usablePrincipal } from '../http/auth.js';
import { withinTime } from '../http/deadline.js';
import { Problem, sendProblem, toProblem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const INVALID_BODY = new Set([400, 413, 415, 422]);

/** Sign-in for browsers. The key is a cookie that no script can read and no other site can use. */
export function sessionRoutes(app: ZodApp, { database: { db }, keys, refusedKeys, temporalWeb }: RouteDeps): void {
  function setCookie(request: FastifyRequest, reply: FastifyReply, value: string, maxAge?: number): void {
    const secure = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https';
    const cookie = app.serializeCookie('Session', value, {
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure,
      ...(maxAge === undefined ? {} : { maxAge }),
    });
    reply.header('set-cookie', cookie);
  }

  async function describe({ uuid, name, role, organizationUuid }: Principal): Promise<Session> {
    const organization_code = organizationUuid === null ? null : await findOrganizationCode(db, organizationUuid);
    return { key_uuid: uuid, name, role, organization_code, temporal_web: temporalWeb };
  }

  app.post(
    '/platformapi/session',
    {
      config: { access: 'public', changes: [] },
      schema: { hide: true, body: SignIn },
      // An invalid body counts like a wrong key, because it costs as much.
      errorHandler: async (error, request, reply) => {
        const problem = toProblem(error);
        const isInvalid = problem !== null && INVALID_BODY.has(problem.status);
        return sendProblem(isInvalid ? await refusedKeys.refuse(request, 'sign-in', null, problem) : error, request, reply);
      },
    },
    async (request, reply) => {
      const { api_key: apiKey } = request.body;
      const principal = usablePrincipal(await withinTime(keys.find(apiKey)));
      if (principal === null) throw await refusedKeys.refuse(request, 'sign-in', apiKey, unusableKey());
      if (principal.role === 'sender')
        throw new Problem(403, 'This key can only send alerts. Sign in with the key of an analyst or an admin.');
      setCookie(request, reply, apiKey);
      return describe(principal);
    },
  );

  app.get('/platformapi/session', { config: { access: ['analyst', 'admin'] }, schema: { hide: true } }, ({ principal }) =>
    describe(principal),
  );

  app.delete('/platformapi/session', { config: { access: 'public', changes: [] }, schema: { hide: true } }, async (request, reply) => {
    setCookie(request, reply, '', 0);
    return reply.status(204).send(null);
  });
}
