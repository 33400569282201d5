import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type FindClientAddress, toClientNetwork } from '../http/client-address.js';
import { Problem } from '../http/problems.js';

const WINDOW_MS = 60_000;
/** Passwords a minute, except right ones: for one user from one address or known browser, for one user, and from one address. */
const MAX = { userFromPlace: 10, user: 100, address: 60 };
/** Passwords of one address that wait for their hash at the same time. */
const MAX_WAITING = 10;

/** A password that counts as wrong until its end. */
export interface Attempt {
  /** The password was right, or was not checked. */
  takeBack(): void;
  end(): void;
}

/**
 * Counts each password before its hash is computed, so that parallel ones pass no limit. A browser in which the user signed in before
 * has limits of its own: the guesses of strangers do not lock that person out.
 */
export class PasswordGuesses {
  readonly #counted = new LRUCache<string, number>({ max: 100_000, ttl: WINDOW_MS });
  readonly #waiting = new Map<string, number>();
  readonly #findClientAddress: FindClientAddress;

  constructor(findClientAddress: FindClientAddress) {
    this.#findClientAddress = findClientAddress;
  }

  /** `browser`: the id of a browser in which the user signed in before. Throws the problem of an exceeded limit. */
  admit(request: FastifyRequest, account: string, browser: string | null = null): Attempt {
    const user = account.toLowerCase();
    const address = toClientNetwork(this.#findClientAddress(request));
    const limits: [string, number][] =
      browser === null
        ? [
            [`user ${user} from ${address}`, MAX.userFromPlace],
            [`user ${user}`, MAX.user],
            [`address ${address}`, MAX.address],
          ]
        : [[`user ${user} in ${browser}`, MAX.userFromPlace]];
    const exceeded = limits.find(([place, max]) => (this.#counted.get(place) ?? 0) >= max);
    if (exceeded) {
      const what = exceeded[0].startsWith('address') ? 'from this address' : 'for this user';
      const retryAfterSeconds = Math.max(1, Math.ceil(this.#counted.getRemainingTTL(exceeded[0]) / 1000));
      throw new Problem(429, `Too many wrong passwords ${what}. Wait, then try again.`, { retryAfterSeconds });
    }
    const waitingPlace = browser ?? address;
    if ((this.#waiting.get(waitingPlace) ?? 0) >= MAX_WAITING)
      throw new Problem(429, 'Too many sign-ins from this address wait. Try again.', { retryAfterSeconds: 1 });
    this.#add(this.#waiting, waitingPlace, 1);
    const places = limits.map(([place]) => place);
    for (const place of places) this.#count(place, 1);
    return {
      takeBack: () => {
        for (const place of places.splice(0)) this.#count(place, -1);
      },
      end: () => this.#add(this.#waiting, waitingPlace, -1),
    };
  }

  /** The window begins with the first count. */
  #count(place: string, change: number): void {
    const ttl = this.#counted.getRemainingTTL(place);
    const count = Math.max(0, (this.#counted.get(place) ?? 0) + change);
    this.#counted.set(place, count, { ttl: ttl > 0 ? ttl : WINDOW_MS });
  }

  #add(counts: Map<string, number>, place: string, change: number): void {
    const count = (counts.get(place) ?? 0) + change;
    if (count > 0) counts.set(place, count);
    else counts.delete(place);
  }
}
