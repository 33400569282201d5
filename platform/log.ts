import { pino, type Logger } from 'pino';

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
  'err.parameters',
  'err.args',
  'err.query',
];

export function createLogger(level: string, process: string): Logger {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: pino.stdSerializers.err },
  });
}
