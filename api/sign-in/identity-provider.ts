import { AsyncLocalStorage } from 'node:async_hooks';
import * as client from 'openid-client';
import type { ProviderClaims } from '../../domain/identity/claims.js';
import { isLoopback } from '../../platform/networks.js';
import type { Settings } from '../../platform/settings.js';
import type { Refreshed } from '../../services/users/check-provider-user.js';

/** The clocks of the provider and this machine may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60;
const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid profile email';
const OFFLINE_ACCESS = 'offline_access';
const MAX_REPLY_BYTES = 1024 * 1024;

export interface AuthorizationRequest {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

interface Options {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly redirectUri: string;
  readonly wantsOfflineAccess: boolean;
  readonly accessSeconds: number;
}

/** A refresh under way. */
interface Exchange {
  readonly tokenEndpoint: string;
  readonly keep: (refreshToken: string) => Promise<void>;
  /** `unsent`: no request reached the provider. */
  state: 'unsent' | 'sent' | 'replied';
}

/** OpenID Connect, authorization code flow with PKCE. */
export class IdentityProvider {
  readonly #options: Options;
  readonly #exchange = new AsyncLocalStorage<Exchange>();
  #configuration: Promise<client.Configuration> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** null: no provider is configured. */
  static of(settings: Settings, callbackPath: string): IdentityProvider | null {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL: publicUrl } = settings;
    if (issuer === undefined || clientId === undefined || clientSecret === undefined || publicUrl === undefined) return null;
    const scope = `${SCOPE} ${settings.OIDC_SCOPES}`.trim();
    return new IdentityProvider({
      ...{ issuer, clientId, clientSecret, scope, redirectUri: new URL(callbackPath, publicUrl).href },
      wantsOfflineAccess: settings.OIDC_OFFLINE_ACCESS,
      accessSeconds: settings.OIDC_SIGN_IN_MAX_HOURS * 3_600,
    });
  }

  /** From a sign-in or a check until the user must sign in again. */
  get accessSeconds(): number {
    return this.#options.accessSeconds;
  }

  get checksInBackground(): boolean {
    return this.#options.wantsOfflineAccess;
  }

  async buildRequest(): Promise<AuthorizationRequest> {
    const configuration = await this.#discover();
    const [state, nonce, codeVerifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#options.redirectUri,
      scope: this.#listScopes(configuration),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, state, nonce, codeVerifier };
  }

  /** Checks issuer, state, nonce, audience, signature and times of the reply. Throws for a reply that is not valid. */
  async readReply(
    query: string,
    expected: Pick<AuthorizationRequest, 'state' | 'nonce' | 'codeVerifier'>,
  ): Promise<{ claims: ProviderClaims; refreshToken: string | null }> {
    const reply = new URL(this.#options.redirectUri);
    reply.search = query;
    const configuration = await this.#discover();
    const tokens = await client.authorizationCodeGrant(configuration, reply, {
      expectedState: expected.state,
      expectedNonce: expected.nonce,
      pkceCodeVerifier: expected.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('The reply of the identity provider has no ID token.');
    // The library does not check the time of issue.
    if (claims.iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) throw new Error('The ID token was issued in the future.');
    // Another token ends with the session at the provider, which says nothing about the account.
    const isOffline = this.#requestsOfflineAccess(configuration) && (tokens.scope?.split(' ').includes(OFFLINE_ACCESS) ?? true);
    return { claims, refreshToken: isOffline ? (tokens.refresh_token ?? null) : null };
  }

  /** Asks for the claims that the user has now. `keep` stores a new refresh token before the reply is read further. */
  async refresh(refreshToken: string, subject: string, keep: Exchange['keep']): Promise<Refreshed> {
    const configuration = await this.#discover().catch(() => null);
    if (configuration === null) return { outcome: 'failed', mayHaveReplaced: false };
    const exchange: Exchange = { tokenEndpoint: configuration.serverMetadata().token_endpoint ?? '', keep, state: 'unsent' };
    try {
      const claims = await this.#exchange.run(exchange, () => this.#readCurrentClaims(configuration, refreshToken, subject));
      return { outcome: 'confirmed', claims };
    } catch (error) {
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return { outcome: 'refused' };
      return { outcome: 'failed', mayHaveReplaced: exchange.state === 'sent' };
    }
  }

  async #readCurrentClaims(configuration: client.Configuration, refreshToken: string, subject: string): Promise<ProviderClaims> {
    const tokens = await client.refreshTokenGrant(configuration, refreshToken);
    const { issuer: iss } = configuration.serverMetadata();
    // A provider may leave out the ID token.
    const claims = tokens.claims() ?? { ...(await client.fetchUserInfo(configuration, tokens.access_token, subject)), iss };
    if (claims.sub !== subject) throw new Error('The identity provider answered for another user.');
    return claims;
  }

  #listScopes(configuration: client.Configuration): string {
    const offline = this.#requestsOfflineAccess(configuration) ? [OFFLINE_ACCESS] : [];
    return [...new Set([...this.#options.scope.split(' '), ...offline])].join(' ');
  }

  #requestsOfflineAccess(configuration: client.Configuration): boolean {
    const { scope, wantsOfflineAccess } = this.#options;
    const isListed = configuration.serverMetadata().scopes_supported?.includes(OFFLINE_ACCESS) ?? false;
    return wantsOfflineAccess && (isListed || scope.split(' ').includes(OFFLINE_ACCESS));
  }

  /** Bounds the size of each reply; the library bounds the time. */
  readonly #fetch: client.CustomFetch = async (url, options) => {
    const exchange = this.#exchange.getStore();
    const isExchange = exchange !== undefined && exchange.tokenEndpoint === url;
    if (isExchange) exchange.state = 'sent';
    const reply = await fetch(url, { ...options, body: options.body ?? null }).catch((error: unknown) => {
      if (isExchange && isNeverSent(error)) exchange.state = 'unsent';
      throw error;
    });
    const body = await readBounded(reply);
    if (isExchange) {
      const replaced = readRefreshToken(reply, body);
      if (replaced !== null) await exchange.keep(replaced);
      exchange.state = 'replied';
    }
    return new Response(EMPTY_STATUSES.has(reply.status) ? null : body, { status: reply.status, headers: reply.headers });
  };

  /** A failed discovery is tried again at the next sign-in. */
  #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    const server = new URL(issuer);
    const isLocal = server.protocol === 'http:' && isLoopback(server.hostname);
    this.#configuration ??= client
      .discovery(server, clientId, { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS }, undefined, {
        timeout: TIMEOUT_SECONDS,
        [client.customFetch]: this.#fetch,
        execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
      })
      .catch((error: unknown) => {
        this.#configuration = null;
        throw error;
      });
    return this.#configuration;
  }
}

const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** The connection was refused, or the name has no address. */
function isNeverSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

async function readBounded(reply: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_REPLY_BYTES) throw new Error(`The reply of the identity provider is larger than ${MAX_REPLY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readRefreshToken(reply: Response, body: Buffer): string | null {
  if (!reply.ok) return null;
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const token = typeof parsed === 'object' && parsed !== null && 'refresh_token' in parsed ? parsed.refresh_token : null;
    return typeof token === 'string' ? token : null;
  } catch {
    return null;
  }
}
