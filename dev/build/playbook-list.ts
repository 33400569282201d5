import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PLAYBOOKS = fileURLToPath(new URL('../../workflows/playbooks/', import.meta.url));
const LIST = 'index.ts';

/** Each file of the folder holds one playbook and exports it under the file's name in camel case. */
export function playbookFiles(folder = PLAYBOOKS): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== LIST)
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

export function exportName(file: string): string {
  return file.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Writes `workflows/playbooks/index.ts`, which is not tracked, unless it is up to date. Default: with every file of the folder. */
export function writePlaybookList(folder = PLAYBOOKS, isListed: (name: string) => boolean = () => true): void {
  const lines = playbookFiles(folder)
    .filter(isListed)
    .map((file) => `export { ${exportName(file)} } from './${file}.js';\n`);
  const text = `// Generated from the files of this folder. Do not edit.\n${lines.join('')}`;
  const list = join(folder, LIST);
  if (existsSync(list) && readFileSync(list, 'utf8') === text) return;
  // Write and rename, so that another process never reads a partial file.
  const unfinished = `${list}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, list);
}
