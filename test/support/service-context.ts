import type { Db } from '../../db/client.js';
import { readClock, type ServiceContext } from '../../services/context.js';

/** The context of a command without a person. It starts and signals no workflow. */
export function idleContext({ database }: { readonly database: { readonly db: Db } }): ServiceContext {
  const idle = async () => undefined;
  const runner = {
    run: async () => ({ ended: false as const }),
    start: idle,
    startOnce: idle,
    signal: idle,
    replace: idle,
    wakeChannels: idle,
  };
  return { by: null, db: database.db, runner, now: readClock };
}
