import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db } from '../client.js';
import { users } from '../schema/index.js';
import { recordAudit } from './audit.js';

type User = typeof users.$inferSelect;

/** null: not a local user. */
export async function readTotp(db: Db, userUuid: string): Promise<Pick<User, 'totp' | 'totpPending' | 'email'> | null> {
  const { totp, totpPending, email } = users;
  const isLocal = and(eq(users.userUuid, userUuid), isNull(users.issuer));
  const [found] = await db.select({ totp, totpPending, email }).from(users).where(isLocal);
  return found ?? null;
}

export async function setPendingTotp(db: Db, userUuid: string, totpPending: NonNullable<User['totp']>): Promise<void> {
  await db.update(users).set({ totpPending }).where(eq(users.userUuid, userUuid));
}

/** False if the code of this time step, or of a later one, was used before. */
export async function takeTotpStep(db: Db, userUuid: string, totpStep: number): Promise<boolean> {
  const isNew = or(isNull(users.totpStep), lt(users.totpStep, totpStep));
  const used = await db
    .update(users)
    .set({ totpStep })
    .where(and(eq(users.userUuid, userUuid), isNew))
    .returning({ userUuid: users.userUuid });
  return used.length > 0;
}

/** null turns the second step off. */
export async function setTotp(db: Db, by: Principal, totp: User['totp']): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.update(users).set({ totp, totpPending: null }).where(eq(users.userUuid, by.uuid));
    const action = totp === null ? 'user.totp-disable' : 'user.totp-enable';
    await recordAudit(transaction, { by, organizationUuid: by.organizationUuid, action, target: by.uuid });
  });
}
