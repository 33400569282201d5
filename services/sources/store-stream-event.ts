import { databaseErrorCode, type PgClient } from '../../db/client.js';
import type { ProviderRow } from '../../db/identity/providers.js';
import { findFeed } from '../../db/sources/sources.js';
import { insertStreamEvent, type NewStreamEvent } from '../../db/sources/stream-events.js';
import { takeItem } from './take-item.js';

/** Stores the event and, if its connection feeds the intake, its item in one transaction. A known event changes nothing. */
export async function storeStreamEvent(pg: PgClient, provider: ProviderRow, given: NewStreamEvent): Promise<void> {
  const store = (json: unknown) =>
    pg.begin(async (transaction) => {
      if (!(await insertStreamEvent(transaction, given, JSON.stringify(json))) || given.item === null) return;
      const feed = await findFeed(transaction, given.connectionUuid);
      if (feed) await takeItem(transaction, feed, provider, given.item);
    });
  try {
    await store(given.event ?? { raw: given.raw });
  } catch (error) {
    // jsonb refuses NUL, unpaired surrogates and deep nesting. The stream would redeliver the event forever, so store its bytes.
    if (!/^(22|54)/.test(databaseErrorCode(error) ?? '')) throw error;
    await store({ base64: Buffer.from(given.raw).toString('base64') });
  }
}
