import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWebProxy, type WebProxy } from '../../local/temporal/web-proxy.js';
import { sendTo } from '../api/support/http.js';

const received: string[] = [];
const temporalWeb = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  request.setEncoding('utf8');
  let body = '';
  request.on('data', (part: string) => (body += part));
  request.on('end', () => response.writeHead(200, { 'content-type': 'text/plain' }).end(`Temporal Web ${body}`));
});
let proxy: WebProxy;
beforeAll(async () => {
  temporalWeb.listen(0, '127.0.0.1');
  await once(temporalWeb, 'listening');
  const { port: upstreamPort } = temporalWeb.address() as AddressInfo;
  proxy = await startWebProxy({ host: '127.0.0.1', port: 0, upstreamPort, publicUrl: 'https://soc.example.com/' });
});
afterAll(() => {
  proxy.close();
  temporalWeb.close();
});

const terminate = '/api/v1/namespaces/default/workflows/x/terminate';
const send = (host: string, { method = 'GET', path = '/', origin }: { method?: string; path?: string; origin?: string } = {}) =>
  sendTo(proxy.url, { path, method, headers: { host, ...(origin === undefined ? {} : { origin }) }, body: method === 'GET' ? '' : '{}' });

it.each(['127.0.0.1:8233', 'localhost:8233', 'LOCALHOST', '[::1]:8233', 'soc.example.com', 'soc.example.com:8233'])(
  'serves Temporal Web under %s',
  async (host) => {
    expect(await send(host)).toMatchObject({ status: 200, text: 'Temporal Web ' });
    const origin = `http://${host}`;
    expect(await send(host, { method: 'POST', path: terminate, origin })).toMatchObject({ status: 200, text: 'Temporal Web {}' });
  },
);

it.each([
  'evil.example',
  'evil.example:8233',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '192.0.2.7',
  'x@localhost',
  'soc.example.com.evil.example',
])('refuses the host "%s" without asking Temporal Web', async (host) => {
  received.length = 0;
  for (const method of ['GET', 'POST']) {
    const { status, text } = await send(host, { method, path: terminate });
    expect([400, 421]).toContain(status);
    expect(text).not.toContain('Temporal Web {}');
  }
  expect(received).toEqual([]);
});

it.each(['http://evil.example', 'null', 'http://localhost:3000', 'http://127.0.0.1:1'])('refuses the origin %s', async (origin) => {
  received.length = 0;
  const reply = await send('127.0.0.1:8233', { method: 'POST', path: terminate, origin });
  expect(reply).toMatchObject({ status: 403, headers: { 'content-type': 'application/problem+json' } });
  expect(received).toEqual([]);
});

it('explains that Temporal Web does not answer', async () => {
  const alone = await startWebProxy({ host: '127.0.0.1', port: 0, upstreamPort: 1 });
  expect(await sendTo(alone.url, {})).toMatchObject({ status: 502 });
  alone.close();
});
