import { findMembership, setActiveMembership } from '../../db/identity/user-sessions.js';
import type { Context } from '../context.js';
import { invalid } from '../errors.js';

/** Selects the role of the session: the user's membership in the organization, or in all (null). */
export async function selectOrganization({ db, by }: Context, organizationCode: string | null): Promise<void> {
  const membershipUuid = by.sessionUuid === null ? null : await findMembership(db, by.uuid, organizationCode);
  if (by.sessionUuid === null || membershipUuid === null)
    throw invalid([{ pointer: '#/organization_code', detail: 'You have no role in this organization.' }]);
  await setActiveMembership(db, by.sessionUuid, membershipUuid);
}
