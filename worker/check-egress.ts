import type { Db } from '../db/client.js';
import { findOrganization, listOrganizationCodes } from '../db/identity/organizations.js';
import { EVERY_ORGANIZATION, listUnnamed, parseEgressEntry } from '../platform/egress-allow.js';
import type { Logger } from '../platform/log.js';

/** Warns about entries of EGRESS_ALLOW that open a destination to more organizations than the operator may expect, or to none. */
export async function checkEgressAllow(db: Db, allow: readonly string[], log: Logger): Promise<void> {
  const unnamed = listUnnamed(allow);
  if (unnamed.length > 0 && (await listOrganizationCodes(db, 2)).length > 1)
    log.warn(
      { entries: unnamed },
      'each organization can reach these entries of EGRESS_ALLOW: write the code of one organization before each, such as ACME:siem.corp:8443, or *: to keep them open to all',
    );
  for (const entry of allow) {
    const organization = parseEgressEntry(entry)?.organization ?? EVERY_ORGANIZATION;
    if (organization !== EVERY_ORGANIZATION && (await findOrganization(db, organization)) === null)
      log.warn({ entry }, 'an entry of EGRESS_ALLOW names an organization that does not exist');
  }
}
