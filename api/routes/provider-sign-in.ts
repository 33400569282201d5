import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { insertProviderSignIn, takeProviderSignIn } from '../../db/identity/provider-users.js';
import { PAGES, toOwnPath } from '../../domain/pages.js';
import { clip, storable } from '../../domain/text.js';
import { asService } from '../../services/context.js';
import { signInWithProvider } from '../../services/sessions/sign-in-with-provider.js';
import { signOut } from '../../services/sessions/sign-out.js';
import { SignInOptions } from '../../services/sessions/wire.js';
import { toClientNetwork } from '../http/client-address.js';
import type { RouteDeps, ZodApp } from '../http/route.js';
import { setSessionCookie } from '../sign-in/cookies.js';

const START = '/platformapi/session/provider';
export const CALLBACK_PATH = `${START}/callback`;
const COOKIE = 'SignIn';
/** The person must return from the provider within this time. */
const SIGN_IN_SECONDS = 600;
/** From one address. Each start writes a row, and anyone can start one. */
const STARTS_PER_MINUTE = 60;

/** Why a sign-in with the provider failed; the page for signing in explains it. */
type Failure = 'unavailable' | 'refused' | 'expired' | 'too-many' | 'no-role' | 'deactivated';

/** Sign-in with OpenID Connect. The browser follows redirects, so that failures lead to the page for signing in. */
export function providerSignInRoutes(
  app: ZodApp,
  { database: { db }, keys, identityProvider, keyring, sessionLimits, findClientAddress }: RouteDeps,
): void {
  const config = { access: 'public', changes: [] } as const;
  const service = asService(db);

  app.get('/platformapi/session/options', { config, schema: { hide: true, response: { 200: SignInOptions } } }, () => ({
    provider: identityProvider !== null,
    password: sessionLimits.allowsLocalUsers !== false,
  }));
  if (identityProvider === null) return;
  const countStart = app.createRateLimit({
    max: STARTS_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: (request) => toClientNetwork(findClientAddress(request)),
  });

  /** Binds the sign-in to this browser: the reply of the provider is worth nothing in another one. */
  function setStateCookie(request: FastifyRequest, reply: FastifyReply, state: string, maxAge: number): void {
    const options = { httpOnly: true, sameSite: 'lax', path: START, secure: request.isSecure, maxAge } as const;
    reply.header('set-cookie', app.serializeCookie(COOKIE, state, options));
  }

  function fail(request: FastifyRequest, reply: FastifyReply, failure: Failure, error?: unknown): FastifyReply {
    // The messages of the library contain no secret.
    request.log.warn(
      { failure, ...(error instanceof Error ? { reason: error.message } : {}) },
      'sign-in with the identity provider failed',
    );
    return reply.redirect(`${PAGES.signIn}?failure=${failure}`, 303);
  }

  app.get(START, { config, schema: { hide: true, querystring: z.object({ to: storable(2000).default('/') }) } }, async (request, reply) => {
    const starts = await countStart(request);
    if (!starts.isAllowed && starts.isExceeded) return fail(request, reply, 'too-many');
    try {
      const { url, state, nonce, codeVerifier } = await identityProvider.buildRequest();
      const now = service.now();
      await insertProviderSignIn(db, state, { nonce, codeVerifier, returnTo: request.query.to, expiresAt: now + SIGN_IN_SECONDS }, now);
      setStateCookie(request, reply, state, SIGN_IN_SECONDS);
      return reply.redirect(url.href, 303);
    } catch (error) {
      return fail(request, reply, 'unavailable', error);
    }
  });

  // The provider decides what it sends.
  app.get(CALLBACK_PATH, { config: { ...config, anyParameters: true }, schema: { hide: true } }, async (request, reply) => {
    const cookies = app.parseCookie(request.headers.cookie ?? '');
    const state = cookies[COOKIE];
    const query = new URL(request.url, 'http://callback.invalid').search;
    setStateCookie(request, reply, '', 0);
    if (state === undefined || new URLSearchParams(query).get('state') !== state) return fail(request, reply, 'expired');
    const pending = await takeProviderSignIn(db, state, service.now());
    if (pending === null) return fail(request, reply, 'expired');
    const replied = await identityProvider.readReply(query, { state, ...pending }).catch((error: unknown) => {
      fail(request, reply, 'refused', error);
      return null;
    });
    if (replied === null) return reply;
    const client = clip(request.headers['user-agent'] ?? '', 200);
    const entered = await signInWithProvider(
      service,
      keyring,
      { ...replied, accessSeconds: identityProvider.accessSeconds },
      { client, absoluteSeconds: sessionLimits.absoluteSeconds },
    );
    if (entered.rightsChanged) keys.forget();
    if ('refused' in entered) return fail(request, reply, entered.refused);
    const before = request.sessionCookie;
    if (before !== undefined) await signOut(service, before);
    setSessionCookie(app, request, reply, entered.token, { sameSite: 'lax', maxAge: sessionLimits.absoluteSeconds });
    return reply.redirect(toOwnPath(pending.returnTo), 303);
  });
}
