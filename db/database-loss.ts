import { isDatabaseAway } from './client.js';

interface LossLog {
  warn(details: object, message: string): void;
}

/**
 * postgres.js 3.4.9 writes to closed sockets and fetches types in a query that no caller awaits (porsager/postgres#1208). No try
 * block catches these errors. The callers retry the affected queries, so the process continues.
 */
export function surviveDatabaseLoss(log: LossLog, otherwise: (error: unknown) => void): void {
  const judge = (error: unknown) => {
    if (isDatabaseAway(error) || isClosedSocket(error)) log.warn({ err: error }, 'lost a database connection');
    else otherwise(error);
  };
  process.on('uncaughtException', judge).on('unhandledRejection', judge);
}

function isClosedSocket(error: unknown): boolean {
  return error instanceof TypeError && /nextWrite \(.*[/\\]postgres[/\\](cjs[/\\])?src[/\\]connection\.js/.test(error.stack ?? '');
}
