import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Files that still have rules. Only remove entries: a command of services/ is the place of a rule. */
const STILL_TO_CONVERT: readonly string[] = ['db/read-by-index.ts'];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const files = readdirSync(join(ROOT, 'db'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `db/${file}`);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const FAULT = /throw new Error\([\s\S]*?\);/g;
/** Three words or more, from a capital letter to a full stop. */
const SENTENCE = /^["'`][A-Z][^"`]*\s\S+\s[^"`]*\.["'`]$/;

/** A transaction is the frame of a command. A snapshot for reading is a query. */
function opensTransaction(file: string, code: string): boolean {
  const allowed = file === 'db/client.ts' ? 1 : 0;
  return (code.match(/\.(?:transaction|begin)\(/g) ?? []).length > allowed;
}

/** Anything but `Error`, which is a fault of the service that no transport shows to a person. */
function throwsForPeople(code: string): boolean {
  return /\bextends Error\b/.test(code) || /\bthrow new (?!Error\b)/.test(code);
}

function listSentences(code: string): string[] {
  const rest = code.replace(FAULT, '');
  const templates = [...rest.matchAll(/`(?:[^`\\]|\\.)*`/g)].map(([template]) => template);
  return [...rest.matchAll(STRING)]
    .map(([text]) => text)
    .concat(templates.filter((template) => !template.includes('\n')))
    .filter((text) => SENTENCE.test(text));
}

function findRules(file: string, source: string): string[] {
  const code = source.replace(COMMENT, '');
  return [
    ...(opensTransaction(file, code) ? ['opens a transaction'] : []),
    ...(throwsForPeople(code) ? ['throws an error for people'] : []),
    ...listSentences(code).map((text) => `has a sentence for people: ${text}`),
  ];
}

describe('db/ has tables and queries', () => {
  it.each(files.filter((file) => !STILL_TO_CONVERT.includes(file)))('%s has no rule', (file) => {
    expect(findRules(file, read(file))).toEqual([]);
  });

  it.each(STILL_TO_CONVERT)('%s still has a rule; otherwise remove it from the list', (file) => {
    expect(findRules(file, read(file))).not.toEqual([]);
  });

  it.each([
    ['await db.transaction(async (transaction) => {});', 'opens a transaction'],
    ['await pg.begin(async (transaction) => {});', 'opens a transaction'],
    ['class NameTaken extends Error {}', 'throws an error for people'],
    ["throw conflictError('x'); throw new CommandError('conflict', 'x');", 'throws an error for people'],
    ["return { refused: 'The case is closed. Open it first.' };", 'has a sentence for people'],
    ["const refused = sql`select 'The case is closed.'`;", 'has a sentence for people'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template.
    ['return `The case ${caseId} is closed.`;', 'has a sentence for people'],
  ])('finds the rule in %s', (source, found) => {
    expect(findRules('db/x.ts', source).join()).toContain(found);
  });

  it.each([
    "if (!view) throw new Error('The view is missing in its own transaction.');",
    '// The transaction of the caller: db.transaction(work).',
    "const label = 'service';",
  ])('allows %s', (source) => {
    expect(findRules('db/x.ts', source)).toEqual([]);
  });
});
