import type { Role } from './identity.js';

type Claims = Readonly<Record<string, unknown>>;

/** The verified claims of an ID token. */
export interface ProviderClaims extends Claims {
  readonly iss: string;
  readonly sub: string;
}

function isClaims(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isClaims(value) && Object.hasOwn(value, part) ? value[part] : undefined), claims);
}

/** A person can enter any address at many providers. Only one that the provider verified says who the person is. */
function hasClaim(claims: Claims, { claim, value }: { claim: string; value: string }): boolean {
  if (claim === 'email' && claims['email_verified'] !== true) return false;
  const found = readClaim(claims, claim);
  return Array.isArray(found) ? found.includes(value) : found === value;
}

/** The role of the user in each organization (null: all). If several mappings match, the role with more rights counts. */
export function grantRoles<Mapping extends { claim: string; value: string; role: Role; organizationUuid: string | null }>(
  claims: Claims,
  mappings: readonly Mapping[],
): Map<string | null, Role> {
  const granted = new Map<string | null, Role>();
  for (const mapping of mappings) {
    if (hasClaim(claims, mapping) && granted.get(mapping.organizationUuid) !== 'admin') granted.set(mapping.organizationUuid, mapping.role);
  }
  return granted;
}
