import { recordAudit } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import { deleteMemberships, listUserMemberships, saveMembership } from '../../db/identity/memberships.js';
import type { Principal, Role } from '../../domain/identity/identity.js';
import type { Inside, WorkContext } from '../context.js';
import { endAccess } from './end-access.js';

/** A role that the claims no longer give ends, also for open sessions and keys of the user. Returns whether a role changed. */
export async function setRolesFromClaims(
  inside: Inside<WorkContext>,
  { userUuid, by }: { readonly userUuid: string; readonly by: Pick<Principal, 'uuid' | 'name'> | null },
  roles: ReadonlyMap<string | null, Role>,
): Promise<boolean> {
  const { db } = inside;
  const held = (await listUserMemberships(db, userUuid)).filter(({ fromClaims }) => fromClaims);
  const ended = held.filter(({ organizationUuid }) => !roles.has(organizationUuid)).map(({ membershipUuid }) => membershipUuid);
  if (ended.length > 0) await deleteMemberships(db, ended);
  for (const [organizationUuid, role] of roles) await saveMembership(db, { userUuid, organizationUuid, role, fromClaims: true });
  const isChanged = ended.length > 0 || held.some(({ organizationUuid, role }) => roles.get(organizationUuid) !== role);
  const before = new Map(held.map(({ organizationUuid, role }) => [organizationUuid, role]));
  for (const organizationUuid of new Set([...before.keys(), ...roles.keys()])) {
    const details = { role_before: before.get(organizationUuid) ?? null, role: roles.get(organizationUuid) ?? null };
    if (details.role_before === details.role) continue;
    await recordAudit(db, { by, organizationUuid, action: 'user.role-by-claims', target: userUuid, details });
  }
  if (!isChanged) return false;
  await endAccess(inside, userUuid, 'claims');
  await announceEnd(db);
  return true;
}
