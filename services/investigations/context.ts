import type { Database, PgClient } from '../../db/client.js';
import { asService, type WorkContext } from '../context.js';

/** The statements of each investigation are prepared, which needs the client below drizzle. */
export interface InvestigationContext extends WorkContext {
  readonly pg: PgClient;
}

/** Investigations begin and end without a person. */
export function asInvestigator({ db, pg }: Pick<Database, 'db' | 'pg'>): InvestigationContext {
  return { ...asService(db), pg };
}
