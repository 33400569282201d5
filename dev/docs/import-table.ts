import { z } from 'zod';
import { table } from './markdown.js';

const Override = z.object({
  includes: z.array(z.string()),
  linter: z
    .object({
      rules: z.object({
        style: z
          .object({
            noRestrictedImports: z
              .union([z.string(), z.object({ options: z.object({ patterns: z.array(z.object({ group: z.array(z.string()) })) }) })])
              .optional(),
          })
          .optional(),
      }),
    })
    .optional(),
});
const Lint = z.object({ overrides: z.array(Override) });

/** In the order of their imports: a folder imports only folders above it. */
const FOLDERS = [
  'domain',
  'platform',
  'connectors',
  'channels',
  'db',
  'services',
  'activities',
  'workflows',
  'worker',
  'agent',
  'api',
  'cli',
  'dashboard',
] as const;

/** The folders that each folder can import, as the lint rules of `biome.json` enforce it. */
export function describeImports(lintConfiguration: string): string {
  const { overrides } = Lint.parse(JSON.parse(lintConfiguration));
  const rows = FOLDERS.map((folder) => {
    const rule = overrides
      .filter(({ includes }) => includes.length === 1 && includes[0] === `${folder}/**`)
      .flatMap(({ linter }) => linter?.rules.style?.noRestrictedImports ?? [])
      .find((found) => typeof found === 'object');
    if (typeof rule !== 'object') throw new Error(`biome.json has no import rule for ${folder}/. Add one.`);
    const groups = rule.options.patterns.map(({ group }) => group);
    return [`\`${folder}/\``, listFolders(folder, groups), listPackages(groups)];
  });
  return table(['Folder', 'Can import', 'Libraries'], rows);
}

function listFolders(folder: string, groups: readonly (readonly string[])[]): string {
  const parts = new Map<string, string[]>(FOLDERS.filter((other) => other !== folder).map((other) => [other, ['']]));
  for (const group of groups)
    for (const denied of group.filter((pattern) => !pattern.startsWith('!')).flatMap(readFolders))
      parts.set(
        denied,
        group.flatMap((pattern) => readPart(pattern, denied)),
      );
  const named = [...parts].flatMap(([other, allowed]) => {
    if (allowed.includes('')) return [`\`${other}\``];
    return allowed.length === 0 ? [] : [`\`${other}\` (only ${allowed.map((part) => `\`${part}\``).join(', ')})`];
  });
  return named.length === 0 ? 'no other folder' : named.join(', ');
}

/** `**\/{api,cli}/**` denies two folders. Other patterns deny files or packages. */
function readFolders(pattern: string): string[] {
  const [, several, one] = /^\*\*\/(?:\{([\w,-]+)\}|([\w-]+))\/\*\*$/.exec(pattern) ?? [];
  return several?.split(',') ?? (one === undefined ? [] : [one]);
}

/** `!**\/workflows/index.js` allows one file of a denied folder. */
function readPart(pattern: string, folder: string): string[] {
  const prefix = `!**/${folder}/`;
  return pattern.startsWith(prefix) ? [pattern.slice(prefix.length).replace(/\.js$/, '')] : [];
}

function listPackages(groups: readonly (readonly string[])[]): string {
  const packages = groups.find((group) => group.includes(':PACKAGE:'));
  const named = packages?.flatMap((pattern) => (pattern.startsWith('!') && !pattern.endsWith('/**') ? [pattern.slice(1)] : []));
  const node = groups.some((group) => group.includes(':NODE:')) ? 'no Node built-ins' : null;
  const listed = named === undefined ? 'any' : named.join(', ');
  return node === null ? listed : `${listed}; ${node}`;
}
