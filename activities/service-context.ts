import type { Db } from '../db/client.js';
import { readClock, type ServiceContext } from '../services/context.js';

/** The context for the commands that activities give. */
export function serviceContext({ db, runner }: { readonly db: Db; readonly runner: ServiceContext['runner'] }): ServiceContext {
  return { by: null, db, runner, now: readClock };
}
