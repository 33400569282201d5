import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TRANSPORTS = ['api', 'activities', 'worker', 'cli', 'agent', 'channels', 'connectors'];
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g;

const RULES: readonly (readonly [found: string, pattern: RegExp])[] = [
  ['opens a transaction', /\.(?:transaction|begin)\(|\binTransaction\b/],
  ['writes an audit entry', /\b(?:recordAudit|insertAuditEntry)\b/],
  ['writes an event', /\brecord\w*Event\b|\bwritingNews\b/],
  ['writes a table', /`[^`]*\b(?:insert into|delete from|update \w+ set)\b/i],
  ['has a table', /\/db\/schema\//],
];

const files = TRANSPORTS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`),
);

function findRules(source: string): string[] {
  const code = source.replace(COMMENT, '');
  return RULES.flatMap(([found, pattern]) => (pattern.test(code) ? [found] : []));
}

describe('a transport calls commands of services/ and has no rule', () => {
  it.each(files)('%s', (file) => {
    expect(findRules(readFileSync(join(ROOT, file), 'utf8'))).toEqual([]);
  });

  it.each([
    ['await db.transaction(async (transaction) => {});', 'opens a transaction'],
    ['await pg.begin(async (transaction) => {});', 'opens a transaction'],
    ["import { type Context, inTransaction } from '../services/context.js';", 'opens a transaction'],
    ['await recordAudit(db, entry);', 'writes an audit entry'],
    ['await recordCaseEvent(db, event);', 'writes an event'],
    ['await pg`insert into cases (case_uuid) values (1)`;', 'writes a table'],
    ["import { cases } from '../db/schema/index.js';", 'has a table'],
  ])('finds the rule in %s', (source, found) => {
    expect(findRules(source)).toEqual([found]);
  });

  it('allows a call of a command', () => {
    expect(findRules('// One transaction: db.transaction(work).\nreturn createView(context, body);')).toEqual([]);
  });
});
