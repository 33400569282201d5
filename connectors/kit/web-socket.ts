import type { TLSSocket } from 'node:tls';
import { Agent, WebSocket } from 'undici';
import { SkillError, ThirdPartyError } from '../../domain/connection/skill-errors.js';
import type { Egress } from './egress.js';

export interface WebSocketOptions {
  /** `wss://…` */
  readonly url: string;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** The connection ends after this time without a frame, such as a ping of the server. */
  readonly silenceMs: number;
  readonly maxBytes: number;
  onMessage(text: string, send: (text: string) => void): void;
}

/** Opens a WebSocket, through Egress only, and resolves when it has ended. Throws if it cannot be opened. */
export async function runWebSocket(egress: Pick<Egress, 'connectTls'>, options: WebSocketOptions): Promise<void> {
  const { url, signal, silenceMs, maxBytes, onMessage } = options;
  if (!URL.canParse(url) || new URL(url).protocol !== 'wss:') throw new ThirdPartyError('EgressRefused', 'The URL must begin with wss://.');
  const { hostname } = new URL(url);
  let connection: TLSSocket | null = null;
  let failure: SkillError | null = null;
  const agent = new Agent({
    webSocket: { maxPayloadSize: maxBytes },
    connect: ({ hostname: host, port }, done) => {
      egress.connectTls({ host, port: Number(port) || 443, signal }).then(
        (opened) => {
          connection = opened;
          // A host that vanished sends neither pings nor an end.
          opened.setTimeout(silenceMs, () => opened.destroy());
          done(null, opened);
        },
        (error) => {
          if (error instanceof SkillError) failure = error;
          done(error, null);
        },
      );
    },
  });
  const end = () => void connection?.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      const socket = new WebSocket(url, { dispatcher: agent });
      let isOpen = false;
      socket.addEventListener('open', () => {
        isOpen = true;
      });
      socket.addEventListener('message', ({ data }) => {
        if (typeof data === 'string') onMessage(data, (text) => socket.send(text));
      });
      socket.addEventListener('error', () => {});
      socket.addEventListener('close', () => {
        if (isOpen || signal.aborted) return resolve();
        reject(failure ?? new ThirdPartyError('Unavailable', `${hostname} did not accept the WebSocket.`, { mayHaveHappened: false }));
      });
    });
  } finally {
    signal.removeEventListener('abort', end);
    end();
    await agent.destroy();
  }
}
