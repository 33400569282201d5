import { and, eq, isNull, lt, or } from 'drizzle-orm';
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

/** null turns two-factor authentication off. */
export async function setTotp(transaction: Transaction, userUuid: string, totp: User['totp']): Promise<void> {
  await transaction.update(users).set({ totp, totpPending: null }).where(eq(users.userUuid, userUuid));
}
