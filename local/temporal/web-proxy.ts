import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { createHostCheck, type IsOwnHost, listHosts } from '../../platform/host-names.js';

export interface WebProxy {
  readonly url: string;
  close(): void;
}

/**
 * Serves Temporal Web, which has no login and answers under every name, only to browsers that open it under a name of this machine or of
 * PUBLIC_URL. Any other page would read and end investigations.
 */
export async function startWebProxy(at: {
  host: string;
  port: number;
  upstreamPort: number;
  publicUrl?: string | undefined;
}): Promise<WebProxy> {
  const isOwnHost = createHostCheck(listHosts(at.publicUrl));
  const server = createServer((incoming, outgoing) => {
    const refusal = findRefusal(incoming, isOwnHost);
    if (refusal !== null) return refuse(outgoing, ...refusal);
    forward(incoming, outgoing, { host: at.host, port: at.upstreamPort });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: at.host, port: at.port, exclusive: true }, resolve);
  });
  server.unref();
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${at.host}:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Refusal = readonly [status: number, title: string, detail: string];

/** A browser sends the origin with each request that can change something. */
function findRefusal({ headers, url }: IncomingMessage, isOwnHost: IsOwnHost): Refusal | null {
  if (!url?.startsWith('/')) return [400, 'Bad Request', 'The request names no path. Open the address that `npm start` prints.'];
  if (!isOwnHost(headers.host)) {
    const detail =
      'Temporal Web answers only under a name of this machine and under the host of PUBLIC_URL. Open the address that `npm start` prints.';
    return [421, 'Misdirected Request', detail];
  }
  const { origin } = headers;
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === headers.host?.toLowerCase()))
    return [403, 'Forbidden', 'Temporal Web refuses requests of pages of other sites. Open the address that `npm start` prints.'];
  return null;
}

function refuse(outgoing: ServerResponse, status: number, title: string, detail: string): void {
  const headers = { 'content-type': 'application/problem+json', connection: 'close' };
  outgoing.writeHead(status, headers).end(JSON.stringify({ type: 'about:blank', title, status, detail }));
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, upstream: { host: string; port: number }): void {
  const { method, url: path } = incoming;
  const asked = request({ ...upstream, method, path, headers: withoutConnection(incoming.headers) }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
    pipeline(answer, outgoing, () => {});
  });
  asked.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else refuse(outgoing, 502, 'Bad Gateway', 'Temporal Web does not answer. The log of the service shows whether Temporal is running.');
  });
  pipeline(incoming, asked, () => {});
}

/** Without the headers that concern one connection (RFC 9110). Temporal Web has no other protocol to upgrade to. */
function withoutConnection({
  connection: _1,
  'keep-alive': _2,
  upgrade: _3,
  te: _4,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers;
}
