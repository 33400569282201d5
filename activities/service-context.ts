import type { Db } from '../db/client.js';
import { readClock, type ServiceContext } from '../services/context.js';

export interface CommandDeps {
  readonly db: Db;
  readonly runner: ServiceContext['runner'];
}

/** The context for the commands that activities give. */
export function serviceContext({ db, runner }: CommandDeps): ServiceContext {
  return { by: null, db, runner, now: readClock };
}
