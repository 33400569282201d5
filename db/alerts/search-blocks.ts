import type { PgClient } from '../client.js';
import { uuidFloor } from '../ids.js';

/** Few enough to sort all matches of a block, and many enough that a search of all blocks is fast. */
export const ALERTS_PER_BLOCK = 8192;

/** The next block begins in the future, so that it has all alerts from then on, also those of a process whose clock differs. */
const SECONDS_AHEAD = 60;

/** Begins the next block when the newest one is full, and removes blocks whose alerts are all deleted. */
export async function updateSearchBlocks(pg: PgClient): Promise<void> {
  await pg`
    insert into search_blocks (block_no, first_alert_uuid)
    select block_no + 1, ${uuidFloor(Date.now() / 1000 + SECONDS_AHEAD)}::uuid
    from (
      select block_no, first_alert_uuid from search_blocks union all select 0, '00000000-0000-0000-0000-000000000000' order by block_no desc limit 1
    ) as newest
    where (
      select count(*) from (select from alert_texts where alert_uuid >= first_alert_uuid limit ${ALERTS_PER_BLOCK}) as its_alerts
    ) = ${ALERTS_PER_BLOCK}
    on conflict do nothing`;
  await pg`
    delete from search_blocks
    using (select block_no, lead(first_alert_uuid) over (order by block_no) as next_alert_uuid from search_blocks) as following
    where search_blocks.block_no = following.block_no and next_alert_uuid is not null
      and not exists (select from alert_texts where alert_uuid >= first_alert_uuid and alert_uuid < next_alert_uuid)`;
}
