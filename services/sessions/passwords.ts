import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { CommandError } from '../errors.js';

/** `known`: the caller has proved something already, with a session, an invitation or a browser in which they signed in before. */
export type Caller = 'known' | 'stranger';

/**
 * argon2id with the defaults of the library, which follow OWASP: 19 MiB, two passes. A hash runs on a thread of libuv. At most two of
 * its four threads and at most all cores but one compute hashes, so that other requests keep their speed.
 */
const MAX_RUNNING = Math.max(1, Math.min(2, availableParallelism() - 1));
/** A hash takes about 30 ms, so that the last one begins within two seconds. */
const MAX_WAITING = 40;
const waiting: Record<Caller, (() => void)[]> = { known: [], stranger: [] };
let running = 0;

/** Known callers have a queue of their own, which goes first. */
async function inQueue<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> {
  if (running < MAX_RUNNING) running += 1;
  else {
    if (waiting[caller].length >= MAX_WAITING)
      throw new CommandError('too-many', 'Too many people sign in at this moment. Try again.', { retryAfterSeconds: 2 });
    await new Promise<void>((begin) => waiting[caller].push(begin));
  }
  try {
    return await work();
  } finally {
    // The next one takes over the place.
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

export function hashPassword(password: string): Promise<string> {
  return inQueue('known', () => hash(password));
}

let decoy: Promise<string> | null = null;

/** Takes the same time for an unknown user (null), so that the time does not reveal who has an account. */
export async function isPassword(password: string, passwordHash: string | null, caller: Caller): Promise<boolean> {
  decoy ??= hash('no password');
  const compared = passwordHash ?? (await decoy);
  const matches = await inQueue(caller, () => verify(compared, password));
  return matches && passwordHash !== null;
}
