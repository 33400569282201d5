import { z } from 'zod';
import { ThirdPartyError, UnexpectedReply } from '../../../domain/connection/skill-errors.js';
import type { Http, HttpReply, HttpRequest, OpenConnection } from './implement.js';

export interface TokenSource {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The named error of a token request that was refused. */
  refusal(reply: HttpReply): ThirdPartyError;
}

export interface Token {
  readonly value: string;
  readonly expiresAtMs: number;
  /** Everything the token endpoint said, for what a test of the connection can read from it. */
  readonly reply: Readonly<Record<string, unknown>>;
}

const TokenReply = z.looseObject({ access_token: z.string().min(1), expires_in: z.coerce.number().min(0).catch(300) });
/** A token that is about to end would end on its way. */
const SPARE_MS = 60_000;
const REMEMBERED_AT_MOST = 1000;

interface TokenContext {
  readonly connection: OpenConnection;
  readonly http: Http;
}

interface Entry {
  readonly asked: Promise<Token>;
  token: Token | null;
}

/** One token a connection, asked for once however many calls wait for it. Of this process: nothing is stored. */
const tokens = new Map<string, Entry>();

/** Sends a request with the connection's token; a 401 drops that token and is tried once more with a new one. */
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
  const { entry, isOurs } = join(context, source);
  try {
    return await entry.asked;
  } catch (error) {
    // Who asked may only have run out of its own time: once more, again together.
    if (isOurs || !(error instanceof ThirdPartyError && error.retryable)) throw error;
    return join(context, source).entry.asked;
  }
}

/** The token that is there or on its way; where there is neither, it is asked for. A failure is not remembered. */
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
        throw nothingHappened(error);
      },
    ),
  };
  if (tokens.size >= REMEMBERED_AT_MOST) tokens.clear();
  tokens.set(key, entry);
  return { entry, isOurs: true };
}

/** Without a token the call itself was never sent, whatever became of the token's. */
function nothingHappened(error: unknown): unknown {
  if (!(error instanceof ThirdPartyError && error.mayHaveHappened)) return error;
  const { code, message, status, resolution } = error;
  return new ThirdPartyError(code, message, {
    mayHaveHappened: false,
    ...(status === undefined ? {} : { status }),
    ...(resolution === undefined ? {} : { resolution }),
  });
}

/** Only the token that was refused: another call may already have fetched its successor. */
function forgetToken(connection: OpenConnection, source: TokenSource, refused: Token): void {
  const key = cacheKey(connection, source);
  if (tokens.get(key)?.token === refused) tokens.delete(key);
}

function cacheKey(connection: OpenConnection, source: TokenSource): string {
  return `${connection.id} ${connection.generation} ${source.url} ${source.form['scope'] ?? ''}`;
}

/** Asks anew whatever is remembered: a test of a connection has to prove the secret of today. */
export async function fetchToken(http: Http, source: TokenSource): Promise<Token> {
  const reply = await http.request({
    method: 'POST',
    url: source.url,
    form: source.form,
    ...(source.headers ? { headers: source.headers } : {}),
  });
  if (reply.status !== 200) throw source.refusal(reply);
  const parsed = TokenReply.safeParse(reply.json());
  if (!parsed.success) throw new UnexpectedReply('The token endpoint answered without an access token.');
  const lifetimeMs = parsed.data.expires_in * 1000;
  return {
    value: parsed.data.access_token,
    // A very short life is halved instead, or a new token would be asked for with every call.
    expiresAtMs: Date.now() + Math.max(lifetimeMs - SPARE_MS, lifetimeMs / 2),
    reply: parsed.data,
  };
}
