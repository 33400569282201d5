import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type RunningApi, startApi } from '../../../api/server.js';
import { log, type TestService } from '../../support/service.js';

export interface TextReply {
  readonly status: number;
  readonly headers: Headers;
  /** The raw text, for comparing bytes. */
  readonly text: string;
}

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly detail: string; readonly pointer?: string; readonly parameter?: string }[];
}

export interface List<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

/** Sends one request with exactly these headers and bytes. */
export async function send(
  url: string,
  given: { method?: string; key?: string; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<TextReply> {
  const response = await fetch(url, {
    method: given.method ?? (given.body === undefined ? 'GET' : 'POST'),
    headers: { ...(given.key === undefined ? {} : { cookie: `Session=${given.key}` }), ...given.headers },
    ...(given.body === undefined ? {} : { body: given.body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Announces a body and sends none of it. The reply comes only if the API refuses the request before it reads the body. */
export function announce(url: string, headers: Record<string, string>, bytes: number) {
  const call = request(url, { method: 'POST', headers: { ...headers, 'content-length': String(bytes) }, agent: false });
  const refused = new Promise<{ status: number; retryAfter: string | undefined }>((resolve) => {
    call.on('response', (reply) => resolve({ status: reply.statusCode ?? 0, retryAfter: reply.headers['retry-after'] }));
  });
  call.on('error', () => undefined).flushHeaders();
  return { refused, leave: () => call.destroy() };
}

/** Sends a request with any headers, also with those that `fetch` sets itself, such as `Host`. */
export async function sendTo(
  url: string,
  given: { path?: string; method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { path = '/', method = 'GET', headers = {}, body = '' } = given;
  return await new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers, agent: false }, (reply) => {
      text(reply).then((read) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: read }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Starts another API process on the same database. */
export async function startSecondApi(service: TestService): Promise<RunningApi> {
  const second = await startApi({ settings: service.settings, log });
  onTestFinished(() => second.close());
  return second;
}

/** Writes to a raw socket and returns the response after the server closes the connection. */
export async function sendRaw(url: string, write: (socket: ReturnType<typeof connect>) => void): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  return await new Promise((resolve, reject) => {
    socket.setEncoding('latin1');
    socket.on('connect', () => write(socket));
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
  });
}

/** Reads every page of a list by its cursor. */
export async function readAllPages<Item>(
  service: TestService,
  path: string,
  options: { key?: string; limit: number; betweenPages?: () => Promise<unknown> },
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const separator = path.includes('?') ? '&' : '?';
    const page: string = `${path}${separator}limit=${options.limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const reply = await service.request<List<Item>>('GET', page, options.key === undefined ? {} : { key: options.key });
    if (reply.status !== 200) throw new Error(`${page} was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    items.push(...reply.body.items);
    cursor = reply.body.next_cursor;
    await options.betweenPages?.();
  }
  return items;
}

/** Subscribes as an open page does. */
export async function watch(serviceUrl: string, key: string) {
  const leaving = new AbortController();
  const response = await fetch(`${serviceUrl}/platformapi/events`, { headers: { cookie: `Session=${key}` }, signal: leaving.signal });
  let heard = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString();
  })().catch(() => {});
  return {
    response,
    /** Resolves when the service ends the stream. */
    ended: reading,
    topics: () => [...heard.matchAll(/^data: (.+)$/gm)].flatMap(([, topics]) => topics?.split(' ') ?? []),
    heard: () => heard,
    async leave() {
      leaving.abort();
      await reading;
    },
  };
}
