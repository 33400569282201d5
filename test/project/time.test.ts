import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const list = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** A column of drizzle that the code would read as a Date or as text. */
const OTHER_COLUMN = /\b(?:timestamp|time|interval)\(/;
const DATE_TYPE = /[:<|] ?Date\b(?!\.)/;

describe('one representation of time', () => {
  it.each(list('db/schema'))('%s has columns of epoch seconds', (file) => {
    expect(OTHER_COLUMN.exec(read(file))?.[0]).toBeUndefined();
  });

  it.each(['domain', 'services', 'db'].flatMap(list))('%s has no type with a Date', (file) => {
    expect(DATE_TYPE.exec(read(file))?.[0]).toBeUndefined();
  });

  it('reports a Date in a type and another column', () => {
    for (const source of ['(now: Date)', 'readonly at: Date | null', 'Promise<Date>', 'number | Date'])
      expect(DATE_TYPE.test(source)).toBe(true);
    expect(OTHER_COLUMN.test("seenAt: timestamp({ mode: 'string' }),")).toBe(true);
  });
});
