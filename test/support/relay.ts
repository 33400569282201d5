import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../local/ports.js';

export interface Relay {
  readonly address: string;
  /** Ends all connections and refuses new ones, like a server that is down. */
  interrupt(): Promise<void>;
  /** Accepts connections again, on the same port. */
  resume(): Promise<void>;
  /** Keeps connections and accepts new ones, but transfers nothing, like a server that does not answer. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** Relays connections to a shared server. A test can interrupt them without stopping the server. */
export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port: targetPort } = new URL(`tcp://${target}`);
  const pairs = new Set<readonly [client: Socket, upstream: Socket]>();
  let isFrozen = false;
  const transfer = ([client, upstream]: readonly [Socket, Socket]) => client.pipe(upstream).pipe(client);
  const accept = (client: Socket) => {
    const pair = [client, connect(Number(targetPort), hostname)] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
    if (!isFrozen) transfer(pair);
  };
  let server: Server;
  const port = await freePort();
  const listen = async () => {
    server = createServer(accept).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen();
  return {
    address: `127.0.0.1:${port}`,
    async interrupt() {
      const closed = once(server, 'close');
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await closed;
    },
    async resume() {
      await listen();
    },
    async freeze() {
      isFrozen = true;
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream);
        upstream.unpipe(client);
      }
    },
    async thaw() {
      isFrozen = false;
      for (const pair of pairs) transfer(pair);
    },
  };
}
