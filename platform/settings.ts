import { existsSync } from 'node:fs';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const masterKey = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32)');

/** Every setting of every process, by the name of its environment variable. `.env.example` and the README list them. */
const Settings = z
  .object({
    PORT: port.default(3000),
    HOST: z.string().min(1).default('127.0.0.1'),
    DATA_DIR: z.string().min(1).default('.data'),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/database' }).optional(),
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
    TEMPORAL_API_KEY: z.string().min(1).optional(),
    TEMPORAL_UI_PORT: port.default(8233),
    TEMPORAL_CLI: z.string().min(1).optional(),
    MASTER_KEY: masterKey.optional(),
    ADMIN_API_KEY: z
      .string()
      .min(24, 'must have at least 24 characters')
      .max(200)
      .regex(/^[A-Za-z0-9._~+/=-]+$/, 'may hold letters, digits and . _ ~ + / = - (it travels in a cookie)')
      .optional(),
    INVESTIGATION_MAX_RETRIES: z.coerce.number().int().min(0).max(20).default(3),
    REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(1_000_000),
    WORKER_HOST: z.string().min(1).default('127.0.0.1'),
    WORKER_PORT: port.default(3001),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .refine((given) => (given.TEMPORAL_TLS_CERT_FILE === undefined) === (given.TEMPORAL_TLS_KEY_FILE === undefined), {
    path: ['TEMPORAL_TLS_CERT_FILE'],
    message: 'needs TEMPORAL_TLS_KEY_FILE beside it, and the other way round',
  });
export type Settings = Readonly<z.infer<typeof Settings>>;
export const SETTING_NAMES = Object.keys(Settings.shape);

/** What went wrong is the user's to mend: the message names each variable, and no stack follows. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  // A variable that is set to nothing (as compose files do) is a variable that is not set.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new SettingsError(
    `These environment variables are not usable:\n${lines.join('\n')}\nThe README's configuration table says what each takes.`,
  );
}

/** A process on its own (`npm run api`, `npm run worker`) embeds nothing: these have to be given. */
export function requireSettings<Name extends keyof Settings>(
  settings: Settings,
  names: readonly Name[],
): Settings & { [N in Name]-?: NonNullable<Settings[N]> } {
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length > 0) {
    throw new SettingsError(`Set ${missing.join(', ')} (see .env.example), or run \`npm start\`, which brings everything itself.`);
  }
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the line above has just looked.
  return settings as Settings & { [N in Name]-?: NonNullable<Settings[N]> };
}

/** `.env` beside package.json, where there is one; what the shell sets wins. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
