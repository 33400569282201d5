import { catalogue } from '../../connectors/catalogue.js';
import { type Catalogue, type ConnectorContract, skillSlug } from '../../connectors/kit/define.js';
import { toSkillKey } from '../../domain/skill-key.js';
import { Connector } from '../../services/connections/wire.js';
import { describeFields } from '../http/form-fields.js';
import { problems, toJsonSchema } from '../http/openapi.js';
import { pageSchema } from '../http/pagination.js';
import type { ZodApp } from '../http/route.js';

export function describeConnector(connectorKey: string, contract: ConnectorContract): Connector {
  return {
    connector: contract.kind,
    title: contract.title,
    products: [...contract.products],
    icon: contract.icon,
    purpose: contract.purpose,
    setup: [...(contract.setup ?? [])],
    credentials: describeFields(contract.credentials),
    settings: describeFields(contract.settings),
    presets: contract.presets.map(({ title, settings }) => ({ title, settings: { ...settings } })),
    rotation: contract.rotation === null ? null : { ...contract.rotation },
    remote_agent: contract.routable,
    feeds_intake: contract.intake !== undefined,
    skills: Object.entries(contract.skills).map(([verb, skill]) => ({
      skill_id: skill.title,
      skill_key: toSkillKey(connectorKey, verb),
      slug: skillSlug(skill),
      purpose: skill.purpose,
      effect: skill.effect,
      call: skill.call,
      permission: skill.permission ?? null,
      timeout_seconds: skill.timeoutSeconds,
      input: toJsonSchema(skill.input, 'input'),
      output: toJsonSchema(skill.output, 'output'),
    })),
  };
}

let described: Connector[] | null = null;

/** The form data of every connector. The contracts never change. */
export function describeConnectors(): Connector[] {
  const contracts: Catalogue = catalogue;
  described ??= Object.entries(contracts).map(([name, contract]) => describeConnector(name, contract));
  return described;
}

export function connectorRoutes(app: ZodApp): void {
  const items = describeConnectors();
  app.get(
    '/platformapi/connectors',
    {
      config: { access: ['analyst', 'admin'] },
      schema: {
        operationId: 'getConnectorListAPI',
        tags: ['connections'],
        summary: 'List connectors with their fields and skills',
        response: { 200: pageSchema(Connector), ...problems() },
      },
    },
    async () => ({ items, next_cursor: null }),
  );
}
