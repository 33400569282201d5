import { z } from 'zod';

export const AuditEntry = z.object({
  entry_no: z.int(),
  at: z.int(),
  principal_uuid: z.uuid().nullable(),
  principal_name: z.string().describe('The name of the user or service key at that time.'),
  user_uuid: z.uuid().nullable().describe('null: the key of a service, or the service itself.'),
  key_name: z.string().nullable().describe('null: a session of a user, or the service itself.'),
  organization_code: z.string().nullable(),
  action: z.string().meta({ examples: ['alert.create'] }),
  target: z.string().meta({ examples: ['DEMO-SIEM-1'] }),
  details: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
