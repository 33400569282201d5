import { createServer } from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Authority } from './authority.js';

export { type Authority, createAuthority } from './authority.js';

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed: JSON, or the fields of a form. */
  readonly body: unknown;
}

/** What a third party does to a request; all that is not said here goes on as ever. */
export interface Fault {
  /** Any request, unless told. */
  readonly match?: (request: RecordedRequest) => boolean;
  /** How many requests it meets: one, unless told. */
  readonly times?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string goes out as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Waits this long before anything else happens. */
  readonly latencyMs?: number;
  /** The reply comes one byte at a time, without end in sight. */
  readonly drip?: boolean;
  /** The reply announces its whole length and ends in the middle. */
  readonly truncate?: boolean;
  /** The reply is a JSON string of this many bytes. */
  readonly hugeBytes?: number;
  readonly redirectTo?: string;
  /** The connection ends without a reply. */
  readonly reset?: boolean;
  /** The request is performed first, and only then the reply suffers: how a write gets lost. */
  readonly performed?: boolean;
}

export interface Faults {
  /** The next matching request meets this fault; several wait in the order they were given. */
  next(fault: Fault): void;
  /** Forgets the faults that met nobody. */
  clear(): void;
}

export interface StandIn<State> {
  /** https://localhost:<port> */
  readonly url: string;
  /** localhost:<port>, an entry of EGRESS_ALLOW. */
  readonly address: string;
  /** Of the authority that vouches for it. */
  readonly caPem: string;
  readonly state: State;
  /** Every request, in order. */
  readonly requests: RecordedRequest[];
  readonly faults: Faults;
  stop(): Promise<void>;
}

/** The fields of a working connection to a stand-in. */
export interface ConnectionValues {
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
}

/** The export `standIn` of `<kind>/stand-in.ts`: the routes of the third party, and how to connect to them. */
export interface StandInDefinition<State> {
  define(app: FastifyInstance): State;
  connection(url: string, state: State): ConnectionValues;
}

/** The state of each stand-in by the connector's name. Every `<kind>/stand-in.ts` adds its own entry. */
// biome-ignore lint/suspicious/noEmptyInterface: the stand-ins extend it.
export interface StandInStates {}

const DRIP_EVERY_MS = 100;

/** A third party on this machine: real TLS on a loopback port, the routes of `define`, and faults on demand. */
export async function startStandIn<State>(options: {
  authority: Authority;
  define: (app: FastifyInstance) => State;
  /** How long each answer takes; at once unless told. */
  thinksForMs?: number;
}): Promise<StandIn<State>> {
  const { key, cert } = await options.authority.issue(['localhost', '127.0.0.1']);
  const app = fastify({
    forceCloseConnections: true,
    // A URL may be what is asked about.
    routerOptions: { caseSensitive: false, maxParamLength: 8192 },
    serverFactory: (handler) => createServer({ key, cert, minVersion: 'TLSv1.2' }, handler),
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    Object.fromEntries(new URLSearchParams(body)),
  );
  const { thinksForMs } = options;
  if (thinksForMs !== undefined) app.addHook('onRequest', () => delay(thinksForMs));
  const requests: RecordedRequest[] = [];
  const faults = meetFaults(app, requests);
  const state = options.define(app);
  const { port } = new URL(await app.listen({ host: 'localhost', port: 0 }));
  return {
    url: `https://localhost:${port}`,
    address: `localhost:${port}`,
    caPem: options.authority.caPem,
    state,
    requests,
    faults,
    stop: () => app.close(),
  };
}

function meetFaults(app: FastifyInstance, requests: RecordedRequest[]): Faults {
  const waiting: { readonly fault: Fault; left: number }[] = [];
  const met = new WeakMap<FastifyRequest, Fault>();

  app.addHook('preHandler', async (request, reply) => {
    const recorded = { method: request.method, url: request.url, headers: request.headers, body: request.body };
    requests.push(recorded);
    const entry = waiting.find(({ fault, left }) => left > 0 && (fault.match?.(recorded) ?? true));
    if (!entry) return;
    entry.left -= 1;
    const { fault } = entry;
    met.set(request, fault);
    if (fault.latencyMs !== undefined) await delay(fault.latencyMs);
    if (!fault.performed) return answer(fault, reply);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const fault = met.get(request);
    if (!fault) return payload;
    if (fault.performed && fault.reset) reply.raw.socket?.destroy();
    if (fault.performed && fault.status !== undefined) reply.code(fault.status);
    const whole = Buffer.from(typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : '');
    if (fault.drip) {
      reply.removeHeader('content-length');
      return Readable.from(drops(whole));
    }
    if (fault.truncate) {
      reply.header('content-length', whole.length);
      return Readable.from(half(whole));
    }
    return payload;
  });

  return {
    next: (fault) => void waiting.push({ fault, left: fault.times ?? 1 }),
    clear: () => void waiting.splice(0),
  };
}

function answer(fault: Fault, reply: FastifyReply): FastifyReply | undefined {
  if (fault.reset) {
    reply.raw.socket?.destroy();
    return reply.hijack();
  }
  if (fault.headers) reply.headers(fault.headers);
  if (fault.redirectTo !== undefined)
    return reply
      .code(fault.status ?? 302)
      .header('location', fault.redirectTo)
      .send('');
  const body = fault.hugeBytes === undefined ? fault.body : `"${'x'.repeat(Math.max(0, fault.hugeBytes - 2))}"`;
  if (fault.status === undefined && body === undefined) return undefined;
  if (!reply.hasHeader('content-type')) reply.type('application/json');
  return reply.code(fault.status ?? 200).send(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
}

async function* drops(whole: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; ; at += 1) {
    // Spaces after its end keep JSON whole, and the connection busy.
    yield at < whole.length ? whole.subarray(at, at + 1) : Buffer.from(' ');
    await delay(DRIP_EVERY_MS);
  }
}

async function* half(whole: Buffer): AsyncGenerator<Buffer> {
  yield whole.subarray(0, Math.floor(whole.length / 2));
  throw new Error('truncated');
}
