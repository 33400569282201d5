import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { users } from '../schema/index.js';

type User = typeof users.$inferSelect;

/** null: not a local user. */
export async function readTotp(db: Db | Transaction, userUuid: string): Promise<Pick<User, 'totp' | 'totpPending' | 'email'> | null> {
  const { totp, totpPending, email } = users;
  const isLocal = and(eq(users.userUuid, userUuid), isNull(users.issuer));
  const [found] = await db.select({ totp, totpPending, email }).from(users).where(isLocal);
  return found ?? null;
}

export async function setPendingTotp(db: Db | Transaction, userUuid: string, totpPending: NonNullable<User['totp']>): Promise<void> {
  await db.update(users).set({ totpPending }).where(eq(users.userUuid, userUuid));
}

/** False if the code of this time step, or of a later one, was used before. */
export async function takeTotpStep(db: Db | Transaction, userUuid: string, totpStep: number): Promise<boolean> {
  const isNew = or(isNull(users.totpStep), lt(users.totpStep, totpStep));
  const used = await db
    .update(users)
    .set({ totpStep })
    .where(and(eq(users.userUuid, userUuid), isNew))
    .returning({ userUuid: users.userUuid });
  return used.length > 0;
}

/** Counts a code in the statement that checks the limit. null: it may be checked. Otherwise the seconds until the next one may. */
export async function takeCodeGuess(
  db: Db | Transaction,
  userUuid: string,
  max: { count: number; seconds: number },
  now: number,
): Promise<number | null> {
  const begins = new Date((now - max.seconds) * 1000).toISOString();
  const isCurrent = sql`coalesce(${users.codeGuessesSince} > ${begins}::timestamptz, false)`;
  const isAllowed = sql`(not ${isCurrent} or ${users.codeGuesses} < ${max.count})`;
  const taken = await db
    .update(users)
    .set({
      codeGuesses: sql`case when ${isCurrent} then ${users.codeGuesses} + 1 else 1 end`,
      codeGuessesSince: sql`case when ${isCurrent} then ${users.codeGuessesSince} else ${new Date(now * 1000).toISOString()}::timestamptz end`,
    })
    .where(and(eq(users.userUuid, userUuid), isAllowed))
    .returning({ userUuid: users.userUuid });
  if (taken.length > 0) return null;
  const [found] = await db.select({ since: users.codeGuessesSince }).from(users).where(eq(users.userUuid, userUuid));
  return Math.max(1, (found?.since ?? now) + max.seconds - now);
}

export async function forgetCodeGuesses(db: Db | Transaction, userUuid: string): Promise<void> {
  await db.update(users).set({ codeGuesses: 0, codeGuessesSince: null }).where(eq(users.userUuid, userUuid));
}

/** null turns two-factor authentication off. */
export async function setTotp(transaction: Transaction, userUuid: string, totp: User['totp']): Promise<void> {
  await transaction.update(users).set({ totp, totpPending: null }).where(eq(users.userUuid, userUuid));
}
