import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOMAIN = join(ROOT, 'domain');
const files = readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const read = (file: string) => readFileSync(join(DOMAIN, file), 'utf8');

/** The row of `domain/` in the table of folders. */
const [, listed = ''] = /^\| `domain\/` \|.*earlier groups: (.*) \|$/m.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')) ?? [];
const ORDER = [...listed.matchAll(/`([\w-]+)`/g)].map(([, group = '']) => group);

/** -1 for the files directly in domain/, which import no group. */
function readRank(file: string): number {
  return file.includes('/') ? ORDER.indexOf(file.split('/')[0] ?? '') : -1;
}

function findWrongImports(file: string, source: string): string[] {
  const targets = [...source.matchAll(/\bfrom '(\.[^']+)'/g)].map(([, path = '']) => relative(DOMAIN, join(DOMAIN, dirname(file), path)));
  return targets.filter((target) => dirname(target) !== dirname(file) && target.includes('/') && readRank(target) >= readRank(file));
}

/** Not in texts: the author check lists the globals that a playbook cannot use. */
const IMPURE = /(?<!['"`.\w])(?:Buffer\.|Date\.now\(|new Date\(\))/;

describe('domain/', () => {
  it('has the groups that docs/architecture.md lists', () => {
    const groups = readdirSync(DOMAIN, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(groups.map(({ name }) => name).sort()).toEqual([...ORDER].sort());
  });

  it.each(files)('%s imports only earlier groups', (file) => {
    expect(findWrongImports(file, read(file))).toEqual([]);
  });

  it.each(files)('%s takes the time as an argument and uses no Buffer', (file) => {
    expect(IMPURE.exec(read(file))?.[0]).toBeUndefined();
  });

  it.each([
    ['alert/x.ts', "import type { CaseStatus } from '../case/case.js';", 'case/case.js'],
    ['x.ts', "import { Severity } from './verdict/evidence.js';", 'verdict/evidence.js'],
  ])('reports an import against the order in %s', (file, source, target) => {
    expect(findWrongImports(file, source)).toEqual([target]);
  });

  it.each(['Buffer.byteLength(text)', 'const now = Date.now();', 'toDay(new Date())'])('reports %s', (source) => {
    expect(IMPURE.test(source)).toBe(true);
  });
});
