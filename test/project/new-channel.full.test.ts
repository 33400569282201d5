import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_SOURCES = /^(?:node_modules|\.git|\.data.*|dist|pages|coverage)$/;
const LIMIT_MS = 240_000;

const CONTRACT = `import { z } from 'zod';
import { defineChannel, httpsUrl, secret } from '../kit/define.js';

export const pager = defineChannel({
  kind: 'pager',
  title: 'Pager',
  settings: z.strictObject({ url: httpsUrl().meta({ title: 'Pager URL', description: 'The address of the pager.' }) }),
  secrets: z.strictObject({ token: secret('Token') }),
  receiver: 'url',
  sendsDigests: true,
  bringsDecisions: true,
  updatesMessages: false,
  isSigned: false,
});
`;

const DELIVER = `import { type Deliver, requireAccepted } from '../kit/deliver.js';
import type { pager } from './contract.js';

export const deliverPager: Deliver<typeof pager> = async ({ settings: { url }, secrets: { token }, message, http }) => {
  const { title, link } = message;
  requireAccepted(await http.request({ method: 'POST', url, headers: { authorization: \`Bearer \${token}\` }, json: { title, link } }));
  return null;
};
`;

const SCRIPT = `import { describeChannels } from './api/routes/notification-channels.js';
import { implementations } from './channels/implementations.js';
import { CreateChannel, SaveRule } from './services/notifications/wire.js';

const requests: unknown[] = [];
await implementations.pager({
  settings: { url: 'https://pager.example' },
  secrets: { token: 'pager-token' },
  signingSecrets: [],
  event: { id: 'x', name: 'notification.test', organization: 'DEMO', sequence: 1, at: 0, data: { channel_id: 'x' } },
  message: { title: 'Hello', link: 'https://dashboard.example', items: [], decision: null },
  http: { request: async (request: unknown) => (requests.push(request), { status: 202, headers: {}, text: '', json: () => null }) } as never,
  egress: {} as never,
  sentPlace: null,
  signal: new AbortController().signal,
});
const given = { organization_code: 'DEMO', name: 'Night', kind: 'pager', secrets: { token: 'pager-token' } };
const check = (url: string) => CreateChannel.safeParse({ ...given, settings: { url } }).error?.issues ?? [];
console.log(JSON.stringify({
  form: describeChannels().find(({ kind }) => kind === 'pager'),
  digest: SaveRule.shape.digest.description,
  requests,
  accepted: check('https://pager.example'),
  refused: check('http://pager.example'),
}));
`;

interface Findings {
  readonly form: unknown;
  readonly digest: string;
  readonly requests: readonly unknown[];
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

/** A copy of the project with one more channel: its folder, and a line in each of the two lists. */
describe('a new channel', () => {
  let copy: string;
  let findings: Findings;
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, args, { cwd: copy, maxBuffer: 64_000_000 }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
    });

  beforeAll(async () => {
    copy = await mkdtemp(path.join(tmpdir(), 'alert-investigator-new-channel-'));
    await cp(ROOT, copy, { recursive: true, filter: (source) => !NOT_SOURCES.test(path.relative(ROOT, source)) });
    await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
    const folder = path.join(copy, 'channels/pager');
    await mkdir(folder);
    await writeFile(path.join(folder, 'contract.ts'), CONTRACT);
    await writeFile(path.join(folder, 'deliver.ts'), DELIVER);
    await addLine('catalogue.ts', "import { pager } from './pager/contract.js';", 'pager');
    await addLine('implementations.ts', "import { deliverPager } from './pager/deliver.js';", 'pager: deliverPager');
    await writeFile(path.join(copy, 'findings.ts'), SCRIPT);
    findings = JSON.parse((await run('--import', 'tsx', 'findings.ts')).stdout);
  }, LIMIT_MS);
  afterAll(() => rm(copy, { recursive: true, force: true }));

  async function addLine(list: string, importLine: string, entry: string): Promise<void> {
    const file = path.join(copy, 'channels', list);
    const text = await readFile(file, 'utf8');
    await writeFile(file, `${importLine}\n${text.replace(/^export const \w+ = \{/m, (line) => `${line} ${entry},`)}`);
  }

  it('compiles', async () => {
    await run('node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json', '--singleThreaded');
  }, 240_000);

  it('has a form', () => {
    expect(findings.form).toMatchObject({
      title: 'Pager',
      settings: [{ name: 'url', label: 'Pager URL', help: 'The address of the pager.', secret: false, required: true }],
      secrets: [{ name: 'token', label: 'Token', secret: true, required: true }],
      receiver: 'url',
      sends_digests: true,
      has_signing_secret: false,
    });
  });

  it('is checked by the API and offered for digests', () => {
    expect(findings.accepted).toEqual([]);
    expect(findings.refused).toEqual([expect.objectContaining({ path: ['settings', 'url'], message: 'must begin with https://' })]);
    expect(findings.digest).toContain('Pager');
  });

  it('sends messages', () => {
    expect(findings.requests).toEqual([
      {
        method: 'POST',
        url: 'https://pager.example',
        headers: { authorization: 'Bearer pager-token' },
        json: { title: 'Hello', link: 'https://dashboard.example' },
      },
    ]);
  });
});
