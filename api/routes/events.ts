import type { FastifyInstance } from 'fastify';
import type { LiveUpdates } from '../http/live-updates.js';
import { Problem } from '../http/problems.js';

/** `GET /platformapi/events`: an open page learns which topics changed. The events carry no data, so they need no scope. */
export function serveEvents(app: FastifyInstance, live: LiveUpdates): void {
  app.addHook('onReady', () => live.start());
  // The server waits for open connections when it closes, and the browser never closes these.
  app.addHook('preClose', () => live.stop());
  app.addHook('onResponse', (request, reply, done) => {
    const { changes = [] } = request.routeOptions.config;
    if (changes.length > 0 && reply.statusCode < 300) live.mark(...changes);
    done();
  });
  app.get(
    '/platformapi/events',
    { config: { access: ['analyst', 'admin'], boundsItself: true }, schema: { hide: true } },
    (_request, reply) => {
      if (live.isFull) throw new Problem(503, 'Too many pages are open. Close some pages, or try again later.', { retryAfterSeconds: 30 });
      reply.hijack();
      live.add(reply.raw);
    },
  );
}
