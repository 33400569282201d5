import { createServer, type Server, type ServerResponse } from 'node:http';
import { createHostCheck, listHosts } from '../platform/host-names.js';
import type { Metrics } from '../platform/metrics.js';
import { METRICS_REFUSAL, mayReadMetrics } from '../platform/metrics-access.js';
import { readPublicUrl, type Settings } from '../platform/settings.js';

const HOST_REFUSAL = {
  type: 'about:blank',
  title: 'Misdirected Request',
  status: 421,
  detail:
    'The Host header of the request names another service. Send the request to an IP address, or ask the operator to add the name to ALLOWED_HOSTS.',
} as const;

/** Serves the paths of the worker process, under the same names as the API. */
export function createHealthServer(settings: Settings, { registry }: Pick<Metrics, 'registry'>, isReady: () => boolean): Server {
  const isOwnHost = createHostCheck([...settings.ALLOWED_HOSTS, ...listHosts(readPublicUrl(settings))], { anyAddress: true });
  return createServer(async (request, response) => {
    const { url, headers } = request;
    // Health checks send any name.
    if (url === '/healthz') sendJson(response, 200, { status: 'ok' });
    else if (!isOwnHost(headers.host)) sendProblem(response, HOST_REFUSAL);
    else if (url === '/readyz') sendJson(response, isReady() ? 200 : 503, { ready: isReady() });
    else if (url !== '/metrics') response.writeHead(404).end();
    else if (!mayReadMetrics(request, settings.METRICS_TOKEN ?? null))
      sendProblem(response, METRICS_REFUSAL, { 'www-authenticate': 'Bearer' });
    else response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendProblem(response: ServerResponse, problem: { readonly status: number }, headers: Record<string, string> = {}): void {
  response.writeHead(problem.status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(problem));
}
