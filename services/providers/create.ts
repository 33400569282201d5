import { isUniqueViolation } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { insertProvider } from '../../db/identity/providers.js';
import { newUuid } from '../../db/ids.js';
import { providerSegment, RESERVED_SEGMENTS } from '../../domain/identity/identity.js';
import { inTransaction, type WorkContext } from '../context.js';
import { conflict, invalid } from '../errors.js';
import { requireAllOrganizations } from '../organizations/require-organization.js';
import type { Provider } from './wire.js';

export async function createProvider(context: WorkContext, name: string): Promise<Provider> {
  requireAllOrganizations(context.by);
  const segment = providerSegment(name);
  if (RESERVED_SEGMENTS.includes(segment))
    throw invalid([{ pointer: '#/name', detail: `${segment} is reserved for case ids. Choose another name.` }]);
  try {
    return await inTransaction(context, async ({ db, by, now }) => {
      const created = await insertProvider(db, { providerUuid: newUuid(), name, segment, createdAt: now() });
      await recordAudit(db, { by, organizationUuid: null, action: 'provider.create', target: name });
      return created;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(`Another provider already uses ${segment} in its alert ids.`, {
      errors: [{ pointer: '#/name', detail: 'Choose another name.' }],
    });
  }
}
