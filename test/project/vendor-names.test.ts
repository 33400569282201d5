import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';

const FOLDERS = ['domain', 'db', 'services', 'api', 'activities', 'worker', 'agent', 'cli', 'channels', 'platform', 'dashboard'];
/** Generated, or examples of the API document. */
const EXEMPT = new Set([
  'dashboard/api-types.ts',
  'api/routes/connections.ts',
  'api/routes/credential-links.ts',
  'api/routes/playbooks.ts',
]);
const NAMES = Object.entries(catalogue).flatMap(([key, { kind }]) => [key, kind]);

it('only connectors/ names a connector', async () => {
  const { stdout } = await promisify(execFile)('git', ['ls-files', ...FOLDERS]);
  const files = stdout.split('\n').filter((file) => /\.tsx?$/.test(file) && !EXEMPT.has(file));
  const found = await Promise.all(
    files.map(async (file) => {
      const code = (await readFile(file, 'utf8').catch(() => '')).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return NAMES.filter((name) => code.includes(name)).map((name) => `${file} names ${name}`);
    }),
  );
  expect(found.flat(), 'Move the part of the connector to its folder in connectors/').toEqual([]);
});
