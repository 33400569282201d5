import { z } from 'zod';

export const CreateProvider = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(
      /^[A-Za-z0-9](?:[A-Za-z0-9 _.-]*[A-Za-z0-9])?$/,
      'letters, digits, spaces, _ . and -, beginning and ending with a letter or digit',
    ),
});

export const Provider = z.object({
  provider_uuid: z.uuid(),
  name: z.string(),
  segment: z.string().describe('The upper-case name of this provider in alert ids.'),
  created_at: z.int(),
});
export type Provider = z.infer<typeof Provider>;
