import { z } from 'zod';
import { storable, text } from '../text.js';
import { Role } from './identity.js';

export const CreateClaimMapping = z.strictObject({
  claim: text(200).describe('A claim of the ID token, such as `groups`, or a path such as `realm_access.roles`.'),
  value: text(200).describe('The claim has this value, or is a list that contains it.'),
  role: Role.exclude(['sender']),
  organization_code: storable(32).nullable().describe('null: all organizations'),
});
export type CreateClaimMapping = z.infer<typeof CreateClaimMapping>;

export const ClaimMapping = z.object({
  mapping_uuid: z.uuid(),
  claim: z.string(),
  value: z.string(),
  role: Role,
  organization_code: z.string().nullable(),
  created_at: z.int(),
});
export type ClaimMapping = z.infer<typeof ClaimMapping>;

type Claims = Readonly<Record<string, unknown>>;

function isClaims(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isClaims(value) && Object.hasOwn(value, part) ? value[part] : undefined), claims);
}

function hasClaim(claims: Claims, { claim, value }: { claim: string; value: string }): boolean {
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
