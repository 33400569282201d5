import { readdir, readFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPages } from '../support/pages.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let folder: string;
let assets: string[];
beforeAll(async () => {
  folder = await findPages();
  service = await startTestService({ dashboard: true, worker: false });
  assets = (await readdir(path.join(folder, 'assets'))).filter((file) => /\.(js|css)$/.test(file));
});
afterAll(() => service?.stop());

/** Returns the raw bytes, because `fetch` decompresses them. */
async function ask(
  address: string,
  accepts: string | null,
  more: Record<string, string> = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }> {
  return await new Promise((resolve, reject) => {
    const headers = { ...more, ...(accepts === null ? {} : { 'accept-encoding': accepts }) };
    get(`${service.url}${address}`, { headers }, (reply) => {
      buffer(reply).then((bytes) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes }), reject);
    }).on('error', reject);
  });
}

const readAsset = (file: string) => readFile(path.join(folder, 'assets', file));
const largest = async (ending: string): Promise<string> => {
  const sized = await Promise.all(
    assets.filter((file) => file.endsWith(ending)).map(async (file) => ({ file, size: (await readAsset(file)).length })),
  );
  return sized.toSorted((one, other) => other.size - one.size)[0]?.file ?? expect.fail(`there is no ${ending}`);
};

describe('a static file of the dashboard', () => {
  it.each([
    ['.js', 'application/javascript'],
    ['.css', 'text/css'],
  ])('%s is compressed as the browser accepts, and cached permanently', async (ending, type) => {
    const file = await largest(ending);
    const whole = await readAsset(file);
    const forms = [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync, 3],
      ['gzip', 'gzip', gunzipSync, 2.5],
      ['br;q=0, gzip', 'gzip', gunzipSync, 2.5],
      ['identity', undefined, (bytes: Buffer) => bytes, 1],
      [null, undefined, (bytes: Buffer) => bytes, 1],
    ] as const;
    for (const [accepts, encoding, unpack, smaller] of forms) {
      const { status, headers, bytes } = await ask(`/assets/${file}`, accepts);
      expect([status, headers['content-encoding']], `${accepts}`).toEqual([200, encoding]);
      expect(headers['content-type']).toContain(type);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers.vary?.toLowerCase()).toContain('accept-encoding');
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(unpack(bytes).equals(whole), `${accepts}`).toBe(true);
      expect(bytes.length * smaller, `${accepts}`).toBeLessThanOrEqual(whole.length);
    }
  });

  it('is revalidated on each request when its content can change', async () => {
    const { headers, bytes } = await ask('/color-scheme.js', 'br');
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'br' });
    expect(brotliDecompressSync(bytes).toString()).toBe(await readFile(path.join(folder, 'color-scheme.js'), 'utf8'));
    const again = await ask('/color-scheme.js', 'br', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('has no separate address for its compressed copies', async () => {
    const file = await largest('.js');
    for (const ending of ['.br', '.gz']) expect((await ask(`/assets/${file}${ending}`, null)).status).toBe(404);
  });
});

it('the index page is rendered per request, with its own nonce', async () => {
  const policies = await Promise.all([1, 2].map(async () => (await ask('/', 'br')).headers));
  expect(new Set(policies.map((headers) => headers['content-security-policy'])).size).toBe(2);
  expect(policies[0]).toMatchObject({ 'cache-control': 'no-store' });
  expect(policies[0]?.['content-encoding']).toBeUndefined();
});

it('/index.html is the same page with the same security headers', async () => {
  const names = ['content-security-policy', 'referrer-policy', 'x-frame-options', 'cross-origin-opener-policy', 'cache-control'];
  const [root, file] = await Promise.all(['/', '/index.html'].map((address) => ask(address, 'br')));
  const withoutNonce = (value: unknown) => String(value).replace(/'nonce-[^']+'/, 'nonce');
  for (const name of names) expect(withoutNonce(file?.headers[name]), name).toBe(withoutNonce(root?.headers[name]));
  expect(file?.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(file?.bytes.toString()).not.toContain('__STYLE_NONCE__');
});
