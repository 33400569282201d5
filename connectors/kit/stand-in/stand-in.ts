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

/** How a stand-in changes its reply to a request. A field that is absent changes nothing. */
export interface Fault {
  /** Default: any request. */
  readonly match?: (request: RecordedRequest) => boolean;
  /** The number of requests that the fault affects. Default: 1. */
  readonly times?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
  /** The delay before the stand-in handles the request. */
  readonly latencyMs?: number;
  /** Sends the reply one byte at a time and never ends it. */
  readonly drip?: boolean;
  /** Sends the full content-length and only half of the body. */
  readonly truncate?: boolean;
  /** The reply is a JSON string of this many bytes. */
  readonly hugeBytes?: number;
  readonly redirectTo?: string;
  /** Closes the connection without a reply. */
  readonly reset?: boolean;
  /** Performs the request before the fault, as when the reply to a write is lost. */
  readonly performed?: boolean;
}

export interface Faults {
  /** Applies the fault to the next matching request. Several faults apply in the order of the calls. */
  next(fault: Fault): void;
  /** Removes the faults that no request has matched. */
  clear(): void;
}

export interface StandIn<State> {
  /** https://localhost:<port> */
  readonly url: string;
  /** localhost:<port>, an entry of EGRESS_ALLOW. */
  readonly address: string;
  /** The certificate of the authority that issued the stand-in's certificate. */
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

/** Starts a third party on this machine, with TLS on a loopback port, the routes of `define`, and faults on demand. */
export async function startStandIn<State>(options: {
  authority: Authority;
  define: (app: FastifyInstance) => State;
  /** The delay before each answer. Default: none. */
  thinksForMs?: number;
}): Promise<StandIn<State>> {
  const { key, cert } = await options.authority.issue(['localhost', '127.0.0.1']);
  const app = fastify({
    forceCloseConnections: true,
    // Some routes have a URL as a parameter.
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
    // Spaces after the end keep the JSON valid and the connection open.
    yield at < whole.length ? whole.subarray(at, at + 1) : Buffer.from(' ');
    await delay(DRIP_EVERY_MS);
  }
}

async function* half(whole: Buffer): AsyncGenerator<Buffer> {
  yield whole.subarray(0, Math.floor(whole.length / 2));
  throw new Error('truncated');
}
