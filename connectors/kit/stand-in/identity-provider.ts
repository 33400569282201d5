import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { COMPANY } from './company.js';
import { sendError } from './odata.js';
import type { ConnectionValues } from './stand-in.js';

/** The state of the tenant's identity provider. The APIs behind it check requests against it. */
export interface IdentityProviderState {
  tenantId: string;
  clientId: string;
  clientSecret: string;
  isSecretExpired: boolean;
  /** The API resource that tokens are issued for. */
  resource: string;
  /** The application permissions that an administrator granted. A token keeps the permissions at the time of its issue. */
  roles: string[];
  tokenLifetimeSeconds: number;
  /** The issued tokens. A token without an entry is invalid. */
  readonly tokens: Map<string, { readonly expiresAtMs: number; readonly roles: readonly string[] }>;
  requestsPerMinute: number;
  /** The times of the requests in the last minute. */
  recentMs: number[];
}

const Form = z.record(z.string(), z.string());

export function defineIdentityProvider(
  app: FastifyInstance,
  given: Pick<IdentityProviderState, 'resource' | 'roles' | 'requestsPerMinute'>,
): IdentityProviderState {
  const state: IdentityProviderState = {
    ...given,
    tenantId: COMPANY.tenantId,
    clientId: '8d2f5f0a-6f1c-4e0d-9a55-1d2c3b4a5f60',
    clientSecret: 'stand-in-client-secret',
    isSecretExpired: false,
    tokenLifetimeSeconds: 3599,
    tokens: new Map(),
    recentMs: [],
  };

  app.post<{ Params: { tenant: string } }>('/:tenant/oauth2/v2.0/token', async (request, reply) => {
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
    const form = isForm ? Form.parse(request.body) : {};
    const { tenant } = request.params;
    if (tenant !== state.tenantId) return refuse(reply, 400, 'invalid_request', 90002, `Tenant '${tenant}' not found.`);
    if (form['grant_type'] === undefined)
      return refuse(reply, 400, 'invalid_request', 900144, "The request body must contain the following parameter: 'grant_type'.");
    if (form['grant_type'] !== 'client_credentials')
      return refuse(reply, 400, 'unsupported_grant_type', 70003, `The app requested an unsupported grant type '${form['grant_type']}'.`);
    const { scope = '', client_id = '', client_secret } = form;
    if (!scope.endsWith('/.default'))
      return refuse(
        reply,
        400,
        'invalid_scope',
        70011,
        `The provided value for the input parameter 'scope' isn't valid. The scope ${scope} isn't valid.`,
      );
    if (scope !== `${state.resource}/.default`)
      return refuse(
        reply,
        400,
        'invalid_resource',
        500011,
        `The resource principal named ${scope.slice(0, -9)} was not found in the tenant.`,
      );
    if (client_id !== state.clientId)
      return refuse(
        reply,
        400,
        'unauthorized_client',
        700016,
        `Application with identifier '${client_id}' was not found in the directory.`,
      );
    if (client_secret !== state.clientSecret)
      return refuse(
        reply,
        401,
        'invalid_client',
        7000215,
        `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${client_id}'.`,
      );
    if (state.isSecretExpired) return refuse(reply, 401, 'invalid_client', 7000222, 'The provided client secret keys are expired.');
    return {
      token_type: 'Bearer',
      expires_in: state.tokenLifetimeSeconds,
      ext_expires_in: state.tokenLifetimeSeconds,
      access_token: issue(state),
    };
  });
  return state;
}

/** True if the token is valid, has one of these roles, and the rate limit allows the request. Otherwise sends the error reply. */
export function admit(state: IdentityProviderState, request: FastifyRequest, reply: FastifyReply, ...roles: string[]): boolean {
  const nowMs = Date.now();
  state.recentMs = state.recentMs.filter((ms) => ms > nowMs - 60_000);
  const [oldestMs] = state.recentMs;
  if (oldestMs !== undefined && state.recentMs.length >= state.requestsPerMinute) {
    reply.header('retry-after', String(Math.max(1, Math.ceil((oldestMs + 60_000 - nowMs) / 1000))));
    sendError(reply, { status: 429, code: 'TooManyRequests', message: 'Too many requests, please try again later.' });
    return false;
  }
  state.recentMs.push(nowMs);
  const token = state.tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
  if (token === undefined || token.expiresAtMs <= nowMs) {
    sendError(reply, { status: 401, code: 'Unauthorized', message: 'Access token has expired or is not yet valid.' });
    return false;
  }
  if (!roles.some((role) => token.roles.includes(role))) {
    sendError(reply, { status: 403, code: 'Forbidden', message: `Missing application roles. API required roles: ${roles.join(',')}.` });
    return false;
  }
  return true;
}

/** Issues a token in the form of a JWT. Its signature is random: `admit` looks the token up in `tokens`. */
function issue(state: IdentityProviderState): string {
  const expiresAtMs = Date.now() + state.tokenLifetimeSeconds * 1000;
  const roles = [...state.roles];
  const claims = {
    aud: state.resource,
    appid: state.clientId,
    tid: state.tenantId,
    exp: Math.floor(expiresAtMs / 1000),
    jti: randomUUID(),
    ...(roles.length > 0 ? { roles } : {}),
  };
  const token = [{ typ: 'JWT', alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signed = `${token}.${randomUUID().replaceAll('-', '')}`;
  state.tokens.set(signed, { expiresAtMs, roles });
  return signed;
}

function refuse(reply: FastifyReply, status: number, error: string, code: number, text: string): FastifyReply {
  const ids = { trace_id: randomUUID(), correlation_id: randomUUID() };
  const timestamp = new Date().toISOString().replace('T', ' ').replace(/\.\d+/, '');
  return reply.code(status).send({
    error,
    error_description: `AADSTS${code}: ${text}\r\nTrace ID: ${ids.trace_id}\r\nCorrelation ID: ${ids.correlation_id}\r\nTimestamp: ${timestamp}`,
    error_codes: [code],
    timestamp,
    ...ids,
    error_uri: `https://${reply.request.host}/error?code=${code}`,
  });
}

/** A connection to a stand-in that serves both the identity provider and the API behind it. */
export function connectToIdentityProvider(url: string, state: IdentityProviderState): ConnectionValues {
  const { tenantId, clientId, clientSecret, resource } = state;
  return {
    settings: { auth_url: url, api_host: url, scope_resource: resource },
    credentials: { tenant_id: tenantId, client_id: clientId, client_secret: clientSecret },
  };
}
