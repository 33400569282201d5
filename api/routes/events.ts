import type { FastifyInstance } from 'fastify';
import type { Topic } from '../../db/changes.js';
import type { LiveUpdates } from '../http/live-updates.js';
import { Problem } from '../http/problems.js';

/** Which pages show what a request has changed. */
const TOPICS: readonly [RegExp, readonly Topic[]][] = [
  [/^\/platformapi\/alerts/, ['alerts', 'cases']],
  [/^\/platformapi\/cases/, ['cases', 'alerts']],
  [/^\/platformapi\/(proposals|skill-runs|response|protected-assets)/, ['proposals', 'cases', 'settings']],
  [/^\/platformapi\/connections\/[^/]+\/skills\//, ['proposals']],
  [/^\/platformapi\/(connections|remote-agents)/, ['connections', 'settings']],
  [/^\/platformapi\/playbooks/, ['playbooks']],
  [/^\/platformapi\/(organizations|providers|api-keys)/, ['settings']],
];

/** Of a route, found once. */
function topicsByRoute(): (url: string) => readonly Topic[] {
  const known = new Map<string, readonly Topic[]>();
  return (url) => {
    const topics = known.get(url) ?? TOPICS.filter(([pattern]) => pattern.test(url)).flatMap(([, each]) => each);
    known.set(url, topics);
    return topics;
  };
}

/** `GET /platformapi/events`: an open page learns what to ask for again. It carries no data, so it needs no scope. */
export function serveEvents(app: FastifyInstance, live: LiveUpdates): void {
  app.addHook('onReady', () => live.start());
  // Before the server waits for its connections to end: these would not.
  app.addHook('preClose', () => live.stop());
  const findTopics = topicsByRoute();
  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && reply.statusCode < 300) live.mark(...findTopics(request.routeOptions.url ?? ''));
    done();
  });
  app.get(
    '/platformapi/events',
    { config: { access: ['analyst', 'admin'], boundsItself: true }, schema: { hide: true } },
    (_request, reply) => {
      if (live.isFull) throw new Problem(503, 'Too many pages are open here.', { retryAfterSeconds: 30 });
      reply.hijack();
      live.add(reply.raw);
    },
  );
}
