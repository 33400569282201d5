import type { Transaction } from '../../db/client.js';
import { type AuditRecord, recordAudit } from '../../db/identity/audit.js';
import { listUserMemberships } from '../../db/identity/memberships.js';

/** Writes an entry about a user in each of their organizations, so that the admins of each see it. */
export async function recordForUser(
  db: Transaction,
  userUuid: string,
  entry: Omit<AuditRecord, 'organizationUuid' | 'target'> & { target?: string },
): Promise<void> {
  const held = await listUserMemberships(db, userUuid);
  const organizations = held.length === 0 ? [null] : held.map(({ organizationUuid }) => organizationUuid);
  for (const organizationUuid of organizations) await recordAudit(db, { target: userUuid, ...entry, organizationUuid });
}
