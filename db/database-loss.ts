import { isDatabaseAway } from './client.js';

interface LossLog {
  warn(details: object, message: string): void;
}

/**
 * postgres.js 3.4.9 writes to a socket that has just closed, and fetches types in a query nobody waits for: both escape
 * every try (porsager/postgres#1208). The queries concerned fail by themselves and are tried again; the process goes on.
 */
export function surviveDatabaseLoss(log: LossLog, otherwise: (error: unknown) => void): void {
  const judge = (error: unknown) => {
    if (isDatabaseAway(error) || isClosedSocket(error)) log.warn({ err: error }, 'a connection to the database was lost');
    else otherwise(error);
  };
  process.on('uncaughtException', judge).on('unhandledRejection', judge);
}

function isClosedSocket(error: unknown): boolean {
  return error instanceof TypeError && /nextWrite \(.*[/\\]postgres[/\\](cjs[/\\])?src[/\\]connection\.js/.test(error.stack ?? '');
}
