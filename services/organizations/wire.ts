import { z } from 'zod';
import { nameText } from '../../domain/text.js';

export const CreateOrganization = z.strictObject({
  organization_code: z
    .string()
    .max(32)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/, 'letters, digits, _ and -, beginning and ending with a letter or digit'),
  name: nameText(200),
});
export type CreateOrganization = z.infer<typeof CreateOrganization>;

const signInPolicy = {
  requires_two_factor: z
    .boolean()
    .describe('Users with a password and a role in the organization, or in all, must connect an authenticator app before anything else.'),
};
export const SaveSignInPolicy = z.strictObject(signInPolicy);

export const SignInPolicy = z.object(signInPolicy);
export type SignInPolicy = z.infer<typeof SignInPolicy>;

export const Organization = z.object({
  organization_uuid: z.uuid(),
  organization_code: z.string(),
  name: z.string(),
  created_at: z.int(),
});
export type Organization = z.infer<typeof Organization>;
