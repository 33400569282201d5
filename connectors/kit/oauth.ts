import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ThirdPartyError, UnexpectedReply } from '../../domain/connection/skill-errors.js';
import type { Http, HttpReply, HttpRequest, OpenConnection } from './implement.js';

export interface TokenSource {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error for a refused token request. */
  refusal(reply: HttpReply): ThirdPartyError;
}

export interface Token {
  readonly value: string;
  readonly expiresAtMs: number;
  /** The whole reply of the token endpoint: a connection test reads permissions from it. */
  readonly reply: Readonly<Record<string, unknown>>;
}

const TokenReply = z.looseObject({ access_token: z.string().min(1), expires_in: z.coerce.number().min(0).catch(300) });
/** Renew a token before it can expire during a call. */
const SPARE_MS = 60_000;
const MAX_REMEMBERED = 1000;

interface TokenContext {
  readonly connection: OpenConnection;
  readonly http: Http;
}

interface Entry {
  readonly asked: Promise<Token>;
  token: Token | null;
}

/** One token for each connection, shared by all calls that wait for it. Only in memory: tokens are never stored. */
const tokens = new LRUCache<string, Entry>({ max: MAX_REMEMBERED });

/** Sends a request with the connection's token. After a 401 it tries once more with a new token. */
export async function requestWithToken(context: TokenContext, source: TokenSource, request: HttpRequest): Promise<HttpReply> {
  const first = await getToken(context, source);
  const reply = await context.http.request(withBearer(request, first));
  if (reply.status !== 401) return reply;
  forgetToken(context.connection, source, first);
  return context.http.request(withBearer(request, await getToken(context, source)));
}

function withBearer(request: HttpRequest, token: Token): HttpRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token.value}` } };
}

export async function getToken(context: TokenContext, source: TokenSource): Promise<Token> {
  const token = await joinOrRetry(context, source);
  // Another call may have requested it, through its own client.
  context.http.hideToken?.(token.value);
  return token;
}

async function joinOrRetry(context: TokenContext, source: TokenSource): Promise<Token> {
  const { entry, isOurs } = join(context, source);
  try {
    return await entry.asked;
  } catch (error) {
    // The call that asked may have hit its own time limit: ask once more, again shared.
    if (isOurs || !(error instanceof ThirdPartyError && error.retryable)) throw error;
    return join(context, source).entry.asked;
  }
}

/** The known token or the pending request for one; else starts a request. A failure is not remembered. */
function join({ connection, http }: TokenContext, source: TokenSource): { entry: Entry; isOurs: boolean } {
  const key = cacheKey(connection, source);
  const known = tokens.get(key);
  const isUsable = known !== undefined && (known.token === null || known.token.expiresAtMs > Date.now());
  if (isUsable) return { entry: known, isOurs: false };
  const entry: Entry = {
    token: null,
    asked: fetchToken(http, source).then(
      (token) => {
        entry.token = token;
        return token;
      },
      (error) => {
        if (tokens.get(key) === entry) tokens.delete(key);
        // The call itself was never sent.
        throw error instanceof ThirdPartyError ? error.asUnsent() : error;
      },
    ),
  };
  tokens.set(key, entry);
  return { entry, isOurs: true };
}

/** Forgets only the refused token: another call may already have a new one. */
function forgetToken(connection: OpenConnection, source: TokenSource, refused: Token): void {
  const key = cacheKey(connection, source);
  if (tokens.get(key)?.token === refused) tokens.delete(key);
}

function cacheKey(connection: OpenConnection, source: TokenSource): string {
  return `${connection.id} ${connection.generation} ${source.url} ${source.form['scope'] ?? ''}`;
}

/** Skips the cache: a connection test must prove the current secret. */
export async function fetchToken(http: Http, source: TokenSource): Promise<Token> {
  const reply = await http.request({
    method: 'POST',
    url: source.url,
    form: source.form,
    returnsToken: true,
    changesNothing: true,
    ...(source.headers ? { headers: source.headers } : {}),
  });
  if (reply.status !== 200) throw source.refusal(reply);
  const parsed = TokenReply.safeParse(reply.json());
  if (!parsed.success) throw new UnexpectedReply('The reply of the token endpoint has no access token.');
  for (const [name, value] of Object.entries(parsed.data)) if (name.endsWith('token') && typeof value === 'string') http.hideToken?.(value);
  const lifetimeMs = parsed.data.expires_in * 1000;
  return {
    value: parsed.data.access_token,
    // For a very short lifetime, half of it: otherwise every call would request a new token.
    expiresAtMs: Date.now() + Math.max(lifetimeMs - SPARE_MS, lifetimeMs / 2),
    reply: parsed.data,
  };
}
