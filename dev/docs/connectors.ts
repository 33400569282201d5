import { z } from 'zod';
import { catalogue } from '../../connectors/catalogue.js';
import type { Catalogue, ConnectorContract } from '../../connectors/kit/define.js';
import { GENERATED_NOTICE, table } from './markdown.js';

/** docs/connectors.md, from the contracts of the catalogue. */
export function documentConnectors(connectors: Catalogue = catalogue): string {
  const contracts = Object.entries(connectors);
  const overview = contracts.map(([name, { kind, title, skills }]) => {
    const effects = Object.values(skills).map(({ effect }) => effect);
    const count = (wanted: string) => String(effects.filter((effect) => effect === wanted).length);
    return [`[${title}](#${kind})`, `\`${kind}\``, `\`skills.${name}\``, count('read'), count('write')];
  });
  return [
    GENERATED_NOTICE,
    '# Connectors',
    'A connector is a kind of third party. This page lists the fields and the skills of each, from its definition in `connectors`. [Connect a third party](connect-a-third-party.md) explains how to use them. [Write a connector](authoring-connectors.md) explains how to add one.',
    'Skills with the effect `read` run without approval. Skills with the effect `write` change something at the third party: playbooks propose them, and analysts approve them.',
    table(['Connector', 'Kind', 'In playbooks', 'Reads', 'Writes'], overview),
    ...contracts.map(([name, contract]) => describeConnector(name, contract)),
    '',
  ].join('\n\n');
}

function describeConnector(name: string, contract: ConnectorContract): string {
  const skills = Object.entries(contract.skills).map(([verb, skill]) => [
    skill.title,
    `\`${name}.${verb}\``,
    skill.effect,
    `\`${skill.call}\``,
    skill.permission ?? '',
    skill.purpose,
  ]);
  return [
    `<a id="${contract.kind}"></a>\n\n## ${contract.title}`,
    [`Products: ${contract.products.join(', ')}.`, contract.purpose, contract.rotation?.advice]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    ...(contract.setup ? [`Set up at the third party:\n\n${contract.setup.map((step, index) => `${index + 1}. ${step}`).join('\n')}`] : []),
    table(
      ['Field', 'Title', 'Required', 'Description'],
      [...listFields(contract.credentials, 'credentials'), ...listFields(contract.settings, 'settings')],
    ),
    table(['Skill', 'In playbooks', 'Effect', 'Call', 'Permission at the third party', 'Purpose'], skills),
  ].join('\n\n');
}

function listFields({ shape }: z.ZodObject, group: string): string[][] {
  return Object.entries(shape).map(([name, schema]) => {
    if (!(schema instanceof z.ZodType)) throw new Error(`${group}.${name} is not a zod schema.`);
    const { title = '', description = '' } = z.toJSONSchema(schema, { io: 'input' });
    const isOptional = schema.safeParse(undefined).success;
    return [`\`${group}.${name}\``, title, isOptional ? 'no' : 'yes', description];
  });
}
