import { lockOrganization } from '../../db/identity/organizations.js';
import { readRetention } from '../../db/lifecycle/retention-rules.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requirePathOrganization } from '../organizations/require-organization.js';
import type { Retention } from '../retention/wire.js';
import { placeHold } from './write-hold.js';

export function placeOrganizationHold(context: Context, organizationCode: string, reason: string): Promise<Retention> {
  return inTransaction(context, async (inside) => {
    const { db, by } = inside;
    const organizationUuid = await requirePathOrganization(db, by, organizationCode);
    const target = await lockOrganization(db, organizationUuid);
    if (!(await placeHold(inside, { organizationUuid, caseUuid: null, target }, reason)))
      throw conflict('The organization already has a legal hold. Release it first to change its reason.');
    return readRetention(db, organizationUuid);
  });
}
