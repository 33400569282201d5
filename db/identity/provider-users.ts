import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { grantRoles } from '../../domain/identity/claims.js';
import type { Role } from '../../domain/identity/identity.js';
import { clip } from '../../domain/text.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { memberships, providerSignIns, users } from '../schema/index.js';
import { hashToken } from '../tokens.js';
import { recordAudit } from './audit.js';
import { readMappedClaims } from './claim-mappings.js';
import { announceEnd } from './credentials.js';
import { startSession } from './user-sessions.js';
import { addMembership, createUser, NameTaken } from './users.js';

/** The person must return from the provider within this time. */
const SIGN_IN_SECONDS = 600;

interface PendingSignIn {
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
}

export async function beginProviderSignIn(db: Db, state: string, pending: PendingSignIn): Promise<void> {
  const now = nowSeconds();
  await db.delete(providerSignIns).where(lt(providerSignIns.expiresAt, now));
  await db.insert(providerSignIns).values({ stateHash: hashToken(state), ...pending, expiresAt: now + SIGN_IN_SECONDS });
}

/** Only the first reply of the provider finds its sign-in. */
export async function takeProviderSignIn(db: Db, state: string): Promise<PendingSignIn | null> {
  const isWanted = and(eq(providerSignIns.stateHash, hashToken(state)), gt(providerSignIns.expiresAt, nowSeconds()));
  const [taken] = await db.delete(providerSignIns).where(isWanted).returning();
  return taken ?? null;
}

/** The verified claims of an ID token. */
export interface ProviderClaims extends Readonly<Record<string, unknown>> {
  readonly iss: string;
  readonly sub: string;
}

/** `no-role`: no claim gives the user a role. */
export type ProviderSignIn = { readonly token: string } | { readonly refused: 'no-role' | 'deactivated' };

/** Creates the account at the first sign-in, and sets the memberships from the claims at each one. */
export async function enterFromProvider(
  db: Db,
  claims: ProviderClaims,
  session: { client: string; absoluteSeconds: number },
): Promise<ProviderSignIn> {
  return db.transaction(async (transaction) => {
    // Two first sign-ins of one person at the same moment create one account.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`user ${claims.iss} ${claims.sub}`}, 0))`);
    const roles = grantRoles(claims, await readMappedClaims(transaction));
    const isWanted = and(eq(users.issuer, claims.iss), eq(users.subject, claims.sub));
    const [known] = await transaction.select({ userUuid: users.userUuid, deactivatedAt: users.deactivatedAt }).from(users).where(isWanted);
    if (known != null && known.deactivatedAt !== null) return { refused: 'deactivated' };
    if (known === undefined && roles.size === 0) return { refused: 'no-role' };
    const userUuid = known?.userUuid ?? (await createProviderUser(transaction, claims));
    await setMemberships(transaction, userUuid, roles);
    const [member] = await transaction
      .select({ role: memberships.role })
      .from(memberships)
      .where(eq(memberships.userUuid, userUuid))
      .limit(1);
    return member ? { token: await startSession(transaction, userUuid, session) } : { refused: 'no-role' };
  });
}

async function createProviderUser(transaction: Transaction, claims: ProviderClaims): Promise<string> {
  const readText = (name: string) => {
    const value = claims[name];
    return typeof value === 'string' && value.trim() !== '' ? clip(value.trim(), 100) : null;
  };
  const email = readText('email');
  const name = readText('name') ?? readText('preferred_username') ?? email ?? clip(claims.sub, 100);
  const provider = { issuer: claims.iss, subject: claims.sub };
  // Another person with the same name has it already.
  for (const unique of [name, `${name} (${email ?? clip(claims.sub, 100)})`, `${name} (${claims.sub})`]) {
    try {
      const userUuid = await createUser(transaction, { name: unique, email, passwordHash: null, provider });
      const by = { uuid: userUuid, name: unique };
      await recordAudit(transaction, {
        by,
        organizationUuid: null,
        action: 'user.join',
        target: userUuid,
        details: { issuer: claims.iss },
      });
      return userUuid;
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error;
    }
  }
  throw new Error('The name of the user is taken in every spelling.');
}

/** A role that the claims no longer give ends, also for open sessions and keys of the user. */
async function setMemberships(transaction: Transaction, userUuid: string, roles: ReadonlyMap<string | null, Role>): Promise<void> {
  const isFromClaims = and(eq(memberships.userUuid, userUuid), memberships.fromClaims);
  const held = await transaction.select().from(memberships).where(isFromClaims);
  const ended = held.filter(({ organizationUuid }) => !roles.has(organizationUuid)).map(({ membershipUuid }) => membershipUuid);
  if (ended.length > 0) await transaction.delete(memberships).where(inArray(memberships.membershipUuid, ended));
  for (const [organizationUuid, role] of roles) await addMembership(transaction, userUuid, { organizationUuid, role, fromClaims: true });
  const isChanged = ended.length > 0 || held.some(({ organizationUuid, role }) => roles.get(organizationUuid) !== role);
  if (isChanged) await announceEnd(transaction);
}
