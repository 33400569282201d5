import { sql } from 'drizzle-orm';
import type { Db, Transaction } from './client.js';

/** So many matches are read. A reply has fewer, so that the best of them can be chosen. */
export const MAX_READ = 200;

/**
 * Reads without an order, by the index of the searched text. For a text that many rows contain, Postgres would read row after row until it
 * has enough, and that takes long if all of them are in one part of the table.
 */
export async function readByIndex<Row>(db: Db, read: (transaction: Transaction) => Promise<Row[]>): Promise<Row[]> {
  return db.transaction(async (transaction) => {
    await transaction.execute(sql`
      select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
        set_config('enable_indexonlyscan', 'off', true)`);
    return read(transaction);
  });
}
