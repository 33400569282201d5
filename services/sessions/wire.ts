import { z } from 'zod';
import { Role } from '../../domain/identity/identity.js';
import { storable } from '../../domain/text.js';
import { Password } from '../invitations/wire.js';
import { TotpCode } from '../totp/wire.js';
import { Membership } from '../users/wire.js';

/** The signed-in caller of the dashboard, and facts that its pages need. */
export const Session = z.object({
  key_uuid: z.uuid().nullable().describe('The API key of the session; null after a sign-in as a user.'),
  user_uuid: z.uuid().nullable().describe('null: the key of a service.'),
  name: z.string(),
  memberships: z.array(Membership).describe('The roles that the user can select; empty for a key.'),
  has_second_step: z.boolean().nullable().describe('Whether the sign-in asks for a code; null where the user cannot change it.'),
  approvals_not_counted: z
    .string()
    .nullable()
    .describe('Why approvals of the caller do not count where two people are needed. null: they count.'),
  needs_two_factor: z
    .literal(true)
    .optional()
    .describe('The user must set up two-factor authentication first. Other operations reply 403.'),
  role: Role,
  organization_code: z.string().nullable().describe('null: all organizations'),
  temporal_web: z.string().nullable().describe('The address of Temporal Web. The run of an alert is at `/workflows/<alert_id>`.'),
});
export type Session = z.infer<typeof Session>;

export const SignIn = z.strictObject({ api_key: storable(500) });

export const SignInOptions = z.object({
  provider: z.boolean().describe('Users can sign in with the identity provider.'),
  password: z.boolean().describe('Users can sign in with a password.'),
});

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

export const PasswordSignIn = z.strictObject({ email: storable(254), password: storable(200), code: TotpCode.optional() });
export type PasswordSignIn = z.infer<typeof PasswordSignIn>;

/** Proves again who uses the session. */
export const VerifySession = z.union([z.strictObject({ password: storable(200) }), z.strictObject({ code: TotpCode })]);
export type VerifySession = z.infer<typeof VerifySession>;

export const ChangePassword = z.strictObject({ current_password: storable(200), new_password: Password });
export type ChangePassword = z.infer<typeof ChangePassword>;

export const SelectOrganization = z.strictObject({ organization_code: storable(32).nullable().describe('null: all organizations') });
