import { GENERATED_NOTICE, table } from './markdown.js';

interface Section {
  readonly title: string;
  readonly rows: string[][];
}

/** docs/configuration.md, from `.env.example`: `## section`, comment lines, then `#NAME=default`. */
export function describeConfiguration(example: string): string {
  const sections: Section[] = [];
  let comment: string[] = [];
  for (const line of example.split('\n')) {
    const setting = /^#?(?<name>[A-Z][A-Z0-9_]*)=(?<value>.*)$/.exec(line)?.groups;
    if (line.startsWith('## ')) sections.push({ title: line.slice(3), rows: [] });
    else if (setting) sections.at(-1)?.rows.push([`\`${setting['name']}\``, formatDefault(setting['value']), comment.join(' ')]);
    comment = line.startsWith('# ') ? [...comment, line.slice(2)] : [];
  }
  return [
    GENERATED_NOTICE,
    '# Configuration',
    'Each process reads its settings from environment variables, or from a `.env` file in the folder where it starts. A variable of the shell wins over the file. `npm start` needs no settings.',
    'A process that finds an invalid value prints the name of each variable and the expected format, and exits with code 1. `platform/settings.ts` defines the settings, and `.env.example` is the source of this page.',
    ...sections.flatMap(({ title, rows }) => [`## ${title}`, table(['Variable', 'Default', 'Description'], rows)]),
    '',
  ].join('\n\n');
}

function formatDefault(value = ''): string {
  return value === '' ? '' : `\`${value}\``;
}
