import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextlintResult } from '@textlint/kernel';
import { loadLinterFormatter } from 'textlint';
import { z } from 'zod';
import { createProseLinter } from './prose-linter.js';

const USAGE = `Usage: npm run prose [-- --all | <files>]

Checks the files that dev/prose/checked-files.json lists for the phrases of banned-phrases.json.
  --all    also counts the phrases in all other source files, without failing
  <files>  checks these files only`;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { checked, ignored, remaining } = z
  .strictObject({ checked: z.array(z.string()), ignored: z.array(z.string()), remaining: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(new URL('./checked-files.json', import.meta.url), 'utf8')));

const linter = createProseLinter(root);

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(USAGE);
} else {
  const files = given.filter((argument) => !argument.startsWith('--'));
  const results = await linter.lintFiles(files.length > 0 ? files : checked);
  const formatter = await loadLinterFormatter({ formatterName: 'unix' });
  const problems = results.filter(({ messages, filePath }) => messages.length > 0 && !ignored.includes(path.relative(root, filePath)));
  if (problems.length > 0) {
    console.log(formatter.format(problems));
    process.exitCode = 1;
  }
  if (given.includes('--all')) printCounts(await linter.lintFiles(remaining), new Set(results.map(({ filePath }) => filePath)));
}

function printCounts(results: readonly TextlintResult[], alreadyChecked: ReadonlySet<string>): void {
  const counts = new Map<string, number>();
  for (const { filePath, messages } of results) {
    if (alreadyChecked.has(filePath)) continue;
    const folder = path.relative(root, filePath).split(path.sep)[0] ?? '';
    counts.set(folder, (counts.get(folder) ?? 0) + messages.length);
  }
  console.log('Banned phrases in files that are not checked yet:');
  for (const [folder, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(`  ${folder.padEnd(12)} ${count}`);
}
