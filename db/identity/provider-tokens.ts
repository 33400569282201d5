import { and, eq, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { providerTokens, type SealedTotp, users } from '../schema/index.js';

/** One check at a time has the newest version of a token. */
export interface ProviderToken {
  readonly userUuid: string;
  readonly token: SealedTotp;
  readonly version: number;
  /** An earlier request with this token may have replaced it at the provider. */
  readonly wasUncertain: boolean;
}

/** The token of a sign-in, which ends the right of a running check to change the row. */
export async function saveProviderToken(
  transaction: Transaction,
  row: { readonly userUuid: string; readonly token: SealedTotp; readonly dueAt: number },
): Promise<void> {
  const { token, dueAt } = row;
  const next = { token, dueAt, isUncertain: false, version: sql`${providerTokens.version} + 1` };
  await transaction.insert(providerTokens).values(row).onConflictDoUpdate({ target: providerTokens.userUuid, set: next });
}

/** Takes the users whose check is due. Until `dueAt`, no other process takes them. */
export async function takeDueTokens(
  db: Db,
  { now, dueAt, limit }: { now: number; dueAt: number; limit: number },
): Promise<ProviderToken[]> {
  return db.execute<ProviderToken & Record<string, unknown>>(sql`
    with due as (
      select user_uuid, is_uncertain from provider_tokens where due_at <= to_timestamp(${now}) order by due_at limit ${limit}
      for update skip locked
    )
    update provider_tokens set due_at = to_timestamp(${dueAt}), version = version + 1, is_uncertain = true
    from due where provider_tokens.user_uuid = due.user_uuid
    returning provider_tokens.user_uuid as "userUuid", token, version, due.is_uncertain as "wasUncertain"`);
}

function isHeld({ userUuid, version }: Pick<ProviderToken, 'userUuid' | 'version'>) {
  return and(eq(providerTokens.userUuid, userUuid), eq(providerTokens.version, version));
}

/** False where a sign-in or another check came meanwhile: nothing changed. */
export async function updateProviderToken(
  db: Db | Transaction,
  held: Pick<ProviderToken, 'userUuid' | 'version'>,
  changes: { readonly token?: SealedTotp; readonly dueAt?: number; readonly isUncertain?: boolean },
): Promise<boolean> {
  const changed = await db.update(providerTokens).set(changes).where(isHeld(held)).returning({ userUuid: providerTokens.userUuid });
  return changed.length > 0;
}

/** False as above. */
export async function deleteProviderToken(transaction: Transaction, held: Pick<ProviderToken, 'userUuid' | 'version'>): Promise<boolean> {
  const deleted = await transaction.delete(providerTokens).where(isHeld(held)).returning({ userUuid: providerTokens.userUuid });
  return deleted.length > 0;
}

/** After this time the user must sign in again. */
export async function setAccessUntil(transaction: Transaction, userUuid: string, accessUntil: number): Promise<void> {
  await transaction.update(users).set({ accessUntil }).where(eq(users.userUuid, userUuid));
}

/** The active user of a provider, whose row stays locked. */
export async function lockUserOfProvider(transaction: Transaction, userUuid: string) {
  const { name, issuer, subject, accessUntil } = users;
  const isWanted = and(eq(users.userUuid, userUuid), sql`${users.deactivatedAt} is null`);
  const [found] = await transaction.select({ name, issuer, subject, accessUntil }).from(users).where(isWanted).for('update');
  return found ?? null;
}
