import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { ProviderClaims } from '../../domain/identity/claims.js';
import type { Db, Transaction } from '../client.js';
import { providerSignIns, users } from '../schema/index.js';
import { hashToken } from '../tokens.js';

type PendingSignIn = Pick<typeof providerSignIns.$inferSelect, 'nonce' | 'codeVerifier' | 'returnTo'>;

/** Also deletes the sign-ins that no reply came for. */
export async function insertProviderSignIn(
  db: Db,
  state: string,
  pending: PendingSignIn & { expiresAt: number },
  now: number,
): Promise<void> {
  await db.delete(providerSignIns).where(lt(providerSignIns.expiresAt, now));
  await db.insert(providerSignIns).values({ stateHash: hashToken(state), ...pending });
}

/** Only the first reply of the provider finds its sign-in. */
export async function takeProviderSignIn(db: Db, state: string, now: number): Promise<PendingSignIn | null> {
  const isWanted = and(eq(providerSignIns.stateHash, hashToken(state)), gt(providerSignIns.expiresAt, now));
  const [taken] = await db.delete(providerSignIns).where(isWanted).returning();
  return taken ?? null;
}

/** Two first sign-ins of one person at the same moment see each other. */
export async function lockProviderUser(transaction: Transaction, { iss, sub }: Pick<ProviderClaims, 'iss' | 'sub'>) {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`user ${iss} ${sub}`}, 0))`);
  const [known] = await transaction
    .select({ userUuid: users.userUuid, name: users.name, deactivatedAt: users.deactivatedAt, accessUntil: users.accessUntil })
    .from(users)
    .where(and(eq(users.issuer, iss), eq(users.subject, sub)));
  return known ?? null;
}
