import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readSettings, SETTING_NAMES } from '../../platform/settings.js';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** `#PORT=3000` or `PORT=3000`, by name. */
async function example(): Promise<Map<string, string>> {
  const lines = (await read('.env.example')).matchAll(/^#?(?<name>[A-Z][A-Z0-9_]*)=(?<value>.*)$/gm);
  return new Map([...lines].map(({ groups }) => [groups?.name ?? '', groups?.value ?? '']));
}

describe('.env.example', () => {
  it('lists every setting, each below a line that says what it is', async () => {
    expect([...(await example()).keys()]).toEqual(expect.arrayContaining(SETTING_NAMES));
    const undocumented = [...(await read('.env.example')).matchAll(/^(?!# ).*\n#?(?<name>[A-Z][A-Z0-9_]*)=/gm)].map(
      ({ groups }) => groups?.name,
    );
    expect(undocumented).toEqual([]);
  });

  it('shows the defaults', async () => {
    const defaults = new Map(Object.entries(readSettings({})).map(([name, value]) => [name, String(value)]));
    const shown = await example();
    for (const [name, value] of defaults) expect([name, shown.get(name)]).toEqual([name, value]);
  });

  it('lists nothing that nobody reads', async () => {
    const compose = await read('docker-compose.yml');
    const unread = [...(await example()).keys()].filter((name) => !SETTING_NAMES.includes(name) && !compose.includes(`\${${name}`));
    expect(unread).toEqual([]);
  });
});

describe('README.md', () => {
  it('has every setting in its configuration table', async () => {
    const rows = (await read('README.md')).split('\n').filter((line) => line.startsWith('|'));
    expect(SETTING_NAMES.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
  });

  it('names only scripts that exist', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(await read('package.json'));
    const named = [...(await read('README.md')).matchAll(/\bnpm run (?<script>[a-z][a-z:-]*)/g)].map(({ groups }) => groups?.script ?? '');
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});
