import { isUniqueViolation } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { insertClaimMapping } from '../../db/identity/claim-mappings.js';
import { newUuid } from '../../db/ids.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { grantableOrganization, requireAllOrganizations } from '../organizations/require-organization.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import type { ClaimMapping, CreateClaimMapping } from './wire.js';

export async function createClaimMapping(context: Context, given: CreateClaimMapping): Promise<ClaimMapping> {
  requireAllOrganizations(context.by);
  try {
    return await inTransaction(context, async ({ db, by, now }) => {
      await requireRecentSignIn({ db, by, now });
      const { organization_code: code, ...details } = given;
      const organizationUuid = await grantableOrganization(db, by, code);
      const [mappingUuid, createdAt] = [newUuid(), now()];
      await insertClaimMapping(db, { mappingUuid, ...details, organizationUuid, createdAt });
      await recordAudit(db, { by, organizationUuid, action: 'claim-mapping.create', target: mappingUuid, details });
      return { mapping_uuid: mappingUuid, created_at: createdAt, ...given };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('This claim already gives a role in the organization. Delete that mapping first.');
  }
}
