import { describe, expect, it } from 'vitest';
import { compileRules, findBehaviours, readRuleFiles } from '../../../activities/entities/behaviours.js';
import { readContent } from '../../../activities/entities/read-content.js';

const RULES = compileRules(readRuleFiles());
const write = (content: string | object) => (typeof content === 'string' ? content : JSON.stringify(content));
const read = async (content: string | object) => (await readContent(write(content))).activity;
const find = async (content: string | object) => findBehaviours(await read(content), RULES).map(({ id }) => id);

it('has at least 60 rules that alone make an alert suspicious', () => {
  expect(RULES.filter(({ points }) => points >= 30).length).toBeGreaterThanOrEqual(60);
});

describe.each(RULES)('$file: $id', (rule) => {
  it('finds its positive example', async () => {
    expect(findBehaviours(await read(rule.positive), [rule]).map(({ id }) => id)).toEqual([rule.id]);
  });

  it('does not find its negative example', async () => {
    expect(findBehaviours(await read(rule.negative), [rule])).toEqual([]);
  });
});

const COMMAND = 'vssadmin delete shadows /all /quiet';

describe('a command is found', () => {
  it.each([
    ['a JSON field', { process: { command_line: COMMAND } }],
    ['JSON in a text of JSON', { event: JSON.stringify({ CommandLine: COMMAND }) }],
    ['key=value with spaces', `host=FS-01 cmd=${COMMAND} user=jane`],
    ['a quoted value', `host=FS-01 cmd="${COMMAND}" user=jane`],
    ['a line with a label', `Severity: Critical\nCommand line: ${COMMAND}`],
    ['a line of its own', `Ransomware on FS-01\n${COMMAND}`],
    ['a sentence that says what ran', `cmd.exe executed ${COMMAND}. 400 files renamed.`],
    ['a list', `FS-01: ${COMMAND}, 400 renamed files`],
    ['CEF', `CEF:0|Acme|EDR|1|7|Ransomware behavior|9|dhost=fs-01 cmd=${COMMAND} suser=jane`],
    ['a Windows event', `<Event><EventData><Data Name="CommandLine">${COMMAND}</Data></EventData></Event>`],
    ['quotes and carets', { command_line: 'cmd /c "vss^admin.exe" de^lete  shadows /all' }],
    ['an encoded command', { command_line: `powershell -enc ${Buffer.from(COMMAND, 'utf16le').toString('base64')}` }],
  ])('in %s', async (_, content) => {
    expect(await find(content)).toContain('shadow-copies-deleted');
  });
});

describe('a text that only mentions behaviour states none', () => {
  it.each([
    ['an article', `Attackers run commands such as ${COMMAND} before they encrypt files.`],
    ['an advisory', `The advisory lists: ${COMMAND}; bcdedit /set {default} recoveryenabled no`],
    ['a blocked test', `Test of the week: ran ${COMMAND}. It was blocked.`],
    ['a simulation', { is_simulation: true, command_line: COMMAND }],
    ['a vulnerability report', { title: 'CVE-2024-3094', description: `After the exploit, groups run ${COMMAND}.`, cvss: 10 }],
    [
      'a mail',
      `From: news@list.example\nTo: jane@acme.example\nSubject: Weekly\nMessage-ID: <1@list.example>\nMIME-Version: 1.0\n\nCommand line: ${COMMAND}`,
    ],
    ['a rule name', { rule: { name: 'vssadmin delete shadows' }, message: 'The rule was edited.' }],
    ['training', 'Course 4: how jane was added to the group Domain Admins in the exercise'],
  ])('%s', async (_, content) => {
    expect(await find(content)).toEqual([]);
  });
});

it.each([
  'User temp7 was added to the group Domain Admins by adm.',
  'New member of Domain Admins: temp7',
  'A member was added to a security-enabled global group.\n\nSubject:\n\tAccount Name:\tadm\n\nGroup:\n\tGroup Name:\tDomain Admins',
])('finds a new member of a privileged group in %j', async (content) => {
  expect(await find(content)).toContain('privileged-group-member');
});

it('shows no password of a command', async () => {
  const [found] = findBehaviours(
    await read({ command_line: 'rar a -hpS3cret c:\\users\\public\\d.rar --password=S3cret --token S3cret' }),
    RULES,
  );
  expect(found?.stated).toContain('rar a');
  expect(found?.stated).not.toMatch(/s3cret/i);
});

it.each([
  ['one field', { command_line: 'rclone copy '.repeat(80_000) }],
  ['many fields', Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`value${n}`, 'vssadmin delete '.repeat(12)]))],
  ['many commands', Array.from({ length: 2000 }, (_, n) => ({ command_line: `${n} rclone copy ${'iex '.repeat(100)}` }))],
])('reads a bounded part of hostile content in %s', async (_, content) => {
  const { commands, fields } = await read(content);
  const length = (texts: Iterable<string>) => [...texts].reduce((sum, text) => sum + text.length, 0);
  expect(length(commands)).toBeLessThanOrEqual(65_536);
  expect(length([...fields.values()].flat())).toBeLessThanOrEqual(65_536);
  // The limit of one evaluation is far from it: no rule fails.
  expect(() => findBehaviours({ commands, fields, eventIds: [], actions: [], isSimulation: false }, RULES)).not.toThrow();
});

describe('a mistake in a file of rules', () => {
  const rule = (more = '') =>
    `tactic: impact\nrules:\n  - id: one\n    title: One\n    techniques: [T1490]\n    points: 30\n    condition: |\n      commands.size() > 0\n${more}    positive: a\n    negative: b\n`;
  const load = (text: string) => compileRules([{ file: 'x.yaml', text }]);

  it.each([
    [
      'an unknown variable',
      rule().replace('commands.size() > 0', 'true &&\n        command.size() > 0'),
      /^x\.yaml:9: Unknown variable: command/,
    ],
    ['a serious finding', rule().replace('points: 30', 'points: 45'), /^x\.yaml:6: /],
    ['a field that does not exist', rule('    colour: red\n'), /^x\.yaml:3: .*colour/],
    ['broken YAML', rule().replace('[T1490]', '[T1490'), /^x\.yaml:\d+: /],
    ['a second rule with the same id', rule() + rule().split('rules:\n')[1], /^x\.yaml: two rules have the id one/],
  ])('is reported: %s', (_, text, message) => {
    expect(() => load(text)).toThrow(message);
  });
});
