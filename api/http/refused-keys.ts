import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import type { CommandError } from '../../services/errors.js';
import { type FindClientAddress, toClientNetwork } from './client-address.js';
import { fromCommand, Problem } from './problems.js';

/** Where the API received the key, with the refusals per minute after which the reply is 429. */
const PER_MINUTE = { 'api-key': 600, 'sign-in': 20, 'agent-token': 600, 'credential-link': 20 } as const;
export type KeyUse = keyof typeof PER_MINUTE;

const MINUTE_MS = 60_000;
/** Enough to tell clients apart, and too little to use. */
const PREFIX_LENGTH = 8;

/**
 * Counts, logs and throttles keys that the API refuses, by address and by the start of the key. Callers look up the key first: a valid
 * key is never refused because of other clients behind the same address.
 */
export class RefusedKeys {
  readonly #limits: Record<KeyUse, ReturnType<typeof createLimits>>;
  readonly #deps: { readonly log: Logger; readonly metrics: Metrics; readonly findClientAddress: FindClientAddress };
  #lastLogged = Number.NEGATIVE_INFINITY;
  #notLogged = 0;

  constructor(
    app: FastifyInstance,
    deps: { readonly log: Logger; readonly metrics: Metrics; readonly findClientAddress: FindClientAddress },
  ) {
    this.#deps = deps;
    const createLimitsFor = (use: KeyUse) => createLimits(app, PER_MINUTE[use], deps.findClientAddress);
    this.#limits = {
      'api-key': createLimitsFor('api-key'),
      'sign-in': createLimitsFor('sign-in'),
      'agent-token': createLimitsFor('agent-token'),
      'credential-link': createLimitsFor('credential-link'),
    };
  }

  /** Returns the problem to throw: the given one, or 429 after too many refusals. `key` is null if the request has none. */
  async refuse(request: FastifyRequest, use: KeyUse, key: string | null, problem: Problem | CommandError): Promise<Problem> {
    const { byAddress, byPrefix } = this.#limits[use];
    const limits = [await byAddress(request)];
    if (key !== null) {
      request.refusedKey = key;
      limits.push(await byPrefix(request));
    }
    const throttled = limits.filter((limit) => !limit.isAllowed).find((limit) => limit.isExceeded) ?? null;
    this.#deps.metrics.refusedKeys.inc({ use, throttled: String(throttled !== null) });
    this.#log(request, use);
    if (throttled === null) return problem instanceof Problem ? problem : fromCommand(problem);
    return new Problem(429, 'Too many unknown keys came from this address, or began like this one. Wait, then send a valid key.', {
      retryAfterSeconds: Math.max(1, throttled.ttlInSeconds),
    });
  }

  /** One line per minute, because an attacker must not be able to fill the log. */
  #log(request: FastifyRequest, use: KeyUse): void {
    if (performance.now() - this.#lastLogged < MINUTE_MS) {
      this.#notLogged += 1;
      return;
    }
    const address = this.#deps.findClientAddress(request);
    this.#deps.log.warn({ use, address, refusedSinceLastLine: this.#notLogged }, 'refused an unknown, expired or revoked key');
    this.#lastLogged = performance.now();
    this.#notLogged = 0;
  }
}

function createLimits(app: FastifyInstance, max: number, findClientAddress: FindClientAddress) {
  const options = { max, timeWindow: MINUTE_MS };
  return {
    byAddress: app.createRateLimit({ ...options, keyGenerator: (request) => toClientNetwork(findClientAddress(request)) }),
    byPrefix: app.createRateLimit({ ...options, keyGenerator: ({ refusedKey }) => refusedKey.slice(0, PREFIX_LENGTH) }),
  };
}
