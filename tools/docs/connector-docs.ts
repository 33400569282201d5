import { z } from 'zod';
import { catalogue } from '../../activities/connectors/catalogue.js';
import type { Catalogue, ConnectorContract } from '../../activities/connectors/kit/define.js';

const BEGIN = '<!-- connectors: npm run docs:connectors -->';
const END = '<!-- /connectors -->';

/** The page with its section on connectors generated from their definitions. */
export function withConnectorDocs(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`The page must contain the markers ${BEGIN} and ${END}: add them.`);
  return `${page.slice(0, begin + BEGIN.length)}\n${writeConnectorDocs()}\n\n${page.slice(end)}`;
}

/** Markdown: one section for each connector. */
export function writeConnectorDocs(): string {
  const connectors: Catalogue = catalogue;
  return Object.values(connectors).map(describe).join('\n');
}

function describe(contract: ConnectorContract): string {
  const skills = Object.values(contract.skills).map((skill) =>
    row([skill.title, skill.effect, `\`${skill.call}\``, skill.permission ?? '', skill.purpose]),
  );
  return [
    '',
    `### ${contract.title}: \`${contract.kind}\``,
    '',
    `${contract.purpose}${contract.rotation === null ? '' : ` ${contract.rotation.advice}`} Credentials: ${describeFields(contract.credentials)}. Settings: ${describeFields(contract.settings)}.`,
    '',
    row(['skill', 'effect', 'call', 'permission at the third party', 'what it does']),
    '|---|---|---|---|---|',
    ...skills,
  ].join('\n');
}

/** Optional fields are in brackets. */
function describeFields({ shape }: z.ZodObject): string {
  const names = Object.entries(shape).map(([name, schema]) => {
    const isOptional = schema instanceof z.ZodType && schema.safeParse(undefined).success;
    return isOptional ? `[\`${name}\`]` : `\`${name}\``;
  });
  return names.join(', ');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
