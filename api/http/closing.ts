import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets the API close as soon as it has answered the requests in progress. Node alone would wait more than a minute for two kinds of
 * connections: one whose client keeps it after the last answer, and one that a browser opened in advance and never used.
 */
export function closeConnectionsAtEnd(app: FastifyInstance): void {
  const unused = new Map<string, Socket>();
  let closing = false;
  app.server.on('connection', (socket: Socket) => {
    const name = toName(socket);
    unused.set(name, socket);
    socket.once('close', () => unused.delete(name));
  });
  app.addHook('onRequest', (request, _reply, done) => {
    unused.delete(toName(request.socket));
    done();
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of unused.values()) socket.destroy();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** With TLS the socket of a request is not the socket of its connection, but both name the same client. */
function toName({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
