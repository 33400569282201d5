import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const at = (file: string) => new URL(`../../${file}`, import.meta.url);
const document = readFileSync(at('docs/threat-model.md'), 'utf8');

const ACTORS = [
  'Client without a valid credential',
  'Sender',
  'Alert author',
  'Analyst',
  'Organization admin',
  'Operator',
  'Remote agent and its host',
  'Third party',
  'Person on the network of Temporal',
];

describe('docs/threat-model.md', () => {
  // That the files exist is a rule for all documents (documentation.test.ts).
  it('names a test for each act that an actor cannot do', () => {
    const tables = [...document.matchAll(/^\| Cannot \| Test \|\n\|---\|---\|\n(?<rows>(?:\|.*\n)+)/gm)];
    const rows = tables.flatMap(({ groups }) => groups?.rows?.trim().split('\n') ?? []);
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row).toMatch(/\| (?:`test\/[\w./-]+\.test\.ts`(?:, )?)+ \|$/);
  });

  it.each(ACTORS)('has a table for the actor: %s', (actor) => {
    const [, section = ''] = document.split(`\n### ${actor}\n`);
    expect(section.split('\n### ')[0]).toContain('| Cannot | Test |');
  });
});
