import { z } from 'zod';
import { Role } from '../../domain/identity/identity.js';
import { storable, text } from '../../domain/text.js';

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
