import createClient, { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { paths } from './api-types.js';

const BASE_URL = '/platformapi';

/** An error that the API reports as a problem document (RFC 9457). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly resolution: string | null;
  /** By the pointer of the invalid field, `#/credentials/api_key`. */
  readonly fields: ReadonlyMap<string, string>;

  constructor(status: number, document: ProblemDocument) {
    super(document.detail ?? document.title ?? `The server replied with status ${status}.`);
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

function isProblem(reply: unknown): reply is ProblemDocument {
  return typeof reply === 'object' && reply !== null && 'detail' in reply;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

/** The query parameters of a list, except the size of its pages. */
export type ListQuery<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? Omit<NonNullable<Query>, 'limit'>
  : never;

type JsonOf<Operation> = Operation extends { responses: infer Replies }
  ? { [Status in keyof Replies]: Replies[Status] extends { content: { 'application/json': infer Body } } ? Body : never }[keyof Replies]
  : never;
/** What `GET` replies. */
export type Reply<Path extends keyof paths> = paths[Path] extends { get: infer Operation } ? JsonOf<Operation> : never;
/** An item of the list that `GET` replies. */
export type Item<Path extends keyof paths> = Reply<Path> extends { items: (infer Each)[] } ? Each : never;
/** What `POST` replies. */
export type Created<Path extends keyof paths> = paths[Path] extends { post: infer Operation } ? JsonOf<Operation> : never;

/** The API client; the session is a cookie that scripts cannot read. */
export const api = createClient<paths>({
  baseUrl: BASE_URL,
  credentials: 'same-origin',
  headers: { accept: 'application/json' },
});

/** The data of a successful reply: `await unwrap(api.GET('/session'))`. Throws an ApiProblem for any other reply. */
export async function unwrap<Data>(
  request: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const { data, error, response } = await request.catch(() => {
    throw new ApiProblem(0, { detail: 'The service does not respond. Check that it is running and that the network works.' });
  });
  if (!response.ok) throw new ApiProblem(response.status, isProblem(error) ? error : {});
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: a successful reply has data; replies without a body have the type undefined.
  return data as Data;
}

/** A form made from a JSON Schema as a request body. The API validates it and names each invalid field. */
export function toBody<Body>(value: Readonly<Record<string, unknown>>): Body {
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the schema of the form decides at run time which fields it has.
  return value as Body;
}

interface LinkParameters {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The address of an operation, for links that the browser opens itself, such as downloads. */
export function buildUrl(
  // The sign-in with a provider exists only in services that have one.
  path: keyof paths | '/session/provider',
  params: LinkParameters = {},
): string {
  const serializers = { querySerializer: createQuerySerializer(), pathSerializer: defaultPathSerializer };
  return createFinalURL(path, { baseUrl: BASE_URL, params, ...serializers });
}

/** Sends a file as it is. */
export async function uploadFile(url: string, file: Blob): Promise<void> {
  const headers = { accept: 'application/json', 'content-type': 'application/octet-stream' };
  const sent = fetch(url, { method: 'POST', body: file, credentials: 'same-origin', headers });
  await unwrap(
    sent.then(async (response) => ({ response, error: response.ok ? undefined : await response.json().catch(() => undefined) })),
  );
}
