import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SCHEMA = fileURLToPath(new URL('../../db/schema', import.meta.url));
const COLUMN =
  /(\w+): (unreferenced\(\s*(?:'[^']{10,}'|[A-Z_]+),\s*)?uuid\((?:'\w+')?\)((?:\s*\.\w+\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)/g;

/** A column is a key, has a foreign key, is computed, or gives its reason to `unreferenced`. */
function listUnexplained(source: string): string[] {
  const columns = [...source.matchAll(COLUMN)];
  return columns.flatMap(([, name = '', reason, chain = '']) =>
    reason !== undefined || /\.(?:primaryKey|references|generatedAlwaysAs)\(/.test(chain) ? [] : [name],
  );
}

describe('each uuid column has a foreign key or a reason', () => {
  it.each(readdirSync(SCHEMA))('in %s', (file) => {
    const source = readFileSync(`${SCHEMA}/${file}`, 'utf8');
    expect(listUnexplained(source)).toEqual([]);
    expect([...source.matchAll(COLUMN)]).toHaveLength([...source.matchAll(/(?<!\w)uuid\(/g)].length);
  });

  it.each([
    ['alertUuid: uuid().notNull(),', ['alertUuid']],
    ["principalUuid: uuid('key_uuid'),", ['principalUuid']],
    ['alertUuid: uuid()\n  .notNull()\n  .references(() => alerts.alertUuid),', []],
    ['mergedInto: uuid().references((): AnyPgColumn => cases.caseUuid),', []],
    ["alertUuid: unreferenced('History outlives the alert.', uuid().notNull()),", []],
    ['alertUuid: unreferenced(PER_ALERT, uuid()),', []],
  ])('reads %s', (source, unexplained) => {
    expect(listUnexplained(source)).toEqual(unexplained);
  });
});
