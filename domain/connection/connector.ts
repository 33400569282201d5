import { z } from 'zod';

/** One field of a form: of a connection's credentials or settings. */
export const ConnectorField = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  secret: z.boolean().describe('Written, never read back.'),
  required: z.boolean(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema'),
});
export type ConnectorField = z.infer<typeof ConnectorField>;

const ConnectorSkill = z.object({
  skill_id: z.string(),
  slug: z.string().describe('How a URL names it.'),
  purpose: z.string(),
  effect: z.enum(['read', 'write']),
  call: z.string().describe('The call at the third party.'),
  permission: z.string().nullable(),
  timeout_seconds: z.number(),
  input: z.record(z.string(), z.unknown()).describe('JSON Schema'),
  output: z.record(z.string(), z.unknown()).describe('JSON Schema'),
});
export type ConnectorSkill = z.infer<typeof ConnectorSkill>;

/** A connector as it is described to people: what the forms and pages are made from. */
export const Connector = z.object({
  connector: z.string().describe('The kind, as `POST /platformapi/connections` takes it.'),
  title: z.string(),
  purpose: z.string(),
  credentials: z.array(ConnectorField),
  settings: z.array(ConnectorField),
  presets: z.array(z.object({ title: z.string(), settings: z.record(z.string(), z.string()) })),
  rotation: z.object({ days: z.int(), advice: z.string() }).nullable(),
  remote_agent: z.boolean().describe('Whether a connection may be routed through a remote agent.'),
  feeds_intake: z.boolean().describe('Whether what it reports can become alerts.'),
  skills: z.array(ConnectorSkill),
});
export type Connector = z.infer<typeof Connector>;
