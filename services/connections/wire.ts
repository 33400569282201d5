import { z } from 'zod';
import { ConnectionState, ConnectionTestReport, RefusedSkill, RotationAdvice } from '../../domain/connection/connection.js';
import { ConnectorIcon } from '../../domain/connection/connector.js';
import { SecretExpiresOn } from '../../domain/connection/secret-expiry.js';
import { SecondPersonRule } from '../../domain/response/sensitive-write.js';
import { SkillKeyText } from '../../domain/skill-key.js';
import { nameText, storable } from '../../domain/text.js';

const InstanceName = nameText(100).describe('Unique within the organization.');
const Description = storable(2000);
/** Each connector defines its fields: see `GET /platformapi/connectors`. */
export const Fields = z.record(z.string().max(100), z.unknown());

const NeedsSecondPerson = z
  .boolean()
  .nullable()
  .describe('true: each write needs the approval of a second person. null: only sensitive writes do. false: none does for this reason.');

/** A connection without its credentials. */
export const DefineConnection = z.strictObject({
  organization_code: storable(32),
  connector: storable(100).describe('The kind: `GET /platformapi/connectors` lists them.'),
  instance_name: InstanceName,
  description: Description.default(''),
  settings: Fields.default({}),
  remote_agent: z.uuid().nullish().describe('Route the calls through this remote agent.'),
  needs_second_person: NeedsSecondPerson.default(null),
  feeds_intake: z.boolean().default(false).describe('Items that this third party reports become alerts.'),
});
export type DefineConnection = z.infer<typeof DefineConnection>;

export const CreateConnection = DefineConnection.extend({ credentials: Fields, secret_expires_on: SecretExpiresOn.nullish() });
export type CreateConnection = z.infer<typeof CreateConnection>;

export const UpdateConnection = z
  .strictObject({
    instance_name: InstanceName,
    description: Description,
    settings: Fields,
    credentials: Fields.describe(
      'All credentials. They are required if the update changes `remote_agent` or a text in `settings`, because the secrets go to another place then.',
    ),
    secret_expires_on: SecretExpiresOn.nullable(),
    remote_agent: z.uuid().nullable(),
    is_default: z.literal(true).describe('Replaces the current default connection of its kind.'),
    needs_second_person: NeedsSecondPerson,
    feeds_intake: z.boolean(),
  })
  .partial()
  .refine((update) => Object.keys(update).length > 0, 'name at least one field to change');
export type UpdateConnection = z.infer<typeof UpdateConnection>;

export const Reconnect = z.strictObject({ credentials: Fields, secret_expires_on: SecretExpiresOn.nullish() });
export type Reconnect = z.infer<typeof Reconnect>;

export const Connection = z.object({
  connection_id: z.uuid(),
  organization_code: z.string(),
  connector: z.string(),
  instance_name: z.string(),
  description: z.string(),
  settings: z.record(z.string(), z.unknown()),
  credentials: z.record(z.string(), z.unknown()).describe('Plain fields; for a secret only whether it is set.'),
  secret_expires_on: z.iso.date().nullable().describe('The day (UTC) on which the secret expires; null: not known.'),
  remote_agent: z.uuid().nullable(),
  is_default: z.boolean(),
  needs_second_person: z.boolean(),
  needs_second_person_default: z
    .boolean()
    .describe('Whether no admin chose `needs_second_person`: the default applies, as for null in a request.'),
  second_person_rule: SecondPersonRule.describe(
    'The rule in force. always: all writes need two people, also if another connection of the kind requires it. sensitive: only sensitive writes do.',
  ),
  feeds_intake: z.boolean(),
  source: z
    .object({ read_until: z.int(), last_read_at: z.int().nullable(), last_error: z.string().nullable() })
    .nullable()
    .describe('The progress of reading its items; null if it does not feed the intake or has not been read yet.'),
  state: ConnectionState,
  state_reason: z.string().nullable(),
  state_since: z.int(),
  generation: z.int(),
  blocked_until: z.int().nullable().describe('The third party asked the service to wait until this time.'),
  refused_skills: z.array(RefusedSkill),
  waiting_investigations: z.int().describe('Investigations that wait for a reconnect.'),
  waiting_alerts: z.array(z.string()).describe('The alert ids of these investigations, longest wait first.'),
  rotation: RotationAdvice.nullable(),
  tested_at: z.int().nullable(),
  created_at: z.int(),
  modified_at: z.int(),
});
export type Connection = z.infer<typeof Connection>;

/** The connection with its new credentials; `test` is null if the test has not ended yet. */
export const Reconnected = z.object({ connection: Connection, test: ConnectionTestReport.nullable() });
export type Reconnected = z.infer<typeof Reconnected>;

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
  skill_key: SkillKeyText,
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
