import type { FastifyReply, FastifyRequest } from 'fastify';
import { findOrganizationCode } from '../../db/identity/organizations.js';
import { type Principal, type Session, SignIn } from '../../domain/identity/identity.js';
import { withinTime } from '../http/deadline.js';
import { Problem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const ATTEMPTS_PER_MINUTE = 20;

/** Sign-in for browsers. The key is a cookie that no script can read and no other site can use. */
export function sessionRoutes(app: ZodApp, { database: { db }, keys, temporalWeb }: RouteDeps): void {
  const countAttempt = app.createRateLimit({ max: ATTEMPTS_PER_MINUTE, timeWindow: 60_000, keyGenerator: (request) => request.ip });

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

  async function describe({ name, role, organizationUuid }: Principal): Promise<Session> {
    const organization_code = organizationUuid === null ? null : await findOrganizationCode(db, organizationUuid);
    return { name, role, organization_code, temporal_web: temporalWeb };
  }

  app.post(
    '/platformapi/session',
    { config: { access: 'public', changes: [] }, schema: { hide: true, body: SignIn } },
    async (request, reply) => {
      const attempt = await countAttempt(request);
      if (!attempt.isAllowed && attempt.isExceeded)
        throw new Problem(429, 'Too many sign-in attempts came from this address. Wait, then try again.', {
          retryAfterSeconds: Math.max(1, attempt.ttlInSeconds),
        });
      const known = await withinTime(keys.find(request.body.api_key));
      const expired = known?.expiresAt != null && known.expiresAt <= Date.now() / 1000;
      if (!known || expired) throw new Problem(401, 'This API key is unknown, expired or revoked. Ask an admin for a new one.');
      if (known.principal.role === 'sender')
        throw new Problem(403, 'This key can only send alerts. Sign in with the key of an analyst or an admin.');
      setCookie(request, reply, request.body.api_key);
      return describe(known.principal);
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
