import { recordAudit } from '../../db/identity/audit.js';
import { readMappedClaims } from '../../db/identity/claim-mappings.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { listUserMemberships } from '../../db/identity/memberships.js';
import { saveProviderToken, setAccessUntil } from '../../db/identity/provider-tokens.js';
import { lockProviderUser } from '../../db/identity/provider-users.js';
import { grantRoles, type ProviderClaims } from '../../domain/identity/claims.js';
import type { Principal } from '../../domain/identity/identity.js';
import { clip, toLine } from '../../domain/text.js';
import { type Keyring, refreshTokenPlace } from '../../platform/keyring.js';
import { type Inside, inTransaction, type WorkContext } from '../context.js';
import { addUser, NameTaken } from '../users/add-user.js';
import { CHECK_EVERY_SECONDS } from '../users/check-provider-user.js';
import { setRolesFromClaims } from '../users/set-roles-from-claims.js';
import { type NewSession, startSession } from './start.js';

/** `no-role`: no claim gives the user a role. The change of the memberships stays in that case too. */
export type ProviderSignIn = ({ readonly token: string } | { readonly refused: 'no-role' | 'deactivated' }) & {
  /** Whether credentials that a process caches have other rights now. */
  readonly rightsChanged: boolean;
};

interface ProviderReply {
  readonly claims: ProviderClaims;
  /** null: the provider gave none, so the user must sign in again before `accessSeconds` have passed. */
  readonly refreshToken: string | null;
  readonly accessSeconds: number;
}

/** Creates the account at the first sign-in, and sets the memberships from the claims at each one. */
export function signInWithProvider(
  context: WorkContext,
  keyring: Keyring,
  { claims, refreshToken, accessSeconds }: ProviderReply,
  session: NewSession,
): Promise<ProviderSignIn> {
  return inTransaction(context, async (inside) => {
    const { db, now } = inside;
    const known = await lockProviderUser(db, claims);
    const roles = grantRoles(claims, await readMappedClaims(db));
    if (known !== null && known.deactivatedAt !== null) return { refused: 'deactivated', rightsChanged: false };
    if (known === null && roles.size === 0) return { refused: 'no-role', rightsChanged: false };
    const user = known === null ? await createProviderUser(inside, claims) : { uuid: known.userUuid, name: known.name };
    const userUuid = user.uuid;
    const hadEnded = known !== null && known.accessUntil !== null && known.accessUntil <= now();
    const isChanged = await setRolesFromClaims(inside, { userUuid, by: user }, roles);
    await setAccessUntil(db, userUuid, now() + accessSeconds);
    if (hadEnded) await announceEnd(db);
    const rightsChanged = isChanged || hadEnded;
    const isMember = (await listUserMemberships(db, userUuid)).length > 0;
    if (!isMember) return { refused: 'no-role', rightsChanged };
    if (refreshToken !== null) {
      const token = keyring.seal(refreshToken, refreshTokenPlace(userUuid));
      await saveProviderToken(db, { userUuid, token, dueAt: now() + CHECK_EVERY_SECONDS });
    }
    return { token: await startSession(inside, userUuid, session), rightsChanged };
  });
}

type Holder = Pick<Principal, 'uuid' | 'name'>;

async function createProviderUser(inside: Inside<WorkContext>, claims: ProviderClaims): Promise<Holder> {
  const readText = (name: string) => {
    const value = claims[name];
    const line = typeof value === 'string' ? clip(toLine(value), 100) : '';
    return line === '' ? null : line;
  };
  const email = readText('email');
  const name = readText('name') ?? readText('preferred_username') ?? email ?? clip(toLine(claims.sub), 100);
  const provider = { issuer: claims.iss, subject: claims.sub };
  // Another person with the same name has it already.
  for (const unique of [name, `${name} (${email ?? clip(claims.sub, 100)})`, `${name} (${claims.sub})`]) {
    try {
      const userUuid = await addUser(inside, { name: unique, email, passwordHash: null, provider, organizationUuid: null });
      const entry = { by: { uuid: userUuid, name: unique }, organizationUuid: null, action: 'user.join', target: userUuid };
      await recordAudit(inside.db, { ...entry, details: { issuer: claims.iss } });
      return entry.by;
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error;
    }
  }
  throw new Error('The name of the user is taken in every spelling.');
}
