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

/** Something that ends with the access of its person, unless another one takes it over. */
export const Belonging = z.object({
  kind: z.enum(['service-key', 'remote-agent', 'invitation', 'credential-link']),
  id: z.uuid(),
  name: z.string(),
  organization_code: z.string().nullable().describe('null: all organizations'),
  can_hand_over: z.boolean().describe('false: a remote agent that is not confirmed.'),
});
export type Belonging = z.infer<typeof Belonging>;

export const Belongings = z.object({
  items: z.array(Belonging).describe('At most 200 of each kind.'),
  own_keys: z.int().describe("The person's own API keys, which always end."),
  open_cases: z.int().describe('Open cases that are assigned to the person.'),
  waiting_proposals: z.int().describe('Actions that the person asked for and that still wait.'),
});
export type Belongings = z.infer<typeof Belongings>;

export const HandOver = z.strictObject({
  to_user_id: z.uuid().describe('An active admin of the same organizations.'),
  ids: z.array(z.uuid()).max(800).optional().describe('Without it: everything that can be handed over, and up to 100 open cases.'),
});
export type HandOver = z.infer<typeof HandOver>;
