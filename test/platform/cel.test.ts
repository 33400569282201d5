import { describe, expect, it } from 'vitest';
import { CelCompiler, CelError } from '../../platform/cel.js';

const compiler = new CelCompiler({
  variables: { commands: 'list<string>', count: 'int' },
  functions: [{ signature: 'twice(int): int', run: (value: bigint) => value * 2n }],
});
const PLACE = { file: 'rules.yaml', line: 10 };
const compile = (source: string) => compiler.compile(source, PLACE);
const holds = (source: string, values: object = {}) => compile(source).evaluate({ commands: [], count: 0n, ...values }).holds;

describe('an expression', () => {
  it('matches a text, or one text of a list', () => {
    expect(holds("commands.exists(c, c.matches(r'\\bdel\\s'))", { commands: ['del x'] })).toBe(true);
    expect(holds("commands.matches(r'\\bdel\\s')", { commands: ['dir', 'del x'] })).toBe(true);
    expect(holds("commands.matches(r'\\bdel\\s')", { commands: ['dir', 'delete'] })).toBe(false);
  });

  it('calls functions of the program', () => {
    expect(holds('twice(count) == 6', { count: 3n })).toBe(true);
  });

  it('says which texts its patterns matched', () => {
    expect(compile("commands.matches('del')").evaluate({ commands: ['dir', 'del x'], count: 0n }).matched).toEqual(['del x']);
  });
});

describe('a mistake', () => {
  it.each([
    ['commandz.size() > 0', 'rules.yaml:10: Unknown variable: commandz.'],
    ['count > 0 &&\n  count.nothing()', /^rules\.yaml:11: /],
    ['count > 0 &&', /^rules\.yaml:10: /],
    ['count + 1', 'rules.yaml:10: The expression must be true or false, but it is of the type int.'],
    ['count > 0\n || commands.matches("(?=a)")', /^rules\.yaml:11: The pattern is no RE2 pattern: .* RE2 has no lookaround/],
    ['commands.exists(c, c.matches(c))', 'rules.yaml:10: The pattern of matches must be a text in quotes.'],
    ['commands.matches("(a{1,900}){1,900}")', /^rules\.yaml:10: The pattern is /],
    [
      'commands.exists(a, commands.exists(b, commands.exists(c, a == c)))',
      'rules.yaml:10: Loops can nest 2 times, to bound the cost. Use fewer.',
    ],
  ])('in %j is reported with its file and line', (source, message) => {
    expect(() => compile(source)).toThrow(CelError);
    expect(() => compile(source)).toThrow(message);
  });

  it('in a pattern is reported at its first use, if the compiler does not check patterns', () => {
    const expression = compiler.compile("commands.matches('(')", PLACE, { checksPatterns: false });
    expect(() => expression.evaluate({ commands: ['x'], count: 0n })).toThrow(/^rules\.yaml:10: /);
  });
});

describe('the cost', () => {
  it('of a pattern grows with the length of the text, where RegExp takes exponential time', () => {
    expect(holds("commands.matches('^(a+)+$')", { commands: [`${'a'.repeat(50_000)}!`] })).toBe(false);
  });

  it('of an evaluation is limited', () => {
    const commands = Array.from({ length: 100 }, () => 'a'.repeat(1000));
    const expression = compile("commands.exists(a, commands.matches('b'))");
    expect(() => expression.evaluate({ commands, count: 0n })).toThrow(/^rules\.yaml:10: The evaluation reads more than/);
  });
});
