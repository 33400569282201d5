import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LARGE_BYTES } from '../../platform/run-serially.js';

/** A reply before the end of a large body ends the connection: to keep it, the server would read the rest and drop it. */
export function closeBeforeUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.raw.complete && declaredBytes(request) > LARGE_BYTES) reply.header('connection', 'close');
    done(null, payload);
  });
}

function declaredBytes({ headers }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY;
}
