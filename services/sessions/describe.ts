import { findOrganizationCode } from '../../db/identity/organizations.js';
import { findApprovers } from '../../db/identity/person.js';
import { readTotp } from '../../db/identity/totp.js';
import { listMemberships } from '../../db/identity/users.js';
import { explainUncounted } from '../../domain/identity/approver.js';
import type { Context } from '../context.js';
import type { Session } from './wire.js';

/** The caller as the dashboard shows it. */
export async function describeSession({ db, by }: Pick<Context, 'db' | 'by'>): Promise<Omit<Session, 'temporal_web'>> {
  const { uuid, name, role, organizationUuid, userUuid, sessionUuid } = by;
  const held = sessionUuid === null ? [] : await listMemberships(db, [uuid]);
  const local = sessionUuid === null ? null : await readTotp(db, uuid);
  return {
    key_uuid: sessionUuid === null ? uuid : null,
    user_uuid: userUuid,
    name,
    role,
    organization_code: organizationUuid === null ? null : await findOrganizationCode(db, organizationUuid),
    memberships: held.map((each) => ({ organization_code: each.organization_code, role: each.role })),
    approvals_not_counted: explainUncounted((await findApprovers(db, [uuid]))(uuid)),
    ...(by.needsTwoFactor ? { needs_two_factor: true as const } : {}),
    has_second_step: local === null ? null : local.totp !== null,
  };
}
