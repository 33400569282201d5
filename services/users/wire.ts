import { z } from 'zod';
import { Role } from '../../domain/identity/identity.js';

/** The role of a user in one organization or in all. */
export const Membership = z.object({ organization_code: z.string().nullable().describe('null: all organizations'), role: Role });

export const User = z.object({
  user_uuid: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  is_local: z.boolean().describe('false: a user of the identity provider'),
  is_vouched: z
    .boolean()
    .describe('The operator vouched for this local account. Without it, its approvals do not count where two people are needed.'),
  memberships: z.array(Membership),
  created_at: z.int(),
  last_sign_in_at: z.int().nullable(),
  deactivated_at: z.int().nullable(),
});
export type User = z.infer<typeof User>;
