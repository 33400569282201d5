import { z } from 'zod';
import { catalogue } from '../../activities/connectors/catalogue.js';
import { type Catalogue, type ConnectorContract, skillSlug } from '../../activities/connectors/define.js';
import { isSecret } from '../connection-fields.js';
import { jsonSchemaOf, problems } from '../openapi.js';
import { listOf } from '../pagination.js';
import type { ZodApp } from '../route.js';

const Field = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  secret: z.boolean().describe('Written, never read back.'),
  required: z.boolean(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema'),
});

const Connector = z.object({
  connector: z.string().describe('The kind, as `POST /platformapi/connections` takes it.'),
  title: z.string(),
  purpose: z.string(),
  credentials: z.array(Field),
  settings: z.array(Field),
  presets: z.array(z.object({ title: z.string(), settings: z.record(z.string(), z.string()) })),
  rotation: z.object({ days: z.int(), advice: z.string() }).nullable(),
  remote_agent: z.boolean().describe('Whether a connection may be routed through a remote agent.'),
  skills: z.array(
    z.object({
      skill_id: z.string(),
      slug: z.string().describe('How a URL names it.'),
      purpose: z.string(),
      effect: z.enum(['read', 'write']),
      call: z.string().describe('The call at the third party.'),
      permission: z.string().nullable(),
      timeout_seconds: z.number(),
      input: z.record(z.string(), z.unknown()).describe('JSON Schema'),
      output: z.record(z.string(), z.unknown()).describe('JSON Schema'),
    }),
  ),
});
type Connector = z.infer<typeof Connector>;

function fieldsOf(schema: z.ZodObject): z.infer<typeof Field>[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const described = jsonSchemaOf(field instanceof z.ZodType ? field : z.unknown(), 'input');
    const { title, description, secret: _, ...rest } = described;
    return {
      name,
      label: String(title ?? name),
      help: String(description ?? ''),
      secret: isSecret(field),
      required: !(field instanceof z.ZodOptional) && !('default' in described),
      schema: rest,
    };
  });
}

function describe(contract: ConnectorContract): Connector {
  return {
    connector: contract.kind,
    title: contract.title,
    purpose: contract.purpose,
    credentials: fieldsOf(contract.credentials),
    settings: fieldsOf(contract.settings),
    presets: contract.presets.map(({ title, settings }) => ({ title, settings: { ...settings } })),
    rotation: contract.rotation === null ? null : { ...contract.rotation },
    remote_agent: contract.routable,
    skills: Object.values(contract.skills).map((skill) => ({
      skill_id: skill.title,
      slug: skillSlug(skill),
      purpose: skill.purpose,
      effect: skill.effect,
      call: skill.call,
      permission: skill.permission ?? null,
      timeout_seconds: skill.timeoutSeconds,
      input: jsonSchemaOf(skill.input, 'input'),
      output: jsonSchemaOf(skill.output, 'output'),
    })),
  };
}

export function connectorRoutes(app: ZodApp): void {
  const contracts: Catalogue = catalogue;
  const items = Object.values(contracts).map(describe);
  app.get(
    '/platformapi/connectors',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getConnectorListAPI',
        tags: ['connections'],
        summary: 'Describe the connectors: their kinds, fields and skills',
        response: { 200: listOf(Connector), ...problems() },
      },
    },
    async () => ({ items, next_cursor: null }),
  );
}
