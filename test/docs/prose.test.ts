import { describe, expect, it } from 'vitest';
import { createProseLinter } from '../../dev/prose/prose-linter.js';

const linter = createProseLinter(process.cwd());

async function lint(text: string, file: string): Promise<string[]> {
  const { messages } = await linter.lintText(text, file);
  return messages.map(({ line, column, message }) => `${line}:${column} ${message.split(':')[0]}`);
}

describe('the prose check', () => {
  it('reports a banned phrase in Markdown, with its place', async () => {
    expect(await lint('# Title\n\nThe worker weighs it.', 'a.md')).toEqual(['3:12 "weighs"']); // prose-allow
  });

  it('does not read code in Markdown', async () => {
    expect(await lint('Run `su nobody`.\n\n```sh\nsu - nobody\n```', 'a.md')).toEqual([]); // prose-allow
  });

  it('reads comments, strings with a space, templates and page texts of TypeScript', async () => {
    const code = [
      '// Whoever calls it.', // prose-allow
      "const name = 'nobody';",
      "const text = 'Nobody did.';", // prose-allow
      ['const whole = `$', '{name} mends it`;'].join(''), // prose-allow
      'const page = <p>A grave alert</p>;', // prose-allow
    ].join('\n');
    expect(await lint(code, 'a.tsx')).toEqual(['1:4 "Whoever"', '3:15 "Nobody"', '4:24 "mends"', '5:19 "grave"']); // prose-allow
  });

  it('accepts an exception on the line of the phrase or on the line before it', async () => {
    expect(await lint('The user is called nobody. <!-- prose-allow -->', 'a.md')).toEqual([]); // prose-allow
    expect(await lint('// prose-allow: a user name\n// It runs as nobody here.', 'a.ts')).toEqual([]);
  });
});
