import type { Db } from '../../db/client.js';
import type { PersonalRows } from '../../db/lifecycle/erase-person.js';
import { findLegalHold } from '../../db/lifecycle/legal-holds.js';
import { conflict } from '../errors.js';

/** Refuses while a legal hold or unfinished work needs the data. */
export async function requireErasable(
  db: Db,
  organizationUuid: string,
  found: readonly PersonalRows[],
  openRuns: readonly string[],
): Promise<void> {
  if ((await findLegalHold(db, organizationUuid, null)) !== null)
    throw conflict('A legal hold on the organization forbids the erasure. Release it first.');
  const held = found.filter((each) => each.held > 0).map((each) => `${each.table}: ${each.held}`);
  if (held.length > 0)
    throw conflict(
      `Legal holds on cases forbid the erasure of their data, and the hold of any organization that of rows without one (${held.join(', ')}). Release them first.`,
    );
  const busy = found.filter(({ inUse }) => inUse > 0).map(({ table, inUse }) => `${table}: ${inUse}`);
  const unfinished = [...busy, ...openRuns.map((workflowId) => `run ${workflowId}`)];
  if (unfinished.length > 0)
    throw conflict(`Unfinished work uses the data. Wait for its end, or end it, then repeat the command:\n  ${unfinished.join('\n  ')}`);
}
