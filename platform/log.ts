import { type DestinationStream, type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { SECRET_SETTINGS } from './settings.js';

export type { Logger };

/** The paths at which we or a library could log a secret. */
const REDACTED = [
  'api_key',
  'apiKey',
  'password',
  'authorization',
  'cookie',
  'headers.cookie',
  'headers.authorization',
  'req.headers.cookie',
  'req.headers.authorization',
  'request.headers.cookie',
  'request.headers.authorization',
  'res.headers["set-cookie"]',
  ...SECRET_SETTINGS.flatMap((name) => [name, `settings.${name}`, `env.${name}`]),
  'err.parameters',
  'err.args',
  'err.query',
];

/** The query builder's error contains query parameters, which can be alert content. Its cause is the error of the database. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return pino.stdSerializers.err('params' in error && error.cause instanceof Error ? error.cause : error);
}

export interface LogOptions {
  /** Readable lines instead of JSON, for a terminal. */
  readonly pretty?: boolean;
  /** Default: stdout. */
  readonly to?: DestinationStream;
}

export function createLogger(level: string, process: string, { pretty = false, to }: LogOptions = {}): Logger {
  // Synchronous, so that log lines and other output stay in order, and no line is lost at the exit.
  const destination = pretty
    ? PinoPretty({ sync: true, ignore: 'pid,hostname,process', translateTime: 'SYS:HH:MM:ss', singleLine: true })
    : (to ?? pino.destination({ sync: true }));
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: serializeError, error: serializeError },
    },
    destination,
  );
}
