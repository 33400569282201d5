import { z } from 'zod';
import { catalogue } from '../../activities/connectors/catalogue.js';
import type { Catalogue, ConnectorContract } from '../../activities/connectors/kit/define.js';

const BEGIN = '<!-- connectors: npm run docs:connectors -->';
const END = '<!-- /connectors -->';

/** The README with its part on connectors written anew from their definitions. */
export function withConnectorDocs(readme: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`The README has lost the markers ${BEGIN} and ${END}.`);
  const connectors: Catalogue = catalogue;
  const parts = Object.values(connectors).map(describe);
  return `${readme.slice(0, begin + BEGIN.length)}\n${parts.join('\n')}\n\n${readme.slice(end)}`;
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

/** What need not be given stands in brackets. */
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
