import { connect } from 'node:net';
import { HANDLER_TIMEOUT_MS } from '../../api/app.js';

export interface AttackRequest {
  readonly method: string;
  /** Sent as it is, also if no client would send it. */
  readonly target: string;
  readonly headers?: readonly string[];
  readonly body?: Buffer | string;
}

export interface AttackReply {
  /** 0: the server closed the connection without a reply. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
  readonly ms: number;
  /** Not every byte of the reply arrived within the limit. */
  readonly isLate: boolean;
}

/** On a busy machine a reply needs this time to arrive. */
const SLACK_MS = 10_000;
/** The longest wait of a route that bounds itself: the test of a connection. */
const LONGEST_WAIT_MS = 60_000;
const END_OF_HEAD = '\r\n\r\n';

/** A route must reply before this limit, also if it asks the client to try again. All of `routes` have the path. */
export function findLimit(routes: readonly { readonly boundsItself: boolean }[]): number {
  return SLACK_MS + (routes.some(({ boundsItself }) => boundsItself) ? LONGEST_WAIT_MS : HANDLER_TIMEOUT_MS);
}

/** Sends exactly these bytes over its own connection. */
export function send(
  url: string,
  { method, target, headers = [], body = '' }: AttackRequest,
  limitMs = LONGEST_WAIT_MS + SLACK_MS,
): Promise<AttackReply> {
  const { hostname, port, host } = new URL(url);
  const bytes = Buffer.from(body);
  const length = bytes.length > 0 ? [`content-length: ${bytes.length}`] : [];
  const hosts = headers.some((each) => /^host:/i.test(each)) ? [] : [`host: ${host}`];
  const head = [`${method} ${target} HTTP/1.1`, ...hosts, 'connection: close', ...length, ...headers].join('\r\n');
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const finish = (isLate: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...parseReply(Buffer.concat(chunks).toString()), ms: performance.now() - began, isLate });
    };
    const timer = setTimeout(() => finish(true), limitMs);
    socket.on('connect', () => socket.write(Buffer.concat([Buffer.from(`${head}${END_OF_HEAD}`, 'latin1'), bytes])));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      // The server never ends such a reply.
      if (chunks.length === 1 && chunk.includes('content-type: text/event-stream')) finish(false);
    });
    socket.on('close', () => finish(false));
    // The server can close before it has read a large body. The reply has arrived then.
    socket.on('error', () => undefined);
  });
}

function parseReply(text: string): Pick<AttackReply, 'status' | 'head' | 'body'> {
  const final = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const at = final.indexOf(END_OF_HEAD);
  const head = at < 0 ? final : final.slice(0, at);
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0), head, body: at < 0 ? '' : final.slice(at + END_OF_HEAD.length) };
}

/** What a 500 or a carelessly written error shows. */
const LEAKS =
  /node_modules|\bat \S+ \(|\.[tj]s:\d+|\bselect\b.+\bfrom\b|insert into|PostgresError|Drizzle|Failed query|invalid byte sequence/i;

/** The faults of a reply that no request may get. Empty: none. */
export function findFaults({ method }: Pick<AttackRequest, 'method'>, reply: AttackReply): string[] {
  const { status, head, body } = reply;
  if (reply.isLate) return [`no complete reply within ${Math.round(reply.ms / 1000)} s`];
  if (status === 0) return ['no reply'];
  if (status < 400) return [];
  if (status >= 500 && status !== 503 && !isThirdPartyFailure(reply)) return [`the status ${status}: ${body.slice(0, 300)}`];
  if (status === 503 && !/^retry-after: \d+/im.test(head)) return ['503 without Retry-After'];
  if (LEAKS.test(body)) return [`an error that shows the code: ${body.slice(0, 300)}`];
  if (method !== 'HEAD' && !isProblem(reply)) return [`an error that is not RFC 9457: ${head.split('\r\n')[0]} ${body.slice(0, 200)}`];
  return [];
}

/** 502 with the code of the third party's failure is the documented reply to its failure. */
function isThirdPartyFailure({ status, body }: AttackReply): boolean {
  return status === 502 && /"code":"\w+"/.test(body);
}

function isProblem({ status, head, body }: AttackReply): boolean {
  if (!/^content-type: application\/problem\+json/im.test(head)) return false;
  const text = /^transfer-encoding: chunked/im.test(head) ? body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, '') : body;
  try {
    const problem: unknown = JSON.parse(text);
    return typeof problem === 'object' && problem !== null && 'status' in problem && problem.status === status && 'detail' in problem;
  } catch {
    return false;
  }
}
