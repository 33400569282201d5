import type { Db } from '../db/client.js';
import { findOrganization } from '../db/organizations.js';
import type { Principal } from '../domain/identity.js';
import { type Problem, unprocessable } from './problems.js';

/** The organization that a body names, where the key may use it. */
export async function requireOrganization(db: Db, principal: Principal, code: string): Promise<string> {
  const organization = await findOrganization(db, code);
  const uuid = organization?.organization_uuid;
  if (uuid === undefined || (principal.organizationUuid !== null && principal.organizationUuid !== uuid)) throw unknownOrganization();
  return uuid;
}

export function unknownOrganization(): Problem {
  const detail = 'There is no such organization for this key: GET /platformapi/organizations lists those it may use.';
  return unprocessable([{ pointer: '#/organization_code', detail }]);
}
