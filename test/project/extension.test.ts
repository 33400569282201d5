import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catalogue as channels } from '../../channels/catalogue.js';
import { PAGES } from '../../domain/pages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GENERATED = /^(?:dashboard\/api-types\.ts|db\/migrations\/)/;
const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.tsx', ':!test', ':!dev', ':!local'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !GENERATED.test(file));
const sources = new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));

function listMentioning(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(sources.get(file) ?? ''));
}

/** The files that import a file of the folder, or the file itself, from outside of it. */
function listImporting(place: string): string[] {
  return files.filter((file) => {
    if (file.startsWith(place)) return false;
    const imported = [...(sources.get(file) ?? '').matchAll(/(?:from |import\()'(\.[^']*)'/g)];
    return imported.some(([, to = '']) => path.join(path.dirname(file), to).startsWith(place));
  });
}

/** Saved views are the example of CONTRIBUTING.md. */
describe('a table with routes', () => {
  it('has a folder of queries and one of commands, and touches at most six other files', () => {
    const own = /^(?:db|services)\/saved-views\//;
    const touched = listMentioning(/saved.?view|ViewedList/i).filter((file) => !own.test(file) && !file.startsWith('dashboard/'));
    expect(touched.sort()).toEqual([
      'api/app.ts',
      'api/http/named-schemas.ts',
      'api/routes/saved-views.ts',
      'db/lifecycle/personal-data.ts',
      'db/schema/cases.ts',
      'domain/case/viewed-list.ts',
    ]);
  });
});

/** `new-channel.full.test.ts` adds one. */
describe('a channel', () => {
  const LISTS = ['channels/catalogue.ts', 'channels/implementations.ts'];
  /** The buttons of messages need a connection of the worker to Slack. */
  const ALSO: Readonly<Record<string, readonly string[]>> = { slack: ['worker/slack/clicks.ts', 'worker/slack/sockets.ts'] };

  it.each(Object.keys(channels))('%s is one folder and a line in each of two lists', (kind) => {
    expect(listImporting(`channels/${kind}/`)).toEqual([...LISTS, ...(ALSO[kind] ?? [])]);
  });
});

/** `new-connector.full.test.ts` adds one. Stand-ins are for tests and the demo. */
describe('a connector', () => {
  const folders = [...new Set(files.flatMap((file) => /^connectors\/(?!kit\/)([\w-]+)\//.exec(file)?.[1] ?? []))];

  it.each(folders)('%s is one folder and a line in each of two lists', (kind) => {
    const importing = listImporting(`connectors/${kind}/`).filter((file) => file !== 'connectors/stand-ins.ts');
    expect(importing).toEqual(['connectors/catalogue.ts', 'connectors/implementations.ts']);
  });
});

describe('a page', () => {
  const routed = [...(sources.get('dashboard/router.tsx') ?? '').matchAll(/import\('\.\/(pages\/[\w-]+)\.js'\)/g)].map(([, page]) => page);

  it('has a route for each address', () => {
    expect(routed).toHaveLength(Object.keys(PAGES).length);
  });

  it.each(routed)('%s is its file, its address in domain/pages.ts and its route', (page) => {
    expect(listImporting(`dashboard/${page}.js`)).toEqual(['dashboard/router.tsx']);
  });
});
