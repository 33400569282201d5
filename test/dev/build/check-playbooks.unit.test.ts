import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { findFaults } from '../../../dev/build/check-playbooks.js';
import { writePlaybookList } from '../../../dev/build/playbook-list.js';

const WORKFLOWS = fileURLToPath(new URL('../../../workflows', import.meta.url));
const wrap = (name: string, definition: string) => `
import { playbook } from '${WORKFLOWS}/playbook.js';
export const ${name} = playbook(${definition}, async () => {});
`;

it('finds the playbooks that cannot run, and lists the others', async () => {
  const folder = mkdtempSync(path.join(fileURLToPath(new URL('.', import.meta.url)), 'faulty-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(folder, { recursive: true });
  const files = {
    good: wrap('good', "{ title: 'Good', alertTypes: ['Good'] }"),
    fetching: `${wrap('fetching', "{ title: 'Fetching', alertTypes: ['Fetching'] }")}await fetch('https://example.com');`,
    'node-module': `import { readFileSync } from 'node:fs';\nexport const nodeModule = readFileSync;\n`,
    broken: 'export const broken = (',
    nameless: wrap('another', "{ title: 'Nameless', alertTypes: ['Nameless'] }"),
    throwing: "throw new RangeError('not today');\n",
    missing: "export { missing } from './nowhere.js';\n",
    untyped: wrap('untyped', "{ title: 'Untyped', alertTypes: 'Untyped' } as never"),
  };
  for (const [name, code] of Object.entries(files)) writeFileSync(path.join(folder, `${name}.ts`), code);
  const faults = await findFaults(folder);
  const reasons = new Map(faults.map(({ name, reason }) => [name, reason]));
  expect([...reasons.keys()]).toEqual(['broken', 'fetching', 'missing', 'nameless', 'node-module', 'throwing', 'untyped']);
  expect(reasons.get('fetching')).toMatch(/fetching\.ts uses fetch\. .* Ask a skill/);
  expect(reasons.get('node-module')).toMatch(/node-module\.ts imports node:fs\. /);
  expect(reasons.get('broken')).toMatch(/broken\.ts cannot be loaded: /);
  expect(reasons.get('missing')).toMatch(/missing\.ts cannot be loaded: .*nowhere/);
  expect(reasons.get('nameless')).toMatch(/nameless\.ts exports no playbook with the name nameless\./);
  expect(reasons.get('throwing')).toMatch(/throwing\.ts cannot be loaded: not today/);
  expect(reasons.get('untyped')).toMatch(/untyped\.ts has a wrong definition: .*alertTypes/);
  writePlaybookList(folder, (name) => !reasons.has(name));
  expect(readFileSync(path.join(folder, 'index.ts'), 'utf8')).toContain("export { good } from './good.js';");
  expect(readFileSync(path.join(folder, 'index.ts'), 'utf8')).not.toContain('fetching');
});
