import { hash } from 'node:crypto';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Topic } from '../../db/changes.js';
import type { Database } from '../../db/client.js';
import { findByApiKey } from '../../db/identity/api-keys.js';
import { CREDENTIALS_CHANNEL, type KnownCredential } from '../../db/identity/credentials.js';
import { findBySession, isSessionToken, type SessionLimits } from '../../db/identity/user-sessions.js';
import type { Principal, Role } from '../../domain/identity/identity.js';
import type { Context } from '../../services/context.js';
import { withinTime } from './deadline.js';
import { Problem } from './problems.js';
import type { RefusedKeys } from './refused-keys.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The roles that may call the route; 'public' needs no key. Every route declares it. */
    readonly access?: readonly Role[] | 'public';
    /** The topics that a successful call changes. Every route that is not a GET declares it. */
    readonly changes?: readonly Topic[];
    /** The one other origin whose pages may call the route. */
    readonly callingOrigin?: string;
    /** A user who must set up two-factor authentication can call the route before that. */
    readonly allowsSetUp?: boolean;
    /** The handler limits its own waits, so the app sets no timer per request. */
    readonly boundsItself?: boolean;
  }
  interface FastifyRequest {
    principal: Principal;
    /** For the commands of services/: the principal, the database, Temporal and the clock. */
    readonly context: Context;
    /** The key that the API refused. */
    refusedKey: string;
    /** The organization of a change, if no id in the request leads to it. */
    changedIn?: string;
  }
}

const CACHE_TTL_MS = 30_000;
const CACHE_SIZE = 10_000;

/** Caches known keys and sessions, so that a request costs no query. Any process that ends one clears the cache of every process. */
export class KeyCache {
  #known = createCache();
  readonly #database: Database;
  readonly #sessionLimits: SessionLimits;
  readonly #listeners: (() => void)[] = [];

  constructor(database: Database, sessionLimits: SessionLimits) {
    this.#database = database;
    this.#sessionLimits = sessionLimits;
  }

  /** Calls the listener after any process ended a key or a session. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async listen(): Promise<void> {
    const forget = () => this.forget();
    await this.#database.pg.listen(CREDENTIALS_CHANNEL, forget, forget);
  }

  /** A revocation in this process takes effect without waiting for the notification. */
  forget(): void {
    this.#known = createCache();
    for (const listener of this.#listeners) listener();
  }

  /** Without those that may have got more time from a check at the identity provider. */
  cached(apiKey: string): KnownCredential | null {
    const known = this.#known.get(digest(apiKey)) ?? null;
    return known === null || needsSignIn(known) ? null : known;
  }

  async find(apiKey: string): Promise<KnownCredential | null> {
    // If the key is revoked during the query, the result goes into the discarded cache.
    const known = this.#known;
    const { db } = this.#database;
    const key = isSessionToken(apiKey) ? await findBySession(db, apiKey, this.#sessionLimits) : await findByApiKey(db, apiKey);
    if (!key) return null;
    known.set(digest(apiKey), key);
    return key;
  }
}

/** The principal of a key that is known and has not expired. */
export function usablePrincipal(known: KnownCredential | null): Principal | null {
  const expired = known?.expiresAt != null && known.expiresAt <= Date.now() / 1000;
  return known === null || expired || needsSignIn(known) ? null : known.principal;
}

function needsSignIn({ accessUntil }: KnownCredential): boolean {
  return accessUntil !== null && accessUntil <= Date.now() / 1000;
}

export const unusableKey = () => new Problem(401, 'This API key is unknown, expired or revoked. Ask an admin for a new one.');
const unconfirmed = () =>
  new Problem(
    401,
    'The identity provider must confirm this user again. Sign in to the dashboard. After that, API keys of the user work too.',
  );
const endedSession = () => new Problem(401, 'This session has ended. Sign in again.');

function createCache(): LRUCache<string, KnownCredential> {
  return new LRUCache({ max: CACHE_SIZE, ttl: CACHE_TTL_MS });
}

function digest(apiKey: string): string {
  return hash('sha256', apiKey, 'base64');
}

/** Requires a key and a role on every route that is not declared public. */
export async function registerAuthentication(
  app: FastifyInstance,
  { keys, refusedKeys, requestsPerMinute }: { keys: KeyCache; refusedKeys: RefusedKeys; requestsPerMinute: number },
): Promise<void> {
  await app.register(cookie, { hook: false });
  const countRequest = app.createRateLimit({
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => request.principal.uuid,
  });
  app.addHook('onReady', () => keys.listen());

  const authenticate = async (request: FastifyRequest): Promise<Principal> => {
    const credential = readBearer(request) ?? request.sessionCookie;
    if (credential === undefined)
      throw new Problem(401, 'Send your API key as `Cookie: Session=<API_KEY>` or as `Authorization: Bearer <API_KEY>`.');
    const known = keys.cached(credential) ?? (await withinTime(keys.find(credential)));
    const principal = usablePrincipal(known);
    if (principal !== null) return principal;
    const ended = isSessionToken(credential) ? endedSession() : unusableKey();
    throw await refusedKeys.refuse(request, 'api-key', credential, known !== null && needsSignIn(known) ? unconfirmed() : ended);
  };

  app.decorateRequest('principal');
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/platformapi') && route.config?.access === undefined)
      throw new Error(`${route.url} does not declare config.access`);
    if (route.url.startsWith('/platformapi') && !isSafe(route.method) && route.config?.changes === undefined)
      throw new Error(`${route.url} does not declare config.changes`);
  });
  app.addHook('onRequest', async (request) => {
    refuseForeignOrigin(request);
    const { access } = request.routeOptions.config;
    if (access === undefined || access === 'public') return;
    request.principal = await authenticate(request);
    if (request.principal.needsTwoFactor && !request.routeOptions.config.allowsSetUp)
      throw new Problem(403, 'Your organization requires two-factor authentication. Connect an authenticator app in the dashboard first.');
    if (!access.includes(request.principal.role)) {
      throw new Problem(403, `This operation needs the role ${access.join(' or ')}. This key has the role ${request.principal.role}.`);
    }
    refuseIfExceeded(await countRequest(request), 'This API key sent too many requests. Wait, then try again.');
  });
}

/** A session travels only as a cookie, which no script can read. */
function readBearer({ headers }: FastifyRequest): string | undefined {
  const [, apiKey] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return apiKey !== undefined && isSessionToken(apiKey) ? undefined : apiKey;
}

export function refuseIfExceeded(limit: { isAllowed: boolean; isExceeded?: boolean; ttlInSeconds?: number }, detail: string): void {
  if (limit.isExceeded) throw new Problem(429, detail, { retryAfterSeconds: Math.max(1, limit.ttlInSeconds ?? 1) });
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

function isSafe(method: string | readonly string[]): boolean {
  return [method].flat().every((each) => SAFE_METHODS.has(each));
}

/** The browser sends the key as a cookie, so a page of another site must not be able to use it. */
function refuseForeignOrigin(request: FastifyRequest): void {
  if (isSafe(request.method)) return;
  const { origin } = request.headers;
  if (origin !== undefined && origin === request.routeOptions.config.callingOrigin) return;
  const crossSite = request.headers['sec-fetch-site'] === 'cross-site';
  const foreign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== request.headers.host);
  if (crossSite || foreign)
    throw new Problem(
      403,
      'The API refuses changes that come from pages of other sites. Send the request from the dashboard or from a program.',
    );
}
