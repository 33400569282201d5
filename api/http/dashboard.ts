import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PAGES } from '../../domain/pages.js';
import { nothingHere } from './problems.js';

const NONCE = '__STYLE_NONCE__';

/** Allows only our own scripts. Styles that components create need the page's nonce. */
function buildPolicy(nonce: string): string {
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

/** The folder of the built pages; null: they are not built. */
export function builtDashboard(): string | null {
  const folder = fileURLToPath(new URL('../../pages/', import.meta.url));
  return existsSync(path.join(folder, 'index.html')) ? folder : null;
}

/** Serves the pages from the API's origin, so that the session cookie is never sent from another site. */
export async function serveDashboard(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    cacheControl: false,
    setHeaders: cacheAssets,
    preCompressed: true,
    // The plugin selects the compressed copy of a file, so the copies need no route. The page needs its nonce and its headers.
    globIgnore: ['**/*.br', '**/*.gz', 'index.html'],
  });
  const sendPage = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', buildPolicy(nonce))
      .header('referrer-policy', 'same-origin')
      .header('x-frame-options', 'DENY')
      .header('cross-origin-opener-policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(NONCE, nonce));
  };
  for (const address of [...Object.values(PAGES), '/index.html'])
    app.get(address.replace(/\$\w+$/, '*'), { schema: { hide: true } }, (_request, reply) => sendPage(reply));
  // A person who follows an old or mistyped link sees the dashboard, which explains it. Programs get a problem.
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const isPerson = request.headers.accept?.includes('text/html') && !request.url.startsWith('/platformapi');
    if (!isPerson) throw nothingHere();
    return sendPage(reply.status(404));
  });
}

/** The name of a file under assets/ contains the hash of its content, so the file never changes. */
function cacheAssets(reply: FastifyReply, file: string): void {
  const isHashed = file.includes(`${path.sep}assets${path.sep}`);
  reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
}
