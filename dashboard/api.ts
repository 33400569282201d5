/** What the API says when something is wrong (RFC 9457). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly resolution: string | null;
  /** By the pointer of the wrong field, `#/credentials/api_key`. */
  readonly fields: ReadonlyMap<string, string>;

  constructor(status: number, document: ProblemDocument) {
    super(document.detail ?? document.title ?? `The server answered ${status}.`);
    this.status = status;
    this.resolution = document.resolution ?? null;
    this.fields = new Map((document.errors ?? []).map(({ pointer, parameter, detail }) => [pointer ?? parameter ?? '', detail]));
  }
}

interface ProblemDocument {
  readonly title?: string;
  readonly detail?: string;
  readonly resolution?: string | null;
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[];
}

export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `pathOf('/alerts', { status: 15 })`: parameters without a value are left out. */
export function buildPath(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value == null || value === '' ? [] : [[name, String(value)]]));
  const parameters = new URLSearchParams(given).toString();
  return `/platformapi${path}${parameters === '' ? '' : `?${parameters}`}`;
}

async function ask<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiProblem(0, { detail: 'The service does not answer. It may be starting, or the network is down.' });
  });
  const text = await response.text();
  const reply: unknown = text === '' ? null : parse(text);
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the API describes its replies; pages name the type they ask for.
  if (response.ok) return reply as Reply;
  throw new ApiProblem(response.status, isProblem(reply) ? reply : {});
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isProblem(reply: unknown): reply is ProblemDocument {
  return typeof reply === 'object' && reply !== null && 'detail' in reply;
}

/** One way to the API; the session is a cookie that no script can read. */
export const api = {
  get: <Reply>(path: string, query?: Query) => ask<Reply>('GET', buildPath(path, query)),
  post: <Reply>(path: string, body: unknown = {}) => ask<Reply>('POST', buildPath(path), body),
  put: <Reply>(path: string, body: unknown) => ask<Reply>('PUT', buildPath(path), body),
  patch: <Reply>(path: string, body: unknown) => ask<Reply>('PATCH', buildPath(path), body),
  delete: <Reply>(path: string) => ask<Reply>('DELETE', buildPath(path)),
};
