import * as client from 'openid-client';
import type { ProviderClaims } from '../../domain/identity/claims.js';
import { isLoopback } from '../../platform/networks.js';
import type { Settings } from '../../platform/settings.js';

/** The clocks of the provider and this machine may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60;
const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid profile email';

export interface AuthorizationRequest {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** OpenID Connect, authorization code flow with PKCE. */
export class IdentityProvider {
  readonly #options: { issuer: string; clientId: string; clientSecret: string; scope: string; redirectUri: string };
  #configuration: Promise<client.Configuration> | null = null;

  constructor(options: { issuer: string; clientId: string; clientSecret: string; scope: string; redirectUri: string }) {
    this.#options = options;
  }

  /** null: no provider is configured. */
  static of(settings: Settings, callbackPath: string): IdentityProvider | null {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL: publicUrl } = settings;
    if (issuer === undefined || clientId === undefined || clientSecret === undefined || publicUrl === undefined) return null;
    const scope = `${SCOPE} ${settings.OIDC_SCOPES}`.trim();
    return new IdentityProvider({ issuer, clientId, clientSecret, scope, redirectUri: new URL(callbackPath, publicUrl).href });
  }

  async buildRequest(): Promise<AuthorizationRequest> {
    const configuration = await this.#discover();
    const [state, nonce, codeVerifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#options.redirectUri,
      scope: this.#options.scope,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, state, nonce, codeVerifier };
  }

  /** Checks issuer, state, nonce, audience, signature and times of the reply. Throws for a reply that is not valid. */
  async readReply(query: string, expected: Pick<AuthorizationRequest, 'state' | 'nonce' | 'codeVerifier'>): Promise<ProviderClaims> {
    const reply = new URL(this.#options.redirectUri);
    reply.search = query;
    const tokens = await client.authorizationCodeGrant(await this.#discover(), reply, {
      expectedState: expected.state,
      expectedNonce: expected.nonce,
      pkceCodeVerifier: expected.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('The reply of the identity provider has no ID token.');
    // The library does not check the time of issue.
    if (claims.iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) throw new Error('The ID token was issued in the future.');
    return claims;
  }

  /** A failed discovery is tried again at the next sign-in. */
  #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    const server = new URL(issuer);
    const isLocal = server.protocol === 'http:' && isLoopback(server.hostname);
    this.#configuration ??= client
      .discovery(server, clientId, { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS }, undefined, {
        timeout: TIMEOUT_SECONDS,
        execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
      })
      .catch((error: unknown) => {
        this.#configuration = null;
        throw error;
      });
    return this.#configuration;
  }
}
