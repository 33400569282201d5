import { type DestinationStream, type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

export type { Logger };

/** Where a secret could stand in anything we log, whatever the depth a library logs it at. */
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
  'settings.DATABASE_URL',
  'settings.MASTER_KEY',
  'settings.ADMIN_API_KEY',
  'settings.TEMPORAL_API_KEY',
  'settings.AGENT_TOKEN',
  'err.parameters',
  'err.args',
  'err.query',
];

/** A query builder's error repeats the query with its parameters, which people sent us; what the database said stands in its cause. */
function errorToLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return pino.stdSerializers.err('params' in error && error.cause instanceof Error ? error.cause : error);
}

export interface LogOptions {
  /** Lines for a person at a terminal, in place of JSON. */
  readonly pretty?: boolean;
  /** Anywhere but the terminal. */
  readonly to?: DestinationStream;
}

export function createLogger(level: string, process: string, { pretty = false, to }: LogOptions = {}): Logger {
  // Written at once, so that a line stands where it belongs among what else is printed, and none is lost at the end.
  const destination = pretty
    ? PinoPretty({ sync: true, ignore: 'pid,hostname,process', translateTime: 'SYS:HH:MM:ss', singleLine: true })
    : (to ?? pino.destination({ sync: true }));
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: errorToLog, error: errorToLog },
    },
    destination,
  );
}
