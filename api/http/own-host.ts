import type { FastifyInstance } from 'fastify';
import { createHostCheck } from '../../platform/host-names.js';
import { Problem } from './problems.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers under every name, because health checks send any. */
    readonly anyHost?: boolean;
  }
}

/** Refuses requests under a foreign name: a page of another site sends them after it made its own name lead to this machine. */
export function requireOwnHost(app: FastifyInstance, allowedHosts: readonly string[]): void {
  const isOwnHost = createHostCheck(allowedHosts, { anyAddress: true });
  app.addHook('onRequest', async ({ headers, routeOptions }) => {
    if (routeOptions.config.anyHost || isOwnHost(headers.host)) return;
    throw new Problem(
      421,
      'The Host header of the request names another service. Send the request to the host of PUBLIC_URL, or ask the operator to add the name to ALLOWED_HOSTS.',
    );
  });
}
