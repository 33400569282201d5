import { describe, expect, it } from 'vitest';
import { findOwnCarriers } from '../../../db/alerts/own-carriers.js';
import { database, setUpCarriers, storeAlerts, TODAY, TUNNEL } from './support/own-carriers.js';

setUpCarriers();

describe('the own alerts with a value', () => {
  it('cost short index ranges among many alerts', async () => {
    for (let day = 1; day <= 20; day += 1) await storeAlerts(`D${day}`, day, day * 1000, day * 1000 + 999);
    await database.pg`analyze`;
    const used = await database.pg.begin(async (transaction) => {
      const count = () => transaction<{ scans: number; rows: number }[]>`
        select sum(seq_scan)::int as scans, sum(idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname in ('alerts', 'alert_entities')`;
      const [before] = await count();
      expect(await findOwnCarriers(transaction, 'NOW-1', TODAY + 100, [TUNNEL])).toHaveLength(8 * 8);
      const [after] = await count();
      return { scans: (after?.scans ?? 0) - (before?.scans ?? 0), rows: (after?.rows ?? 0) - (before?.rows ?? 0) };
    });
    expect(used.scans).toBe(0);
    expect(used.rows).toBeLessThan(1000);
  });
});
