import { z } from 'zod';
import { Role } from '../../domain/identity/identity.js';
import { nameText, storable } from '../../domain/text.js';

/** The last second that an ISO 8601 timestamp with a four-digit year can express. */
const END_OF_9999 = 253_402_300_799;

export const CreateApiKey = z.strictObject({
  name: nameText(100),
  role: Role,
  organization_code: storable(32).nullable().describe('null: all organizations'),
  expires_at: z.int().positive().max(END_OF_9999).optional().describe('Unix epoch seconds. Default: the key never expires.'),
  service: nameText(100)
    .optional()
    .describe('The program that uses the key. Default: the user who creates the key; without one, the name.'),
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const ApiKey = z.object({
  key_uuid: z.uuid().describe('The id of the principal, as in `created_by` of an alert.'),
  name: z.string(),
  role: Role,
  organization_code: z.string().nullable(),
  owner: z.string().nullable().describe('The name of the user whom the key acts for; null for the key of a service.'),
  service: z.string().nullable().describe('The program that uses the key; null for the key of a user.'),
  created_at: z.int(),
  expires_at: z.int().nullable(),
  revoked_at: z.int().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = ApiKey.extend({ api_key: z.string().describe('Shown only once: the service stores only a hash.') });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
