import type { Db, Transaction } from '../../db/client.js';
import { findOrganization } from '../../db/identity/organizations.js';
import type { Principal } from '../../domain/identity/identity.js';
import { type CommandError, invalid, notFound, type WrongField } from '../errors.js';

/** Finds the organization by its code and checks that the key may use it. */
export async function requireOrganization(db: Db | Transaction, principal: Principal, code: string, place?: Place): Promise<string> {
  const organization = await findOrganization(db, code);
  const uuid = organization?.organization_uuid;
  if (uuid === undefined || (principal.organizationUuid !== null && principal.organizationUuid !== uuid)) throw unknownOrganization(place);
  return uuid;
}

type Place = Pick<WrongField, 'pointer'> | Pick<WrongField, 'parameter'>;
const IN_BODY: Place = { pointer: '#/organization_code' };

/** Returns the key's own organization. A key for all organizations must name one. */
export async function resolveOrganization(db: Db, principal: Principal, code: string | undefined, place: Place = IN_BODY): Promise<string> {
  if (code === undefined && principal.organizationUuid !== null) return principal.organizationUuid;
  if (code === undefined) throw invalid([{ ...place, detail: 'This key is for all organizations: send organization_code.' }]);
  return requireOrganization(db, principal, code, place);
}

/** For a new key or user: null means all organizations, which only a caller for all organizations may grant. */
export async function grantableOrganization(db: Db, principal: Principal, code: string | null): Promise<string | null> {
  if (code !== null) return requireOrganization(db, principal, code);
  if (principal.organizationUuid !== null) throw unknownOrganization();
  return null;
}

function unknownOrganization(place: Place = IN_BODY): CommandError {
  const detail = 'This key cannot use this organization. GET /platformapi/organizations lists the organizations that it can use.';
  return invalid([{ ...place, detail }]);
}

/** Finds the organization that the path names. Answers 404 like for an unknown one if the key may not use it. */
export async function requirePathOrganization(db: Db, principal: Principal, code: string): Promise<string> {
  const uuid = (await findOrganization(db, code))?.organization_uuid;
  if (uuid === undefined || (principal.organizationUuid !== null && principal.organizationUuid !== uuid))
    throw notFound('organization with this code');
  return uuid;
}
