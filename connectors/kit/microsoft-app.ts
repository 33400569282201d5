import { z } from 'zod';
import { type ErrorTable, type KnownHost, origin, plain, secret } from './define.js';

const PUBLIC_IDENTITY_PROVIDER = 'https://login.microsoftonline.com';

/** The credentials of every connector that uses an app registration of the tenant. */
export const microsoftCredentials = z.object({
  tenant_id: plain('Tenant ID', 'The directory (tenant) ID of the app registration.'),
  client_id: plain('Client ID', 'The application (client) ID of the app registration.'),
  client_secret: secret('Client Secret', "The secret's value, shown once when it is created; not its ID."),
});

export function microsoftSettings(apiHost: string, help: string) {
  return z.object({
    auth_url: origin('Auth URL', 'The identity provider of your cloud.').default(PUBLIC_IDENTITY_PROVIDER),
    api_host: origin('API host', help).default(apiHost),
    scope_resource: origin('Scope resource', 'The API resource that tokens are issued for.').default(apiHost),
  });
}

export const microsoftRotation = { days: 90, advice: 'Replace the client secret every 30 to 90 days.' };

export const microsoftErrors = {
  400: {
    cause: 'Incorrect request format',
    resolution: 'Check endpoint and headers: the hosts of the connection and the input of the skill.',
  },
  401: {
    cause: 'Invalid token',
    resolution: 'Regenerate token, check credentials: reconnect with the current client secret. The tenant also needs an eligible licence.',
  },
  403: {
    cause: 'Insufficient API permissions',
    resolution: 'Grant admin consent for the application permission that this skill needs, in the app registration.',
  },
  404: { cause: 'No API at this address', resolution: 'Check the API host of the connection.' },
  429: { cause: 'Too many requests', resolution: 'No action needed: the service retries when the third party allows it.' },
  '5xx': { cause: 'Service issue', resolution: 'Retry later' },
} satisfies ErrorTable;

export function microsoftHosts(settings: { auth_url: string; api_host: string }): readonly KnownHost[] {
  return [
    { purpose: 'token', url: settings.auth_url },
    { purpose: 'API', url: settings.api_host },
  ];
}

/** In the public cloud, tokens for one resource work with every host. */
export function publicPreset(title: string, apiHost: string, resource: string) {
  return { title, settings: { auth_url: PUBLIC_IDENTITY_PROVIDER, api_host: apiHost, scope_resource: resource } };
}

/** Government clouds issue tokens for the API host itself. */
export function governmentPreset(title: string, authUrl: string, apiHost: string) {
  return { title, settings: { auth_url: authUrl, api_host: apiHost, scope_resource: apiHost } };
}
