import { hash } from 'node:crypto';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../../db/client.js';
import { API_KEYS_CHANNEL, findByApiKey, type KnownKey } from '../../db/identity/api-keys.js';
import type { Principal, Role } from '../../domain/identity/identity.js';
import { withinTime } from './deadline.js';
import { Problem } from './problems.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which roles may call; 'public' needs no key. Every route says one or the other. */
    readonly access?: readonly Role[] | 'public';
    /** Bounds every wait of its own, and is spared the timer that each request would cost it. */
    readonly boundsItself?: boolean;
  }
  interface FastifyRequest {
    principal: Principal;
  }
}

const CACHE_TTL_MS = 30_000;
const CACHE_SIZE = 10_000;
const FAILED_ATTEMPTS_PER_MINUTE = 600;

/** What we know of keys, so that a request costs no query. Emptied whenever a key is revoked anywhere. */
export class KeyCache {
  #known = new Map<string, { key: KnownKey; until: number }>();
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async listen(): Promise<void> {
    const forget = () => this.forget();
    await this.#database.sql.listen(API_KEYS_CHANNEL, forget, forget);
  }

  /** Whoever revokes a key here need not wait for the notification. */
  forget(): void {
    this.#known = new Map();
  }

  cached(apiKey: string): KnownKey | null {
    const entry = this.#known.get(digest(apiKey));
    return entry && entry.until > Date.now() ? entry.key : null;
  }

  async find(apiKey: string): Promise<KnownKey | null> {
    // A key that is revoked while we look it up goes into the memory that was thrown away meanwhile.
    const known = this.#known;
    const key = await findByApiKey(this.#database.db, apiKey);
    if (!key) return null;
    if (known.size >= CACHE_SIZE) known.clear();
    known.set(digest(apiKey), { key, until: Date.now() + CACHE_TTL_MS });
    return key;
  }
}

function digest(apiKey: string): string {
  return hash('sha256', apiKey, 'base64');
}

/** Every route is behind a key and a role unless it says that it is public. */
export async function registerAuthentication(app: FastifyInstance, keys: KeyCache, requestsPerMinute: number): Promise<void> {
  await app.register(cookie, { hook: false });
  await app.register(rateLimit, { global: false });
  const countFailure = app.createRateLimit({ max: FAILED_ATTEMPTS_PER_MINUTE, timeWindow: 60_000, keyGenerator: (request) => request.ip });
  const countRequest = app.createRateLimit({
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => request.principal.uuid,
  });
  app.addHook('onReady', () => keys.listen());

  const authenticate = async (request: FastifyRequest): Promise<Principal> => {
    const apiKey = app.parseCookie(request.headers.cookie ?? '')['Session'];
    if (apiKey === undefined) throw new Problem(401, 'Send your API key as `Cookie: Session=<API_KEY>`.');
    let known = keys.cached(apiKey);
    if (!known) {
      refuseIfExceeded(await countFailure(request, { increment: false }), 'Too many requests with unknown keys.');
      known = await withinTime(keys.find(apiKey));
      if (!known) await countFailure(request);
    }
    const expired = known?.expiresAt != null && known.expiresAt <= Date.now() / 1000;
    if (!known || expired) throw new Problem(401, 'This API key is unknown, expired or revoked. Ask an admin for a new one.');
    return known.principal;
  };

  app.decorateRequest('principal');
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/platformapi') && route.config?.access === undefined)
      throw new Error(`${route.url} does not say who may call it`);
  });
  app.addHook('onRequest', async (request) => {
    refuseForeignOrigin(request);
    const { access } = request.routeOptions.config;
    if (access === undefined || access === 'public') return;
    request.principal = await authenticate(request);
    if (!access.includes(request.principal.role)) {
      throw new Problem(403, `This needs the role ${access.join(' or ')}; this key has the role ${request.principal.role}.`);
    }
    refuseIfExceeded(await countRequest(request), 'This key has sent too many requests.');
  });
}

function refuseIfExceeded(limit: { isAllowed: boolean; isExceeded?: boolean; ttlInSeconds?: number }, detail: string): void {
  if (limit.isExceeded) throw new Problem(429, detail, { retryAfterSeconds: Math.max(1, limit.ttlInSeconds ?? 1) });
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The key is a cookie: a page elsewhere must not be able to spend it. */
function refuseForeignOrigin(request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin } = request.headers;
  const crossSite = request.headers['sec-fetch-site'] === 'cross-site';
  const foreign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== request.headers.host);
  if (crossSite || foreign)
    throw new Problem(403, 'Requests that change something are taken from our own pages and from programs, not from other sites.');
}

/** An admin of one organization cannot change what all of them share. */
export function requireAllOrganizations(principal: Principal): void {
  if (principal.organizationUuid !== null) throw new Problem(403, 'This needs an admin key for all organizations.');
}
