import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Addresses that the pages' own router knows; each is answered with the one page. */
const PAGES = [
  '/',
  '/sign-in',
  '/alerts',
  '/alerts/*',
  '/cases',
  '/cases/*',
  '/integrations',
  '/integrations/*',
  '/investigators',
  '/investigators/*',
  '/settings',
];
const NONCE = '__STYLE_NONCE__';

/** Nothing but our own files runs; styles that components make themselves carry the page's nonce. */
function policyFor(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Where `npm run build`, or a start from sources, leaves the pages; null: they were not built. */
export function builtDashboard(): string | null {
  const folder = fileURLToPath(new URL('../../pages/', import.meta.url));
  return existsSync(path.join(folder, 'index.html')) ? folder : null;
}

/** Serves the built pages on the API's own origin, so that the session is a cookie no other site can use. */
export async function serveDashboard(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    cacheControl: false,
    setHeaders: cacheAssets,
    preCompressed: true,
    // Compressed copies are another form of a file, not files with addresses of their own.
    globIgnore: ['**/*.br', '**/*.gz'],
  });
  const sendPage = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', policyFor(nonce))
      .header('referrer-policy', 'same-origin')
      .header('x-frame-options', 'DENY')
      .header('cross-origin-opener-policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(NONCE, nonce));
  };
  for (const url of PAGES) app.get(url, { schema: { hide: true } }, (_request, reply) => sendPage(reply));
}

/** A file under assets/ has the hash of its content in its name and never changes. */
function cacheAssets(reply: FastifyReply, file: string): void {
  const isHashed = file.includes(`${path.sep}assets${path.sep}`);
  reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}
