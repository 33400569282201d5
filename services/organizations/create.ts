import { isUniqueViolation } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { insertOrganization } from '../../db/identity/organizations.js';
import { newUuid } from '../../db/ids.js';
import { inTransaction, type WorkContext } from '../context.js';
import { conflict } from '../errors.js';
import { requireAllOrganizations } from './require-organization.js';
import type { CreateOrganization, Organization } from './wire.js';

export async function createOrganization(context: WorkContext, given: CreateOrganization): Promise<Organization> {
  requireAllOrganizations(context.by);
  const { organization_code: organizationCode, name } = given;
  try {
    return await inTransaction(context, async ({ db, by, now }) => {
      const organizationUuid = newUuid();
      const created = await insertOrganization(db, { organizationUuid, organizationCode, name, createdAt: now() });
      await recordAudit(db, { by, organizationUuid, action: 'organization.create', target: organizationCode });
      return created;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('An organization with this code already exists. The comparison ignores case.', {
      errors: [{ pointer: '#/organization_code', detail: 'Choose another code.' }],
    });
  }
}
