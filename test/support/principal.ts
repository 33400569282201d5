import { newUuid } from '../../db/ids.js';
import type { Principal } from '../../domain/identity/identity.js';

/** An admin for all organizations, as if it had called the API with a key of a service. */
export function adminPrincipal(name = 'test', uuid = newUuid()): Principal {
  return { uuid, name, role: 'admin', organizationUuid: null, personUuid: uuid, userUuid: null, sessionUuid: null };
}
