import { createSign, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';

/** The exchange of a code also has the address for the return and the verifier, so it is longer. */
const REFRESH_BYTES = 220;
const GRANTS = ['authorization_code', 'refresh_token'];
const CLIENT = { id: 'alert-investigator', secret: 'the secret of the client' };

export interface ProviderUser {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

interface ProviderState {
  /** The person at the provider; null: the person refuses. */
  user: ProviderUser | null;
  /** Changes the claims of the next ID tokens, which the provider then signs again. */
  changeClaims: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Signs with a key that the provider does not publish. */
  signsWithOtherKey: boolean;
  /** The issuer in the metadata of the provider; null: the true one. */
  metadataIssuer: string | null;
  tokenRequests: number;
  /** How the provider answers a refresh token. `cut`: it uses the token up, and the connection breaks before the reply. */
  refresh: 'answer' | 'refuse' | 'fail' | 'cut';
  refreshes: number;
  supportsOfflineAccess: boolean;
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** A real OpenID Connect provider, whose person signs in without a form. Its ID tokens can be falsified. */
export async function startIdentityProvider(redirectUri: string) {
  const state: ProviderState = {
    user: null,
    changeClaims: (claims) => claims,
    signsWithOtherKey: false,
    metadataIssuer: null,
    tokenRequests: 0,
    refresh: 'answer',
    refreshes: 0,
    supportsOfflineAccess: false,
  };
  const [key, otherKey] = [newKey(), newKey()];
  let listener: RequestListener = (_request, response) => response.end();
  const server = createServer((request, response) => listener(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  const jwk: JsonWebKey = key.export({ format: 'jwk' });
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri], grant_types: GRANTS }],
    // Many providers give a refresh token without asking the person, such as Keycloak.
    issueRefreshToken: async () => state.supportsOfflineAccess,
    rotateRefreshToken: true,
    jwks: { keys: [{ ...jwk, kid: 'key', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key for the cookies of the provider'] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email'], groups: ['groups'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...state.user, sub }) }),
    async loadExistingGrant({ oidc }: { oidc: { session?: { accountId: string }; client?: { clientId: string } } }) {
      const grant = new provider.Grant({ accountId: oidc.session?.accountId, clientId: oidc.client?.clientId });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  });
  const sign = (claims: Record<string, unknown>) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const content = `${part({ alg: 'RS256', kid: 'key', typ: 'JWT' })}.${part(claims)}`;
    return `${content}.${createSign('RSA-SHA256')
      .update(content)
      .sign(state.signsWithOtherKey ? otherKey : key, 'base64url')}`;
  };
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/token') state.tokenRequests += 1;
    if (context.path === '/token' && context.body['refresh_token'] !== undefined)
      context.body = { ...context.body, scope: `${String(context.body['scope'])} offline_access` };
    const idToken = context.path === '/token' ? context.body['id_token'] : undefined;
    if (typeof idToken === 'string') {
      const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;
      context.body = { ...context.body, id_token: sign(state.changeClaims(claims)) };
    }
    if (context.path === '/.well-known/openid-configuration' && !state.supportsOfflineAccess)
      context.body = { ...context.body, scopes_supported: ['openid'] };
    if (context.path === '/.well-known/openid-configuration' && state.metadataIssuer !== null)
      context.body = { ...context.body, issuer: state.metadataIssuer };
  });

  async function finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = { error: 'access_denied', error_description: 'The person refused.' };
    await provider.interactionFinished(request, response, state.user === null ? refusal : { login: { accountId: state.user.sub } });
  }
  const handle = provider.callback();
  listener = (request, response) => {
    const isRefresh = request.url === '/token' && Number(request.headers['content-length']) < REFRESH_BYTES;
    if (isRefresh) state.refreshes += 1;
    if (isRefresh && state.refresh === 'fail') response.writeHead(503).end();
    else if (isRefresh && state.refresh === 'refuse')
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: 'invalid_grant' }));
    else if (isRefresh && state.refresh === 'cut') {
      response.end = () => request.socket.destroy() && response;
      handle(request, response);
    } else if (request.url?.startsWith('/interaction')) void finish(request, response);
    else handle(request, response);
  };
  return {
    issuer,
    state,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_SCOPES: 'groups' },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
