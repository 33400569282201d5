import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** The number of statements whose refusal by the database, or whose earlier tables, are the point of a test. Only lower them. */
const STATEMENTS: Readonly<Record<string, number>> = {
  'api/audit.test.ts': 5,
  'cli/backup-commands.full.test.ts': 4,
  'cli/backup.full.test.ts': 1,
  'cli/erase-person.test.ts': 1,
  'dev/attack/attack.full.test.ts': 1,
  'workflows/retention.test.ts': 5,
};

const TESTS = fileURLToPath(new URL('..', import.meta.url));
const WRITE =
  /\b(?:insert\s+into|delete\s+from|truncate)\s+["$\w]|\bupdate\s+(?:only\s+)?["$\w{}().]+\s+set\b|\b(?:db|transaction|tx)\s*\.(?:insert|update|delete)\(/g;
const count = (source: string) => source.match(WRITE)?.length ?? 0;
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/^(?:db|project|support)\//.test(file),
);

describe('tests write with commands, or with the builders of test/support/rows', () => {
  it('has no other statement that writes to a table', () => {
    const found = files.map((file): [string, number] => [file, count(readFileSync(`${TESTS}${file}`, 'utf8'))]);
    expect(Object.fromEntries(found.filter(([, statements]) => statements > 0))).toEqual(STATEMENTS);
  });

  it.each([
    'pg`insert into alerts (alert_id) values (1)`',
    'pg`\n  update alerts\n  set status = 1`',
    'pg`delete from alerts`',
    "'truncate alerts'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template.
    'sql`update ${alerts} set status = 1`',
    'db.insert(alerts).values(row)',
    'await db\n  .update(alerts).set(row)',
  ])('finds %j', (source) => {
    expect(count(source)).toBe(1);
  });

  it.each(['it("is deleted from the list")', "createHash('sha256').update(content)", 'the update of a set', 'service.request(`DELETE`)'])(
    'allows %j',
    (source) => {
      expect(count(source)).toBe(0);
    },
  );
});
