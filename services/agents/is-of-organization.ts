import { isOnlyMemberOf } from '../../db/identity/memberships.js';
import { findApprovers } from '../../db/identity/person.js';
import { explainUncounted } from '../../domain/identity/approver.js';
import type { Context, Inside } from '../context.js';

/** Whether the caller belongs to the organization alone: a verified person without a role elsewhere. The staff of a provider has one. */
export async function isOfOrganization({ db, by }: Pick<Inside<Context>, 'db' | 'by'>, organizationUuid: string): Promise<boolean> {
  if (by.userUuid === null || !(await isOnlyMemberOf(db, by.userUuid, organizationUuid))) return false;
  const approverOf = await findApprovers(db, [by.uuid]);
  return explainUncounted(approverOf(by.uuid)) === null;
}
