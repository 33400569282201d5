import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { type Dispatcher, Pool } from 'undici';
import { ReplyTooLarge, SkillError, ThirdPartyError, UnexpectedReply } from '../../domain/connection/skill-errors.js';
import type { Effort } from './effort.js';
import { type Egress, readErrorCode } from './egress.js';
import { parseExactly } from './exact-json.js';
import type { Http, HttpReply, HttpRequest } from './implement.js';
import { withTimeLimit } from './time-limit.js';

interface TimeLimits {
  /** The whole call: rate limit, redirects and the last byte of the reply. */
  readonly callMs: number;
  /** Until the reply begins, and between two parts of it. */
  readonly silenceMs: number;
}
const TIME_LIMITS: TimeLimits = { callMs: 120_000, silenceMs: 30_000 };
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const SOCKETS_PER_ORIGIN = 64;
const MAX_POOLS = 200;
const CONNECTIONS_REMEMBERED = 1000;
const MAX_SLOT_WAIT_MS = 5000;
const MAX_SLOTS_REMEMBERED = 1000;
const MINUTE_MS = 60_000;

export interface HttpOptions {
  readonly connectionId: string;
  /** The code of the organization whose destinations it can reach; null in a remote agent, which has its own list. */
  readonly organization: string | null;
  readonly requestsPerMinute: number;
  readonly signal: AbortSignal;
  /** Limits and counts the time of all requests. Default: each request has only its own limit. */
  readonly effort?: Effort;
  /** Asked immediately before the request of a write leaves. A throw stops the request. */
  readonly beforeWrite?: () => Promise<void>;
}

/** Counts a request against the limit that all processes share; returns 0, or the seconds to wait. */
export type AcquireSlot = (connectionId: string, requestsPerMinute: number) => Promise<number>;

interface Call {
  readonly signal: AbortSignal;
  readonly egress: Egress;
  readonly effort: Effort | undefined;
  acquireSlot(): Promise<void>;
  /** null: the request leaves without a question. */
  readonly beforeLeaving: (() => Promise<void>) | null;
}

/** Whether the request can change something at the third party. */
function isWrite({ method, changesNothing }: HttpRequest): boolean {
  return method !== 'GET' && changesNothing !== true;
}

/** HTTP to third parties: a keep-alive pool for each host, limits for time, size and rate. Only Egress opens sockets. */
export class HttpClient {
  readonly #egress: Egress;
  readonly #limits: TimeLimits;
  // Closing a pool waits for its calls in progress.
  readonly #pools = new LRUCache<string, Pool>({ max: MAX_POOLS, dispose: (pool) => void pool.close() });
  readonly #limiters = new LRUCache<string, SlidingWindowLimiter>({ max: CONNECTIONS_REMEMBERED });
  readonly #closing = new AbortController();
  readonly #acquireShared: AcquireSlot | null;

  /** Without `acquireSlot` the rate limit covers this process only, as in a remote agent. With it, only the shared limit counts. */
  constructor(
    egress: Egress,
    { limits = TIME_LIMITS, acquireSlot = null }: { limits?: TimeLimits; acquireSlot?: AcquireSlot | null } = {},
  ) {
    this.#egress = egress;
    this.#limits = limits;
    this.#acquireShared = acquireSlot;
  }

  forConnection({ connectionId, organization, requestsPerMinute, signal, effort, beforeWrite }: HttpOptions): Http {
    const egress = this.#egress.of(organization);
    // Later requests of a write that has begun are not stopped: a half-done write would be sent twice.
    let hasBegun = false;
    return {
      request: (request) =>
        withTimeLimit(this.#limits.callMs, signal, async (limit) => {
          const isAsked = beforeWrite !== undefined && isWrite(request) && !hasBegun;
          const beforeLeaving = async () => {
            await beforeWrite?.();
            hasBegun = true;
          };
          const shared = this.#acquireShared;
          const acquireSlot = () =>
            shared
              ? waitForSlot(() => shared(connectionId, requestsPerMinute), limit)
              : this.#getLimiter(connectionId, requestsPerMinute).take(limit);
          const call = { signal: limit, egress, effort, acquireSlot, beforeLeaving: isAsked ? beforeLeaving : null };
          const reply = await this.#follow(request, call);
          // The third party refused it, for example because of an old token.
          if (isAsked && reply.status >= 400 && reply.status < 500) hasBegun = false;
          return reply;
        }),
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  async #follow(request: HttpRequest, call: Call): Promise<HttpReply> {
    const content = encodeContent(request);
    let url = buildUrl(request);
    for (let redirects = 0; ; redirects += 1) {
      await call.acquireSlot();
      const send = (signal: AbortSignal) => this.#send(url, request, content, { ...call, signal });
      const reply = await (call.effort?.spend(call.signal, send) ?? send(call.signal));
      const location = reply.headers['location'];
      if (!REDIRECTS.includes(reply.status) || location === undefined) return reply;
      const next = URL.canParse(location, url.href) ? new URL(location, url.href) : null;
      const mayFollow = request.method === 'GET' && next?.origin === url.origin && !hasUser(next) && redirects < MAX_REDIRECTS;
      if (!mayFollow) throw refusedRedirect(url.hostname, reply.status);
      url = next;
    }
  }

  async #send(url: URL, { method, maxBytes = MAX_BYTES }: HttpRequest, content: Content, call: Call): Promise<HttpReply> {
    const answer = await exchange(this.#getPool(call.egress, url.origin), {
      host: url.hostname,
      request: { method, path: `${url.pathname}${url.search}`, ...content },
      maxBytes,
      signal: call.signal,
      beforeLeaving: call.beforeLeaving,
    });
    const body = await decompress(answer, url.hostname, maxBytes);
    const text = new TextDecoder().decode(body);
    return toReply(answer, text, url.hostname);
  }

  /** Organizations with different destinations share no socket. */
  #getPool(egress: Egress, origin: string): Pool {
    const key = `${egress.organization ?? ''} ${origin}`;
    const known = this.#pools.get(key);
    if (known) return known;
    const pool = new Pool(origin, {
      connections: SOCKETS_PER_ORIGIN,
      headersTimeout: this.#limits.silenceMs,
      bodyTimeout: this.#limits.silenceMs,
      connect: ({ hostname, port }, done) => {
        egress.connectTls({ host: hostname, port: Number(port) || 443, signal: this.#closing.signal }).then(
          (socket) => done(null, socket),
          (error) => done(error, null),
        );
      },
    });
    this.#pools.set(key, pool);
    return pool;
  }

  #getLimiter(connectionId: string, requestsPerMinute: number): SlidingWindowLimiter {
    const key = `${connectionId} ${requestsPerMinute}`;
    const limiter = this.#limiters.get(key) ?? new SlidingWindowLimiter(requestsPerMinute);
    this.#limiters.set(key, limiter);
    return limiter;
  }
}

/** Limits the requests in any minute: each starts a minute after the request that many places before it. */
class SlidingWindowLimiter {
  readonly #beganMs: Float64Array;
  readonly #windowMs: number;
  #next = 0;

  constructor(requestsPerMinute: number) {
    const remembered = Math.min(requestsPerMinute, MAX_SLOTS_REMEMBERED);
    this.#beganMs = new Float64Array(remembered).fill(Number.NEGATIVE_INFINITY);
    this.#windowMs = (MINUTE_MS * remembered) / requestsPerMinute;
  }

  async take(signal: AbortSignal): Promise<void> {
    const nowMs = performance.now();
    const beginMs = Math.max(nowMs, (this.#beganMs[this.#next] ?? 0) + this.#windowMs);
    const waitMs = beginMs - nowMs;
    if (waitMs > MAX_SLOT_WAIT_MS) throw limitReached(waitMs);
    this.#beganMs[this.#next] = beginMs;
    this.#next = (this.#next + 1) % this.#beganMs.length;
    if (waitMs > 0) await pause(waitMs, signal);
  }
}

/** Waits here if the wait is short. A longer one is the workflow's, which then schedules the call again. */
async function waitForSlot(take: () => Promise<number>, signal: AbortSignal): Promise<void> {
  for (let waitMs = (await take()) * 1000; waitMs > 0; waitMs = (await take()) * 1000) {
    if (waitMs > MAX_SLOT_WAIT_MS) throw limitReached(waitMs);
    await pause(waitMs, signal);
  }
}

function limitReached(waitMs: number): ThirdPartyError {
  return new ThirdPartyError('RateLimited', 'The connection has reached its request limit for this minute.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await delay(waitMs, undefined, { signal }).catch(() => {
    throw unavailable('The call was cancelled while it waited for the rate limit.', false);
  });
}

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

function encodeContent({ json, form, headers = {} }: HttpRequest): Content {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const common = { accept: 'application/json', 'user-agent': 'alert-investigator', ...given, 'accept-encoding': 'gzip, deflate, br' };
  if (form) {
    const type = 'application/x-www-form-urlencoded';
    return { headers: { 'content-type': type, ...common }, body: new URLSearchParams(form).toString() };
  }
  if (json === undefined) return { headers: common, body: null };
  return { headers: { 'content-type': 'application/json', ...common }, body: JSON.stringify(json) };
}

function buildUrl({ url: text, query = {} }: HttpRequest): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') throw new ThirdPartyError('EgressRefused', 'The URL must begin with https://.');
  if (hasUser(url)) throw new ThirdPartyError('EgressRefused', 'The URL must not contain a user name or password.');
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => `${encode(name)}=${encode(String(one))}`),
  );
  url.search = [url.search.slice(1), ...pairs].filter((part) => part !== '').join('&');
  return url;
}

function hasUser(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}

/** A space becomes %20: not every third party reads + as a space. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One request and its reply, still compressed. */
function exchange(
  pool: Pool,
  call: {
    host: string;
    request: Dispatcher.DispatchOptions & Content;
    maxBytes: number;
    signal: AbortSignal;
    beforeLeaving: Call['beforeLeaving'];
  },
): Promise<Answer> {
  const { host, request, maxBytes, signal, beforeLeaving } = call;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(unavailable(`The call to ${host} was cancelled.`, false));
    let started: Dispatcher.DispatchController | null = null;
    // Before this the request cannot have had an effect.
    let hasLeft = false;
    let status = 0;
    let headers: Record<string, string> = {};
    const chunks: Buffer[] = [];
    let bytes = 0;
    const giveUp = (error: Error) => {
      reject(error);
      started?.abort(error);
    };
    signal.addEventListener('abort', () => giveUp(unavailable(`${host} did not reply in time.`, hasLeft)), {
      once: true,
    });
    const leave = async () => {
      await beforeLeaving?.();
      if (signal.aborted) throw new Error('given up');
      hasLeft = true;
    };
    pool.dispatch(beforeLeaving === null ? request : delayBody(request, leave), {
      onRequestStart(controller) {
        if (signal.aborted) return controller.abort(new Error('given up'));
        started = controller;
        hasLeft = beforeLeaving === null;
      },
      onResponseStart(_, statusCode, given) {
        status = statusCode;
        headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
      },
      onResponseData(_, chunk) {
        bytes += chunk.length;
        if (bytes > maxBytes) giveUp(tooLarge(host, maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd: () => resolve({ status, headers, body: Buffer.concat(chunks) }),
      onResponseError: (_, error) => reject(toSkillError(error, host, hasLeft)),
    });
  });
}

/** undici sends the headers together with the first part of a body, so nothing leaves before `ready` resolves. */
function delayBody(request: Dispatcher.DispatchOptions & Content, ready: () => Promise<void>): Dispatcher.DispatchOptions {
  const { body, headers } = request;
  const parts = async function* () {
    await ready();
    if (body !== null) yield Buffer.from(body);
  };
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return { ...request, headers: { ...headers, ...length }, body: Readable.from(parts()) };
}

const DECODERS = new Map<string, (body: Buffer, bound: { maxOutputLength: number }) => Promise<Buffer>>([
  ['gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  // Some servers send a raw deflate stream without the zlib header.
  ['deflate', (body, bound) => promisify(((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(body, bound)],
]);

async function decompress({ headers, body }: Answer, host: string, maxBytes: number): Promise<Buffer> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || body.length === 0) return body;
  const decode = DECODERS.get(encoding);
  if (!decode) throw new UnexpectedReply(`${host} sent a reply with an unsupported content-encoding.`);
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw readErrorCode(error) === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(host, maxBytes)
      : new UnexpectedReply(`${host} sent a reply that cannot be decompressed.`);
  }
}

export function toReply({ status, headers }: Pick<HttpReply, 'status' | 'headers'>, text: string, host: string): HttpReply {
  return { status, headers, text, json: () => parseJson(text, host, status) };
}

function parseJson(text: string, host: string, status: number): unknown {
  try {
    return parseExactly(text);
  } catch {
    throw new UnexpectedReply(`${host} sent a reply that is not JSON (HTTP ${status}).`);
  }
}

const FAILURES: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'it did not reply in time',
  UND_ERR_BODY_TIMEOUT: 'its reply stopped before the end',
  UND_ERR_SOCKET: 'the connection closed before the reply was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection closed before the reply was complete',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its reply are too large',
  UND_ERR_DESTROYED: 'this process is stopping',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ETIMEDOUT: 'the connection was lost',
};

function toSkillError(error: Error, host: string, sent: boolean): SkillError {
  if (error instanceof SkillError) return error;
  const code = readErrorCode(error);
  if (code === 'UND_ERR_INVALID_ARG') {
    return new ThirdPartyError('BadRequest', `The request to ${host} cannot be sent: a header contains an invalid character.`, {
      resolution: 'Enter the credentials again, without line breaks or special characters.',
    });
  }
  const why = FAILURES[code] ?? (error.name === 'HTTPParserError' ? 'its reply is not HTTP' : `the request failed (${code})`);
  return unavailable(`The call to ${host} failed: ${why}.`, sent);
}

function unavailable(message: string, mayHaveHappened: boolean): ThirdPartyError {
  return new ThirdPartyError('Unavailable', message, { mayHaveHappened });
}

function refusedRedirect(host: string, status: number): ThirdPartyError {
  return new ThirdPartyError('EgressRefused', `${host} replied with a redirect to another host, or with too many redirects.`, {
    status,
    resolution: 'If the new address is right, enter it as the host of the connection.',
  });
}

function tooLarge(host: string, maxBytes: number): ReplyTooLarge {
  return new ReplyTooLarge(`${host} sent a reply of more than ${maxBytes} bytes.`);
}
