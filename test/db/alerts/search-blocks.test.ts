import { beforeEach, describe, expect, it } from 'vitest';
import { type AlertFilters, listAlerts } from '../../../db/alerts/alerts.js';
import { ALERTS_PER_BLOCK, updateSearchBlocks } from '../../../db/alerts/search-blocks.js';
import type { Database } from '../../../db/client.js';
import { nowSeconds } from '../../../db/columns.js';
import { newUuid, uuidFloor } from '../../../db/ids.js';
import { asService } from '../../../services/context.js';
import { createOrganization } from '../../../services/organizations/create.js';
import { createProvider } from '../../../services/providers/create.js';
import { migratedDatabase } from '../support/database.js';

const EVERYTHING = { organizationUuid: null, createdBy: null };
const BEGAN = nowSeconds() - 100_000;

let database: Database;
let organization: string;
let provider: string;

beforeEach(async () => {
  ({ database } = await migratedDatabase());
  organization = (await createOrganization(asService(database.db), { organization_code: 'NORTH', name: 'North' })).organization_uuid;
  provider = (await createProvider(asService(database.db), 'siem')).provider_uuid;
});

/** Stores one alert each second with the content that `write` returns, and a new block after each `perBlock` alerts. */
async function store(count: number, { perBlock = count, write }: { perBlock?: number; write: (n: number) => string }): Promise<void> {
  const { pg } = database;
  const numbers = Array.from({ length: count }, (_, n) => n);
  const uuids = numbers.map((n) => uuidFloor(BEGAN + n));
  for (let first = perBlock; first < count; first += perBlock)
    await pg`insert into search_blocks (block_no, first_alert_uuid) values (${first / perBlock}, ${uuids[first] ?? ''})`;
  await pg`
    with given as (select * from unnest(${uuids}::uuid[], ${numbers.map(write)}::text[], ${numbers}::int[]) as given (alert_uuid, content, n)), texts as (
      insert into alert_texts (alert_uuid, words, block_no) select alert_uuid, alert_words('x', content), search_block(alert_uuid) from given
    )
    insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by, created_at,
      modified_at, investigation_status)
    select alert_uuid, 'A-' || n, ${organization}, ${provider}, 'x', 'x', content, ${newUuid()}, to_timestamp(${BEGAN} + n), now(), case when n % 7 = 0 then 20 else 15 end
    from given`;
}

async function findAll(filters: AlertFilters, limit = 3): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listAlerts>> = await listAlerts(database.db, EVERYTHING, filters, { limit, after });
    found.push(...page.items.map(({ alert_id }) => alert_id));
    after = page.next;
  } while (after !== null);
  return found;
}

const ids = (...numbers: number[]) => numbers.map((n) => `A-${n}`);

describe('a search of several blocks', () => {
  it.each([
    ['a word', 'platypus', [600, 500, 400, 300, 200, 100, 0]],
    ['a beginning', 'platy', [600, 500, 400, 300, 200, 100, 0]],
    ['a phrase', '"quiet platypus"', [600, 400, 200, 0]],
    ['words in any order', 'platypus quiet', [600, 400, 200, 0]],
    ['a name', 'ws-0400.exa', [400]],
    ['a word without another', 'platypus -quiet', [500, 300, 100]],
    ['a word that only the oldest block has', 'first', [3]],
  ])('finds %s on all pages, newest first', async (_, text, expected) => {
    // The newest alerts have none of the words, so that none is frequent.
    await store(1200, {
      perBlock: 90,
      write(n) {
        if (n === 3) return 'the first';
        if (n % 100 > 0 || n > 600) return `common on ws-${n}.example`;
        return `a ${n % 200 === 0 ? 'quiet' : 'loud'} platypus on ws-0${n}.example`;
      },
    });
    expect(await findAll({ text })).toEqual(ids(...expected));
  });

  it('finds what other filters leave, although most matches are left out', async () => {
    await store(3000, { perBlock: 200, write: (n) => (n < 2000 ? `platypus${n}` : 'common') });
    const failed = Array.from({ length: 2000 }, (_, n) => n)
      .filter((n) => n % 7 === 0)
      .reverse();
    expect(await findAll({ text: 'platypus', status: 20 }, 50)).toEqual(ids(...failed));
  });

  it('ends with the block that fills the page', async () => {
    await store(4000, { perBlock: 500, write: (n) => (n < 3000 ? `platypus${n}` : 'common') });
    const read = await database.pg.begin(async (transaction) => {
      await transaction`select find_words('platy:*'::tsquery, 'platy:*'::tsquery, null, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 50)`;
      const [row] = await transaction<{ rows: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'alert_texts'`;
      return row?.rows;
    });
    expect(read).toBe(500);
  });

  it('starts no processes, which would take longer than a block', async () => {
    await store(2000, { perBlock: 500, write: () => 'common' });
    await database.pg`analyze alert_texts`;
    const connection = await database.pg.reserve();
    const countWorkers = async () => {
      await connection`select pg_stat_force_next_flush()`;
      const [row] = await connection<{ workers: number }[]>`
        select parallel_workers_to_launch::int as workers from pg_stat_database where datname = current_database()`;
      return row?.workers;
    };
    const before = await countWorkers();
    await connection`begin`;
    // Postgres prefers parallel plans with these settings.
    for (const setting of ['min_parallel_table_scan_size', 'min_parallel_index_scan_size', 'parallel_setup_cost', 'parallel_tuple_cost'])
      await connection`select set_config(${setting}, '0', true)`;
    await connection`select find_words('wombat | platypus'::tsquery, 'wombat | platypus'::tsquery, null, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 8)`;
    await connection`commit`;
    const after = await countWorkers();
    connection.release();
    expect(after).toBe(before);
  });
});

describe('search blocks', () => {
  const blocks = async () =>
    (await database.pg<{ no: number }[]>`select block_no as no from search_blocks order by block_no`).map(({ no }) => no);

  it('grow up to a number of alerts', async () => {
    await store(ALERTS_PER_BLOCK - 1, { write: () => 'common' });
    await updateSearchBlocks(database.pg);
    expect(await blocks()).toEqual([]);
    await database.pg`insert into alert_texts (alert_uuid, words, block_no) values (${newUuid()}, '', 0)`;
    await updateSearchBlocks(database.pg);
    await updateSearchBlocks(database.pg);
    expect(await blocks()).toEqual([1]);
    const [row] = await database.pg<{ now: number; later: number }[]>`
      select search_block(${newUuid()}) as now, search_block(${uuidFloor(nowSeconds() + 3600)}) as later`;
    expect(row).toEqual({ now: 0, later: 1 });
  });

  it('end with their last alert', async () => {
    await store(50, { perBlock: 10, write: () => 'common' });
    await database.pg`delete from alert_texts where block_no in (0, 2, 4)`;
    await updateSearchBlocks(database.pg);
    expect(await blocks()).toEqual([1, 3, 4]);
  });
});
