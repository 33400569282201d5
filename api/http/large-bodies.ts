import type { FastifyReply, FastifyRequest } from 'fastify';
import { LARGE_BYTES } from '../../platform/run-serially.js';
import { Problem } from './problems.js';

interface Place {
  isWorking: boolean;
  release(): void;
}

/** Bounds the bytes of large bodies that the process holds at the same time, for each owner and in total. */
export class LargeBodies {
  readonly #limits: { readonly owner: number; readonly total: number };
  readonly #owned = new Map<string, number>();
  readonly #places = new WeakMap<FastifyRequest, Place>();
  #total = 0;

  constructor(limits: { owner: number; total: number }) {
    this.#limits = limits;
  }

  /** Before the body is read. A small body always has a place. */
  reserve(request: FastifyRequest, reply: FastifyReply, owner: string, bytes: number): void {
    if (bytes <= LARGE_BYTES) return;
    const owned = this.#owned.get(owner) ?? 0;
    if (owned + bytes > this.#limits.owner)
      throw new Problem(429, 'You sent too many large requests at the same time. Wait for the end of the others, then try again.', {
        retryAfterSeconds: 1,
      });
    if (this.#total + bytes > this.#limits.total)
      throw new Problem(503, 'The service works on as many large requests as it can hold. Try again shortly.', { retryAfterSeconds: 2 });
    this.#add(owner, bytes);
    let isReleased = false;
    const place: Place = {
      isWorking: false,
      release: () => {
        if (!isReleased) this.#add(owner, -bytes);
        isReleased = true;
      },
    };
    this.#places.set(request, place);
    reply.raw.once('close', () => {
      if (!place.isWorking) place.release();
    });
  }

  /** The work keeps the place of its request, also after the client has gone. */
  async during<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
    const place = this.#places.get(request);
    if (place !== undefined) place.isWorking = true;
    try {
      return await work();
    } finally {
      place?.release();
    }
  }

  #add(owner: string, bytes: number): void {
    this.#total += bytes;
    const owned = (this.#owned.get(owner) ?? 0) + bytes;
    if (owned > 0) this.#owned.set(owner, owned);
    else this.#owned.delete(owner);
  }
}

/** The length that the client declares; without one the largest that the route accepts. */
export function expectedBytes({ headers }: FastifyRequest, maxBytes: number): number {
  return Math.min(Number(headers['content-length'] ?? maxBytes), maxBytes);
}
