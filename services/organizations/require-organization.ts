import type { Db, Transaction } from '../../db/client.js';
import { findOrganization } from '../../db/identity/organizations.js';
import type { Principal } from '../../domain/identity/identity.js';
import { type CommandError, forbidden, invalid, notFound, type WrongField } from '../errors.js';

/** null: the service itself, for all organizations. */
type Scoped = Pick<Principal, 'organizationUuid'> | null;

/** An admin of one organization cannot change settings that all organizations share. */
export function requireAllOrganizations(by: Scoped): void {
  if (by !== null && by.organizationUuid !== null) throw forbidden('This operation needs an admin key for all organizations.');
}

/** Finds the organization by its code and checks that the key may use it. */
export async function requireOrganization(db: Db | Transaction, by: Scoped, code: string, place?: Place): Promise<string> {
  const organization = await findOrganization(db, code);
  const uuid = organization?.organization_uuid;
  if (uuid === undefined || !isInScope(by, uuid)) throw unknownOrganization(place);
  return uuid;
}

type Place = Pick<WrongField, 'pointer'> | Pick<WrongField, 'parameter'>;
const IN_BODY: Place = { pointer: '#/organization_code' };

/** Returns the key's own organization. A key for all organizations must name one. */
export async function resolveOrganization(
  db: Db | Transaction,
  by: Scoped,
  code: string | undefined,
  place: Place = IN_BODY,
): Promise<string> {
  const scope = by?.organizationUuid ?? null;
  if (code === undefined && scope !== null) return scope;
  if (code === undefined) throw invalid([{ ...place, detail: 'This key is for all organizations: send organization_code.' }]);
  return requireOrganization(db, by, code, place);
}

/** For a new key or user: null means all organizations, which only a caller for all organizations may grant. */
export async function grantableOrganization(db: Db | Transaction, by: Scoped, code: string | null): Promise<string | null> {
  if (code !== null) return requireOrganization(db, by, code);
  if ((by?.organizationUuid ?? null) !== null) throw unknownOrganization();
  return null;
}

function isInScope(by: Scoped, organizationUuid: string): boolean {
  return by === null || by.organizationUuid === null || by.organizationUuid === organizationUuid;
}

function unknownOrganization(place: Place = IN_BODY): CommandError {
  const detail = 'This key cannot use this organization. GET /platformapi/organizations lists the organizations that it can use.';
  return invalid([{ ...place, detail }]);
}

/** Finds the organization that the path names. Answers 404 like for an unknown one if the key may not use it. */
export async function requirePathOrganization(db: Db | Transaction, by: Scoped, code: string): Promise<string> {
  const uuid = (await findOrganization(db, code))?.organization_uuid;
  if (uuid === undefined || !isInScope(by, uuid)) throw notFound('organization with this code');
  return uuid;
}
