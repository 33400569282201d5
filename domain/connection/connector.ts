import { z } from 'zod';

/** A form field of a connection's credentials or settings. */
export const ConnectorField = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  secret: z.boolean().describe('Never returned.'),
  required: z.boolean(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema'),
});
export type ConnectorField = z.infer<typeof ConnectorField>;

const ConnectorSkill = z.object({
  skill_id: z.string(),
  slug: z.string().describe('The name in a URL.'),
  purpose: z.string(),
  effect: z.enum(['read', 'write']),
  call: z.string().describe('The call at the third party.'),
  permission: z.string().nullable(),
  timeout_seconds: z.number(),
  input: z.record(z.string(), z.unknown()).describe('JSON Schema'),
  output: z.record(z.string(), z.unknown()).describe('JSON Schema'),
});
export type ConnectorSkill = z.infer<typeof ConnectorSkill>;

/** Neutral icons by what a third party does. Logos belong to their vendors. */
export const ConnectorIcon = z.enum(['device', 'incident', 'malware', 'vulnerability', 'travel', 'intelligence']);
export type ConnectorIcon = z.infer<typeof ConnectorIcon>;

/** The description of a connector, for forms and pages. */
export const Connector = z.object({
  connector: z.string().describe('The kind, for `POST /platformapi/connections`.'),
  title: z.string(),
  products: z.array(z.string()).describe('The names under which people know the third party, the current one first.'),
  icon: ConnectorIcon,
  purpose: z.string(),
  setup: z.array(z.string()).describe('The steps at the third party before a connection works.'),
  credentials: z.array(ConnectorField),
  settings: z.array(ConnectorField),
  presets: z.array(z.object({ title: z.string(), settings: z.record(z.string(), z.string()) })),
  rotation: z.object({ days: z.int(), advice: z.string() }).nullable(),
  remote_agent: z.boolean().describe('Whether a connection may be routed through a remote agent.'),
  feeds_intake: z.boolean().describe('Whether its items can become alerts.'),
  skills: z.array(ConnectorSkill),
});
export type Connector = z.infer<typeof Connector>;
