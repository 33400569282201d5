import { existsSync } from 'node:fs';
import { z } from 'zod';
import { parseEgressEntry } from './egress-allow.js';
import { readHostName } from './host-names.js';
import { isLoopback, parseNetwork } from './networks.js';

/** Marks a setting whose value no log line may contain. */
const SECRET = { secret: true };

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const masterKeys = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter((key) => key !== ''))
  .refine(
    (keys) => keys.length > 0 && keys.every((key) => Buffer.from(key, 'base64').length === 32),
    'must be 32 bytes in base64 (openssl rand -base64 32), or several such keys separated by commas',
  );
const egressAllow = z.string().transform((list, context) => {
  const entries = list.split(',').map((entry) => entry.trim());
  const wrong = entries.filter((entry) => entry !== '' && parseEgressEntry(entry) === null);
  for (const entry of wrong) {
    context.addIssue(`${JSON.stringify(entry)} is not host:port (IPv6 in brackets) and not a network such as 10.1.0.0/16`);
  }
  return entries.filter((entry) => entry !== '');
});

const trustedProxies = z.string().transform((list, context) => {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    if (parseNetwork(entry) === null) context.addIssue(`${JSON.stringify(entry)} is not an address or a network such as 10.1.0.0/16`);
  }
  return entries;
});

const hostNames = z.string().transform((list, context) => {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    if (!/^[\w.-]+$/.test(entry) || readHostName(entry) === null)
      context.addIssue(`${JSON.stringify(entry)} is not a host name such as api.internal`);
  }
  return entries;
});

const agentApiUrl = z
  .url({ protocol: /^https?$/, error: 'must look like https://investigator.example.com' })
  .refine((url) => url.startsWith('https:') || ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname), {
    error: 'must begin with https:// (the agent sends a token and credentials)',
  });

/** Buttons of messages decide, so a click is worth as much as the host that reports it. */
const slackApiUrl = z
  .url({ protocol: /^https$/, error: 'must begin with https:// (such as https://slack.com/api)' })
  .transform((url) => url.replace(/\/+$/, ''));

const slackApps = z.string().transform((list, context) => {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    if (!/^[A-Z0-9]{1,30}\/[A-Z0-9]{1,30}$/.test(entry))
      context.addIssue(`${JSON.stringify(entry)} is not the ID of a workspace and of an app, such as T0123ABCD/A0456EFGH`);
  }
  return entries;
});

const identityProviderUrl = z
  .url({ protocol: /^https?$/, error: 'must look like https://login.example.com/realms/soc' })
  .refine((url) => url.startsWith('https:') || isLoopback(new URL(url).hostname), { error: 'must begin with https://' });

const OIDC_SETTINGS = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** Every setting of every process, by the name of its environment variable. `.env.example` lists them. */
const Settings = z
  .object({
    PORT: port.default(3000),
    HOST: z.string().min(1).default('127.0.0.1'),
    DATA_DIR: z.string().min(1).default('.data'),
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/database' })
      .meta(SECRET)
      .optional(),
    DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
    TEMPORAL_ADDRESS: z
      .string()
      .regex(/^[^\s/:]+:\d+$/, 'must be host:port')
      .optional(),
    TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
    TEMPORAL_TASK_QUEUE: z.string().min(1).max(200).default('investigations'),
    TEMPORAL_TLS: flag.default(false),
    TEMPORAL_TLS_CA_FILE: z.string().min(1).optional(),
    TEMPORAL_TLS_CERT_FILE: z.string().min(1).optional(),
    TEMPORAL_TLS_KEY_FILE: z.string().min(1).optional(),
    TEMPORAL_API_KEY: z.string().min(1).meta(SECRET).optional(),
    TEMPORAL_PAYLOAD_ENCRYPTION: flag.default(false),
    TEMPORAL_UI_PORT: port.default(8233),
    TEMPORAL_WEB_URL: z.url({ protocol: /^https?$/ }).optional(),
    PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must look like https://investigator.example.com' }).optional(),
    TEMPORAL_CLI: z.string().min(1).optional(),
    MASTER_KEY: masterKeys.meta(SECRET).optional(),
    MASTER_KEY_FILE: z.string().min(1).optional(),
    ADMIN_API_KEY: z
      .string()
      .min(24, 'must have at least 24 characters')
      .max(200)
      .regex(/^[A-Za-z0-9._~+/=-]+$/, 'can contain only letters, digits and . _ ~ + / = - (a cookie carries it)')
      .meta(SECRET)
      .optional(),
    OIDC_ISSUER: identityProviderUrl.optional(),
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    OIDC_CLIENT_SECRET: z.string().min(1).meta(SECRET).optional(),
    OIDC_SCOPES: z.string().default(''),
    OIDC_OFFLINE_ACCESS: flag.default(true),
    OIDC_SIGN_IN_MAX_HOURS: z.coerce.number().int().min(1).max(8_760).default(24),
    LOCAL_SIGN_IN: flag.default(true),
    REQUIRE_TWO_FACTOR: flag.default(false),
    SESSION_IDLE_MINUTES: z.coerce.number().int().min(1).max(43_200).default(720),
    SESSION_MAX_HOURS: z.coerce.number().int().min(1).max(8_760).default(168),
    INVESTIGATION_MAX_RETRIES: z.coerce.number().int().min(0).max(20).default(3),
    RECONNECT_WAIT_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .max(30 * 86_400)
      .default(86_400),
    SHARED_RETENTION_DAYS: z.coerce.number().int().min(90).max(36_500).default(730),
    PROPOSAL_CHECK_SECONDS: z.coerce.number().int().min(1).max(86_400).default(900),
    TLS_CERT_FILE: z.string().min(1).optional(),
    TLS_KEY_FILE: z.string().min(1).optional(),
    TRUSTED_PROXIES: trustedProxies.default([]),
    ALLOWED_HOSTS: hostNames.default([]),
    METRICS_TOKEN: z
      .string()
      .min(24, 'must have at least 24 characters')
      .max(200)
      .regex(/^[A-Za-z0-9._~+/=-]+$/, 'can contain only letters, digits and . _ ~ + / = -')
      .meta(SECRET)
      .optional(),
    REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(240_000),
    EGRESS_ALLOW: egressAllow.default([]),
    EGRESS_CA_FILE: z.string().min(1).optional(),
    AGENT_API_URL: agentApiUrl.optional(),
    AGENT_TOKEN: z
      .string()
      .regex(/^agent_[\w-]{43}$/, 'must be a token from POST /platformapi/remote-agents')
      .meta(SECRET)
      .optional(),
    WORKER_HOST: z.string().min(1).default('127.0.0.1'),
    WORKER_PORT: port.default(3001),
    SLACK_API_URL: slackApiUrl.default('https://slack.com/api'),
    SLACK_APPS: slackApps.default([]),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .refine((given) => (given.TEMPORAL_TLS_CERT_FILE === undefined) === (given.TEMPORAL_TLS_KEY_FILE === undefined), {
    path: ['TEMPORAL_TLS_CERT_FILE'],
    message: 'must be set together with TEMPORAL_TLS_KEY_FILE',
  })
  .refine((given) => (given.TLS_CERT_FILE === undefined) === (given.TLS_KEY_FILE === undefined), {
    path: ['TLS_CERT_FILE'],
    message: 'must be set together with TLS_KEY_FILE',
  })
  .refine((given) => new Set(OIDC_SETTINGS.map((name) => given[name] === undefined)).size === 1, {
    path: ['OIDC_ISSUER'],
    message: 'must be set together with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
  })
  .refine((given) => given.OIDC_ISSUER === undefined || given.PUBLIC_URL !== undefined, {
    path: ['PUBLIC_URL'],
    message: 'must be set together with OIDC_ISSUER (the identity provider leads the browser back to it)',
  });
export type Settings = Readonly<z.infer<typeof Settings>>;
export const SETTING_NAMES = Object.keys(Settings.shape);
export const SECRET_SETTINGS = Object.entries(Settings.shape).flatMap(([name, schema]) =>
  schema instanceof z.ZodOptional && schema.unwrap().meta()?.['secret'] === true ? [name] : [],
);

/** An error in the environment variables. Commands print only its message, which names each variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  // Compose files set missing variables to the empty string.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new SettingsError(`These environment variables are invalid:\n${lines.join('\n')}\n.env.example describes each variable.`);
}

/** Throws when one of these settings is missing. */
export function requireSettings<Name extends keyof Settings>(
  settings: Settings,
  names: readonly Name[],
): Settings & { [N in Name]-?: NonNullable<Settings[N]> } {
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length > 0) {
    throw new SettingsError(`Set ${missing.join(', ')} (see .env.example), or run \`npm start\`, which needs no settings.`);
  }
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the check above proves it.
  return settings as Settings & { [N in Name]-?: NonNullable<Settings[N]> };
}

/** The settings that the API and a worker need. */
export function requireProcessSettings(settings: Settings) {
  const key = settings.MASTER_KEY_FILE === undefined ? (['MASTER_KEY'] as const) : [];
  return requireSettings(settings, ['DATABASE_URL', 'TEMPORAL_ADDRESS', ...key]);
}

/** For the API. A worker knows LOCAL_SIGN_IN for clicks in Slack, and needs no secret of the identity provider. */
export function requireWayToSignIn({ LOCAL_SIGN_IN, OIDC_ISSUER }: Settings): void {
  if (LOCAL_SIGN_IN || OIDC_ISSUER !== undefined) return;
  throw new SettingsError(
    'LOCAL_SIGN_IN can be false only with an identity provider: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or remove it.',
  );
}

/** The address of the dashboard in messages, without a slash at the end. */
export function readPublicUrl({ PUBLIC_URL, HOST, PORT }: Settings): string {
  return (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, '');
}

/** Loads `.env` from the current folder, if it exists. Variables of the shell take precedence. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
