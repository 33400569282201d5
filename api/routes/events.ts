import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SHARED } from '../../db/changes.js';
import type { KeyCache } from '../http/auth.js';
import type { LiveUpdates } from '../http/live-updates.js';

/** `GET /platformapi/events`: an open page learns which topics of its organization changed. The events carry no data. */
export function serveEvents(app: FastifyInstance, live: LiveUpdates, keys: KeyCache): void {
  app.decorateRequest('changedIn');
  app.addHook('onReady', () => live.start());
  // The server waits for open connections when it closes, and the browser never closes these.
  app.addHook('preClose', () => live.stop());
  app.addHook('onResponse', (request, reply, done) => {
    const { changes = [] } = request.routeOptions.config;
    if (changes.length > 0 && reply.statusCode < 300) live.mark(changes, changes.includes('playbooks') ? [SHARED] : findRecords(request));
    done();
  });
  keys.onChange(() => void live.closeUnusable());
  app.get(
    '/platformapi/events',
    { config: { access: ['analyst', 'admin'], boundsItself: true }, schema: { hide: true } },
    ({ principal }, reply) => {
      live.requireRoom(principal);
      reply.hijack();
      live.add(reply.raw, principal);
    },
  );
}

/** The ids in a request that lead to the changed organization, if the key is for all organizations. */
function findRecords({ principal, params, body, changedIn }: FastifyRequest): string[] {
  if (changedIn !== undefined) return [changedIn];
  if (principal.organizationUuid !== null) return [principal.organizationUuid];
  return [params, body].flatMap(findIds);
}

function findIds(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.flatMap(findIds);
    return ID_FIELD.test(name) && typeof value === 'string' ? [value] : [];
  });
}

const ID_FIELD = /^organization_code$|_id$/;
