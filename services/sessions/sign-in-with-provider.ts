import { recordAudit } from '../../db/identity/audit.js';
import { readMappedClaims } from '../../db/identity/claim-mappings.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { deleteMemberships, listUserMemberships, saveMembership } from '../../db/identity/memberships.js';
import { lockProviderUser } from '../../db/identity/provider-users.js';
import { grantRoles, type ProviderClaims } from '../../domain/identity/claims.js';
import type { Principal, Role } from '../../domain/identity/identity.js';
import { clip, toLine } from '../../domain/text.js';
import { type Inside, inTransaction, type WorkContext } from '../context.js';
import { addUser, NameTaken } from '../users/add-user.js';
import { endAccess } from '../users/end-access.js';
import { type NewSession, startSession } from './start.js';

/** `no-role`: no claim gives the user a role. The change of the memberships stays in that case too. */
export type ProviderSignIn = ({ readonly token: string } | { readonly refused: 'no-role' | 'deactivated' }) & {
  /** Whether credentials that a process caches have other rights now. */
  readonly rightsChanged: boolean;
};

/** Creates the account at the first sign-in, and sets the memberships from the claims at each one. */
export function signInWithProvider(context: WorkContext, claims: ProviderClaims, session: NewSession): Promise<ProviderSignIn> {
  return inTransaction(context, async (inside) => {
    const { db } = inside;
    const known = await lockProviderUser(db, claims);
    const roles = grantRoles(claims, await readMappedClaims(db));
    if (known !== null && known.deactivatedAt !== null) return { refused: 'deactivated', rightsChanged: false };
    if (known === null && roles.size === 0) return { refused: 'no-role', rightsChanged: false };
    const user = known === null ? await createProviderUser(inside, claims) : { uuid: known.userUuid, name: known.name };
    const userUuid = user.uuid;
    const rightsChanged = await setMemberships(inside, user, roles);
    const isMember = (await listUserMemberships(db, userUuid)).length > 0;
    return isMember ? { token: await startSession(inside, userUuid, session), rightsChanged } : { refused: 'no-role', rightsChanged };
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

/** A role that the claims no longer give ends, also for open sessions and keys of the user. Returns whether a role changed. */
async function setMemberships(inside: Inside<WorkContext>, user: Holder, roles: ReadonlyMap<string | null, Role>): Promise<boolean> {
  const { db } = inside;
  const { uuid: userUuid } = user;
  const held = (await listUserMemberships(db, userUuid)).filter(({ fromClaims }) => fromClaims);
  const ended = held.filter(({ organizationUuid }) => !roles.has(organizationUuid)).map(({ membershipUuid }) => membershipUuid);
  if (ended.length > 0) await deleteMemberships(db, ended);
  for (const [organizationUuid, role] of roles) await saveMembership(db, { userUuid, organizationUuid, role, fromClaims: true });
  const isChanged = ended.length > 0 || held.some(({ organizationUuid, role }) => roles.get(organizationUuid) !== role);
  if (isChanged) await announceEnd(db);
  const before = new Map(held.map(({ organizationUuid, role }) => [organizationUuid, role]));
  for (const organizationUuid of new Set([...before.keys(), ...roles.keys()])) {
    const details = { role_before: before.get(organizationUuid) ?? null, role: roles.get(organizationUuid) ?? null };
    if (details.role_before === details.role) continue;
    await recordAudit(db, { by: user, organizationUuid, action: 'user.role-by-claims', target: userUuid, details });
  }
  if (isChanged) await endAccess(inside, userUuid, 'claims');
  return isChanged;
}
