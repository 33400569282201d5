import { LRUCache } from 'lru-cache';
import { recordForUser } from '../audit/record-for-user.js';
import { inTransaction, type WorkContext } from '../context.js';

interface Refused {
  readonly userUuid: string;
  readonly reason: 'password' | 'code' | 'too-many-codes';
  /** The address of the client, where it is known. */
  readonly address?: string;
}

/** Guesses must not fill the audit log. */
const ONE_ENTRY_IN_MS = 60_000;
const recorded = new LRUCache<string, true>({ max: 10_000, ttl: ONE_ENTRY_IN_MS });

/** Notes a failed sign-in of a user, at most once a minute for each reason. Sign-ins of unknown users have no entry. */
export async function recordRefusal(context: WorkContext, { userUuid, reason, address }: Refused): Promise<void> {
  const key = `${userUuid} ${reason}`;
  if (recorded.has(key)) return;
  recorded.set(key, true);
  const details = { reason, ...(address === undefined ? {} : { address }) };
  await inTransaction(context, ({ db }) => recordForUser(db, userUuid, { by: null, action: 'session.refuse', details }));
}
