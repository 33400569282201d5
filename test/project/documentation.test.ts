import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateDocuments } from '../../dev/docs/generated.js';
import { readSettings, SETTING_NAMES } from '../../platform/settings.js';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFile(new URL(file, root), 'utf8');

/** `#PORT=3000` or `PORT=3000`, by name. */
async function readExample(): Promise<Map<string, string>> {
  const lines = (await read('.env.example')).matchAll(/^#?(?<name>[A-Z][A-Z0-9_]*)=(?<value>.*)$/gm);
  return new Map([...lines].map(({ groups }) => [groups?.name ?? '', groups?.value ?? '']));
}

async function listDocuments(): Promise<string[]> {
  const inDocs = await readdir(new URL('docs', root), { recursive: true });
  const documents = inDocs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...documents];
}

/** The id that GitHub gives to a heading. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

describe('.env.example', () => {
  it('lists every setting, each below a line that describes it', async () => {
    expect([...(await readExample()).keys()]).toEqual(expect.arrayContaining(SETTING_NAMES));
    const undocumented = [...(await read('.env.example')).matchAll(/^(?!# ).*\n#?(?<name>[A-Z][A-Z0-9_]*)=/gm)].map(
      ({ groups }) => groups?.name,
    );
    expect(undocumented).toEqual([]);
  });

  it('shows the defaults', async () => {
    const defaults = new Map(Object.entries(readSettings({})).map(([name, value]) => [name, String(value)]));
    const shown = await readExample();
    for (const [name, value] of defaults) expect([name, shown.get(name)]).toEqual([name, value]);
  });

  it('lists no setting that no process reads', async () => {
    const compose = await read('docker-compose.yml');
    const unread = [...(await readExample()).keys()].filter((name) => !SETTING_NAMES.includes(name) && !compose.includes(`\${${name}`));
    expect(unread).toEqual([]);
  });
});

describe('README.md', () => {
  it('has at most 8 KB', async () => {
    expect(Buffer.byteLength(await read('README.md'))).toBeLessThanOrEqual(8 * 1024);
  });

  it('has the two commands', async () => {
    const readme = await read('README.md');
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) expect(readme).toContain(command);
  });
});

describe('generated documents', () => {
  it.each(generateDocuments())('$file is up to date (`npm run docs` writes it)', async ({ file, content }) => {
    expect(await read(file)).toBe(content);
  });

  it('describe every setting', async () => {
    const rows = (await read('docs/configuration.md')).split('\n').filter((line) => line.startsWith('|'));
    expect(SETTING_NAMES.filter((name) => !rows.some((row) => row.startsWith(`| \`${name}\` |`)))).toEqual([]);
  });
});

describe('docs/api.md', () => {
  it('lists the path of every route', async () => {
    const folder = new URL('api/routes/', root);
    const sources = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')));
    const paths = sources.flatMap((source) =>
      [...source.matchAll(/'\/platformapi(?<path>\/[^']*)'/g)].map(({ groups }) => groups?.path ?? ''),
    );
    const document = await read('docs/api.md');
    const documented = paths.map((each) => each.replace(/:(\w+)/g, '{$1}'));
    expect(documented.length).toBeGreaterThan(40);
    expect(documented.filter((each) => !document.includes(`${each}\``))).toEqual([]);
  });
});

describe.each(await listDocuments())('%s', (document) => {
  it('names only npm scripts that exist', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(await read('package.json'));
    const named = [...(await read(document)).matchAll(/\bnpm run (?:-s )?(?<script>[a-z][a-z:-]*)/g)].map(
      ({ groups }) => groups?.script ?? '',
    );
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('links to files and headings that exist', async () => {
    const links = [...(await read(document)).matchAll(/\]\((?<target>[^)\s]+)\)/g)].map(({ groups }) => groups?.target ?? '');
    const broken: string[] = [];
    for (const link of links.filter((target) => !/^https?:/.test(target))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? document : path.join(path.dirname(document), file);
      const text = await read(target).catch(() => null);
      const headings = [...(text ?? '').matchAll(/^#+ (?<title>.+)$|<a id="(?<id>[^"]+)">/gm)];
      const anchors = headings.map(({ groups }) => groups?.id ?? toAnchor(groups?.title ?? ''));
      if (text === null || (anchor !== undefined && !anchors.includes(anchor))) broken.push(link);
    }
    expect(broken).toEqual([]);
  });

  it('names only files that exist', async () => {
    const folders = 'activities|agent|api|bench|cli|dashboard|db|domain|local|platform|rehearsal|faults|test|tools|worker|workflows|docs';
    const named = [...(await read(document)).matchAll(new RegExp(`\`(?<file>(?:${folders})/[\\w./-]+\\.(?:ts|tsx|json|md))\``, 'g'))];
    const files = [...new Set(named.map(({ groups }) => groups?.file ?? ''))].filter((file) => !/data-loss|questions\.ts/.test(file));
    const missing: string[] = [];
    for (const file of files) await read(file).catch(() => missing.push(file));
    expect(missing).toEqual([]);
  });
});
