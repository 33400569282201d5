import { hash, verify } from '@node-rs/argon2';
import { CommandError } from '../errors.js';

/** argon2id with the defaults of the library, which follow OWASP: 19 MiB, two passes. */
const MAX_WAITING = 50;
let waiting = 0;

/** Each hash needs memory and a thread, so that guesses must not pile up. */
async function inLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting >= MAX_WAITING)
    throw new CommandError('too-many', 'Too many people sign in at this moment. Try again.', { retryAfterSeconds: 2 });
  waiting += 1;
  try {
    return await work();
  } finally {
    waiting -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return inLimit(() => hash(password));
}

let decoy: Promise<string> | null = null;

/** Takes the same time for an unknown user (null), so that the time does not reveal who has an account. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hash('no password');
  const compared = passwordHash ?? (await decoy);
  const matches = await inLimit(() => verify(compared, password));
  return matches && passwordHash !== null;
}
