import { z } from 'zod';
import { Role } from '../../domain/identity/identity.js';
import { nameText, storable } from '../../domain/text.js';

const Email = z.email().max(254);
/** Long enough to resist guessing, short enough to hash quickly. */
export const Password = z.string().min(12, 'must have at least 12 characters').max(200);

export const CreateInvitation = z.strictObject({
  email: Email,
  role: Role.exclude(['sender']),
  organization_code: storable(32).nullable().describe('null: all organizations'),
});
export type CreateInvitation = z.infer<typeof CreateInvitation>;

export const Invitation = z.object({
  invitation_uuid: z.uuid(),
  email: z.string().nullable().describe('null: the set-up link of the first admin.'),
  role: Role,
  organization_code: z.string().nullable(),
  invited_by: z.string(),
  created_at: z.int(),
  expires_at: z.int(),
});
export type Invitation = z.infer<typeof Invitation>;

export const CreatedInvitation = Invitation.extend({
  token: z.string().describe('Shown only once. The person opens `/join#<token>` of the dashboard and sets a name and a password.'),
});
export type CreatedInvitation = z.infer<typeof CreatedInvitation>;

export const Join = z.strictObject({
  token: storable(100),
  name: nameText(100),
  email: Email.optional().describe('Only for the set-up link: an invitation has its own address.'),
  password: Password,
});
export type Join = z.infer<typeof Join>;
