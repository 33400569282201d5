import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../../domain/identity/identity.js';
import { clip } from '../../domain/text.js';
import { asService } from '../../services/context.js';
import { CommandError, forbidden } from '../../services/errors.js';
import { acceptInvitation } from '../../services/invitations/accept.js';
import { Join } from '../../services/invitations/wire.js';
import { changePassword } from '../../services/sessions/change-password.js';
import { describeSession } from '../../services/sessions/describe.js';
import { describeKnownBrowser, findKnownBrowser, KNOWN_BROWSER_SECONDS } from '../../services/sessions/known-browser.js';
import { selectOrganization } from '../../services/sessions/select-organization.js';
import { signIn } from '../../services/sessions/sign-in.js';
import { signOut } from '../../services/sessions/sign-out.js';
import { verifySession } from '../../services/sessions/verify.js';
import { ChangePassword, PasswordSignIn, SelectOrganization, Session, SignIn, VerifySession } from '../../services/sessions/wire.js';
import { unusableKey, usablePrincipal } from '../http/auth.js';
import { withinTime } from '../http/deadline.js';
import { Problem, sendProblem, toProblem } from '../http/problems.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { readBrowserCookie, setBrowserCookie, setSessionCookie } from '../sign-in/cookies.js';

const INVALID_BODY = new Set([400, 413, 415, 422]);
const OVER_LIMIT_PAUSE_MS = 100;

/** Sign-in for browsers. The key or the token is a cookie that no script can read and no other site can use. */
export function sessionRoutes(app: ZodApp, deps: RouteDeps): void {
  const { keys, refusedKeys, guesses, keyring, findClientAddress, temporalWeb, sessionLimits } = deps;
  const service = asService(deps.database.db);

  async function describe(by: Principal): Promise<Session> {
    return { ...(await describeSession({ ...service, by })), temporal_web: temporalWeb };
  }

  /** Ends the session before, so that a token from before the sign-in is worth nothing. `newIn`: whose browser this becomes. */
  async function enter(request: FastifyRequest, reply: FastifyReply, token: string, newIn: string | null): Promise<Session> {
    const before = request.sessionCookie;
    if (before !== undefined) await signOut(service, before);
    const principal = usablePrincipal(await withinTime(keys.find(token)));
    if (principal === null) throw forbidden('You belong to no organization. Ask an admin for a role.');
    setSessionCookie(app, request, reply, token, { sameSite: 'lax', maxAge: sessionLimits.absoluteSeconds });
    if (newIn !== null) setBrowserCookie(app, request, reply, describeKnownBrowser(keyring, newIn, service.now()), KNOWN_BROWSER_SECONDS);
    return describe(principal);
  }

  const newSession = (request: FastifyRequest) => ({
    client: clip(request.headers['user-agent'] ?? '', 200),
    absoluteSeconds: sessionLimits.absoluteSeconds,
  });

  function requireLocalSignIn(): void {
    if (sessionLimits.allowsLocalUsers === false)
      throw forbidden('The operator turned off the sign-in with a password. Sign in with the identity provider.');
  }

  /** The current password counts like that of a sign-in. The session is the browser. */
  async function checkPassword(request: FastifyRequest, check: () => Promise<void>): Promise<void> {
    const { sessionUuid, uuid } = request.principal;
    const attempt = guesses.admit(request, uuid, sessionUuid);
    await withinTime(check().finally(() => attempt.end()));
    attempt.takeBack();
  }

  /** An invalid body counts like a wrong key, because it costs as much. A reply beyond a limit waits, so that its sender does too. */
  const errorHandler = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblem(error);
    if (problem?.status === 429) await sleep(OVER_LIMIT_PAUSE_MS);
    const isInvalid = problem !== null && INVALID_BODY.has(problem.status);
    return sendProblem(isInvalid ? await refusedKeys.refuse(request, 'sign-in', null, problem) : error, request, reply);
  };
  const open = { config: { access: 'public', changes: [] }, errorHandler } as const;

  app.post(
    '/platformapi/session',
    { ...open, schema: { hide: true, body: SignIn, response: { 200: Session } } },
    async (request, reply) => {
      const { api_key: apiKey } = request.body;
      const principal = usablePrincipal(await withinTime(keys.find(apiKey)));
      if (principal === null || principal.sessionUuid !== null) throw await refusedKeys.refuse(request, 'sign-in', apiKey, unusableKey());
      if (principal.role === 'sender') throw forbidden('This key can only send alerts. Sign in with the key of an analyst or an admin.');
      setSessionCookie(app, request, reply, apiKey, { sameSite: 'strict' });
      return describe(principal);
    },
  );

  app.post(
    '/platformapi/session/password',
    { ...open, schema: { hide: true, body: PasswordSignIn, response: { 200: Session } } },
    async (request, reply) => {
      requireLocalSignIn();
      const { email } = request.body;
      const browser = findKnownBrowser(keyring, readBrowserCookie(app, request), email, service.now());
      const attempt = guesses.admit(request, email, browser);
      const from = { caller: browser === null ? 'stranger' : 'known', address: findClientAddress(request) } as const;
      const checked = signIn(service, keyring, request.body, newSession(request), from).finally(() => attempt.end());
      const token = await withinTime(checked).catch(async (error: unknown) => {
        if (isUnauthenticated(error)) throw await refusedKeys.refuse(request, 'sign-in', null, error);
        attempt.takeBack();
        throw error;
      });
      attempt.takeBack();
      if (token !== null) return enter(request, reply, token, browser === null ? email : null);
      const detail = 'Enter the code of your authenticator app.';
      throw new Problem(401, detail, { errors: [{ pointer: '#/code', detail }] });
    },
  );

  app.post(
    '/platformapi/session/join',
    { ...open, schema: { hide: true, body: Join, response: { 200: Session } } },
    async (request, reply) => {
      requireLocalSignIn();
      const { body } = request;
      // Each use of a link costs a hash, also several at the same time.
      const attempt = guesses.admit(request, body.token);
      const joining = acceptInvitation(service, body, newSession(request)).finally(() => attempt.end());
      const { token, email } = await withinTime(joining).catch(async (error: unknown) => {
        throw isUnauthenticated(error) ? await refusedKeys.refuse(request, 'sign-in', body.token, error) : error;
      });
      attempt.takeBack();
      return enter(request, reply, token, email);
    },
  );

  app.get(
    '/platformapi/session',
    { config: { access: ['analyst', 'admin'], allowsSetUp: true }, schema: { hide: true, response: { 200: Session } } },
    ({ principal }) => describe(principal),
  );

  app.put(
    '/platformapi/session/organization',
    {
      config: { access: ['analyst', 'admin'], changes: [], allowsSetUp: true },
      schema: { hide: true, body: SelectOrganization, response: { 204: z.null() } },
    },
    async ({ body, context }, reply) => {
      await selectOrganization(context, body.organization_code);
      keys.forget();
      return reply.status(204).send(null);
    },
  );

  const own = { access: ['analyst', 'admin'], changes: [], allowsSetUp: true } as const;

  app.post(
    '/platformapi/session/verify',
    { config: own, schema: { hide: true, body: VerifySession, response: { 204: z.null() } } },
    async (request, reply) => {
      await checkPassword(request, () => verifySession(request.context, keyring, request.body));
      return reply.status(204).send(null);
    },
  );

  app.put(
    '/platformapi/session/password',
    { config: own, schema: { hide: true, body: ChangePassword, response: { 204: z.null() } } },
    async (request, reply) => {
      await checkPassword(request, () => changePassword(request.context, request.body));
      keys.forget();
      return reply.status(204).send(null);
    },
  );

  app.delete(
    '/platformapi/session',
    { config: { access: 'public', changes: [] }, schema: { hide: true, response: { 204: z.null() } } },
    async (request, reply) => {
      const token = request.sessionCookie;
      if (token !== undefined && (await withinTime(signOut(service, token)))) keys.forget();
      setSessionCookie(app, request, reply, '', { sameSite: 'strict', maxAge: 0 });
      return reply.status(204).send(null);
    },
  );
}

function isUnauthenticated(error: unknown): error is CommandError {
  return error instanceof CommandError && error.refusal === 'unauthenticated';
}
