import { recordAudit } from '../../db/identity/audit.js';
import { deleteClaimMappingRow } from '../../db/identity/claim-mappings.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { requireAllOrganizations } from '../organizations/require-organization.js';

export async function deleteClaimMapping(context: Context, mappingUuid: string): Promise<void> {
  requireAllOrganizations(context.by);
  await inTransaction(context, async ({ db, by }) => {
    const deleted = await deleteClaimMappingRow(db, mappingUuid);
    if (deleted === null) throw notFound('claim mapping with this id');
    const { claim, value, role, organizationUuid } = deleted;
    const details = { claim, value, role };
    await recordAudit(db, { by, organizationUuid, action: 'claim-mapping.delete', target: mappingUuid, details });
  });
}
