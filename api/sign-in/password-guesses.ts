import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { FindClientAddress } from '../http/client-address.js';
import { Problem } from '../http/problems.js';

const WINDOW_MS = 60_000;
/** Wrong passwords per minute for one user: from one address, and from all. */
const MAX_FROM_ADDRESS = 10;
const MAX_FROM_ALL = 100;

/**
 * Refuses further passwords for a user after too many wrong ones, before a hash is computed. Failures for other users never count, so
 * that an address with many people behind it stays usable.
 */
export class PasswordGuesses {
  readonly #failures = new LRUCache<string, number>({ max: 100_000, ttl: WINDOW_MS });
  readonly #findClientAddress: FindClientAddress;

  constructor(findClientAddress: FindClientAddress) {
    this.#findClientAddress = findClientAddress;
  }

  requireFewFailures(request: FastifyRequest, email: string): void {
    const limits = this.#listLimits(request, email);
    const [exceeded] = limits.filter(([place, max]) => (this.#failures.get(place) ?? 0) >= max);
    if (!exceeded) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(this.#failures.getRemainingTTL(exceeded[0]) / 1000));
    throw new Problem(429, 'Too many wrong passwords for this user. Wait, then try again.', { retryAfterSeconds });
  }

  count(request: FastifyRequest, email: string): void {
    for (const [place] of this.#listLimits(request, email)) {
      const ttl = this.#failures.getRemainingTTL(place);
      this.#failures.set(place, (this.#failures.get(place) ?? 0) + 1, { ttl: ttl > 0 ? ttl : WINDOW_MS });
    }
  }

  #listLimits(request: FastifyRequest, email: string): [string, number][] {
    const user = email.toLowerCase();
    return [
      [`${user} ${this.#findClientAddress(request)}`, MAX_FROM_ADDRESS],
      [user, MAX_FROM_ALL],
    ];
  }
}
