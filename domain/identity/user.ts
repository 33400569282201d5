import { z } from 'zod';
import { storable, text } from '../text.js';
import { Membership, Role } from './identity.js';

export const User = z.object({
  user_uuid: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  is_local: z.boolean().describe('false: a user of the identity provider'),
  memberships: z.array(Membership),
  created_at: z.int(),
  last_sign_in_at: z.int().nullable(),
  deactivated_at: z.int().nullable(),
});
export type User = z.infer<typeof User>;

export const UserSession = z.object({
  session_uuid: z.uuid(),
  user_uuid: z.uuid(),
  name: z.string().describe('The name of the user.'),
  client: z.string().describe('The browser, as it describes itself.'),
  created_at: z.int(),
  last_seen_at: z.int().describe('Accurate to a minute.'),
  ends_at: z.int().describe('The session ends then, or earlier without activity.'),
  is_current: z.boolean(),
});
export type UserSession = z.infer<typeof UserSession>;

const Email = z.email().max(254);
/** Long enough to resist guessing, short enough to hash quickly. */
const Password = z.string().min(12, 'must have at least 12 characters').max(200);

export const CreateInvitation = z.strictObject({
  email: Email,
  role: Role.exclude(['sender']),
  organization_code: storable(32).nullable().describe('null: all organizations'),
});

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

/** An invitation ends after this time. */
export const INVITATION_HOURS = 72;

export const Join = z.strictObject({
  token: storable(100),
  name: text(100),
  email: Email.optional().describe('Only for the set-up link: an invitation has its own address.'),
  password: Password,
});
export type Join = z.infer<typeof Join>;

export const TotpCode = z.string().regex(/^\d{6}$/, 'must have six digits');

export const PasswordSignIn = z.strictObject({ email: storable(254), password: storable(200), code: TotpCode.optional() });

export const SelectOrganization = z.strictObject({ organization_code: storable(32).nullable().describe('null: all organizations') });
