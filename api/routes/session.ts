import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { acceptInvitation, findInvitation } from '../../db/identity/invitations.js';
import { findOrganizationCode } from '../../db/identity/organizations.js';
import { readTotp } from '../../db/identity/totp.js';
import { endSessionOf, selectMembership, startSession } from '../../db/identity/user-sessions.js';
import { findLocalUser, listMemberships, NameTaken } from '../../db/identity/users.js';
import { type Principal, type Session, SignIn } from '../../domain/identity/identity.js';
import { Join, PasswordSignIn, SelectOrganization } from '../../domain/identity/user.js';
import { clip } from '../../domain/text.js';
import { conflict, forbidden, invalid } from '../../services/errors.js';
import { unusableKey, usablePrincipal } from '../http/auth.js';
import { withinTime } from '../http/deadline.js';
import { Problem, sendProblem, toProblem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { setSessionCookie } from '../sign-in/cookies.js';
import { hashPassword, isPassword } from '../sign-in/passwords.js';
import { acceptTotp } from '../sign-in/totp.js';

const INVALID_BODY = new Set([400, 413, 415, 422]);
const TAKEN = {
  name: 'Another user or a service has this name. Enter another one, for example with your middle name.',
  email: 'A user has this address already. Sign in, or enter another address.',
};

function askForCode(detail: string): Problem {
  return new Problem(401, detail, { errors: [{ pointer: '#/code', detail }] });
}

/** Sign-in for browsers. The key or the token is a cookie that no script can read and no other site can use. */
export function sessionRoutes(app: ZodApp, deps: RouteDeps): void {
  const { keys, refusedKeys, guesses, keyring, temporalWeb, sessionLimits } = deps;
  const { db } = deps.database;

  async function describe({ uuid, name, role, organizationUuid, userUuid, sessionUuid }: Principal): Promise<Session> {
    const organization_code = organizationUuid === null ? null : await findOrganizationCode(db, organizationUuid);
    const held = sessionUuid === null ? [] : await listMemberships(db, [uuid]);
    const memberships = held.map(({ organization_code, role }) => ({ organization_code, role }));
    const local = sessionUuid === null ? null : await readTotp(db, uuid);
    return {
      key_uuid: sessionUuid === null ? uuid : null,
      user_uuid: userUuid,
      name,
      role,
      organization_code,
      memberships,
      has_second_step: local === null ? null : local.totp !== null,
      temporal_web: temporalWeb,
    };
  }

  /** Ends the session before, so that a token from before the sign-in is worth nothing. */
  async function enter(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Session> {
    const before = app.parseCookie(request.headers.cookie ?? '')['Session'];
    if (before !== undefined) await endSessionOf(db, before);
    const principal = usablePrincipal(await withinTime(keys.find(token)));
    if (principal === null) throw forbidden('You belong to no organization. Ask an admin for a role.');
    setSessionCookie(app, request, reply, token, { sameSite: 'lax', maxAge: sessionLimits.absoluteSeconds });
    return describe(principal);
  }

  const newSession = (request: FastifyRequest) => ({
    client: clip(request.headers['user-agent'] ?? '', 200),
    absoluteSeconds: sessionLimits.absoluteSeconds,
  });

  /** An invalid body counts like a wrong key, because it costs as much. */
  const errorHandler = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblem(error);
    const isInvalid = problem !== null && INVALID_BODY.has(problem.status);
    return sendProblem(isInvalid ? await refusedKeys.refuse(request, 'sign-in', null, problem) : error, request, reply);
  };
  const open = { config: { access: 'public', changes: [] }, errorHandler } as const;

  app.post('/platformapi/session', { ...open, schema: { hide: true, body: SignIn } }, async (request, reply) => {
    const { api_key: apiKey } = request.body;
    const principal = usablePrincipal(await withinTime(keys.find(apiKey)));
    if (principal === null || principal.sessionUuid !== null) throw await refusedKeys.refuse(request, 'sign-in', apiKey, unusableKey());
    if (principal.role === 'sender') throw forbidden('This key can only send alerts. Sign in with the key of an analyst or an admin.');
    setSessionCookie(app, request, reply, apiKey, { sameSite: 'strict' });
    return describe(principal);
  });

  app.post('/platformapi/session/password', { ...open, schema: { hide: true, body: PasswordSignIn } }, async (request, reply) => {
    const { email, password, code } = request.body;
    guesses.requireFewFailures(request, email);
    const refuse = (problem: Problem) => {
      guesses.count(request, email);
      return refusedKeys.refuse(request, 'sign-in', null, problem);
    };
    const user = await withinTime(findLocalUser(db, email));
    if (!(await isPassword(password, user?.passwordHash ?? null)) || user === null)
      throw await refuse(new Problem(401, 'The e-mail address or the password is wrong.'));
    if (user.totp !== null && code === undefined) throw askForCode('Enter the code of your authenticator app.');
    if (user.totp !== null && !(await acceptTotp(db, keyring, user.userUuid, user.totp, code ?? '')))
      throw await refuse(askForCode('The code is wrong, or was used before. Enter the next one.'));
    return enter(request, reply, await db.transaction((transaction) => startSession(transaction, user.userUuid, newSession(request))));
  });

  app.post('/platformapi/session/join', { ...open, schema: { hide: true, body: Join } }, async (request, reply) => {
    const { token, email, password } = request.body;
    const unusable = () =>
      refusedKeys.refuse(request, 'sign-in', token, new Problem(401, 'This link is unknown, used or expired. Ask an admin for a new one.'));
    const invitation = await withinTime(findInvitation(db, token));
    if (invitation === null) throw await unusable();
    if (invitation.email === null && email === undefined)
      throw invalid([{ pointer: '#/email', detail: 'email: is required for the set-up link.' }]);
    try {
      const started = await acceptInvitation(db, request.body, await hashPassword(password), newSession(request));
      if (started === null) throw await unusable();
      return await enter(request, reply, started);
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error;
      throw conflict(TAKEN[error.field], { errors: [{ pointer: `#/${error.field}`, detail: TAKEN[error.field] }] });
    }
  });

  app.get('/platformapi/session', { config: { access: ['analyst', 'admin'] }, schema: { hide: true } }, ({ principal }) =>
    describe(principal),
  );

  app.put(
    '/platformapi/session/organization',
    { config: { access: ['analyst', 'admin'], changes: [] }, schema: { hide: true, body: SelectOrganization } },
    async ({ body, principal }, reply) => {
      if (!(await selectMembership(db, principal, body.organization_code)))
        throw invalid([{ pointer: '#/organization_code', detail: 'You have no role in this organization.' }]);
      keys.forget();
      return reply.status(204).send(null);
    },
  );

  app.delete('/platformapi/session', { config: { access: 'public', changes: [] }, schema: { hide: true } }, async (request, reply) => {
    const token = app.parseCookie(request.headers.cookie ?? '')['Session'];
    if (token !== undefined) {
      await endSessionOf(db, token);
      keys.forget();
    }
    setSessionCookie(app, request, reply, '', { sameSite: 'strict', maxAge: 0 });
    return reply.status(204).send(null);
  });
}
