import type { Db, Transaction } from '../../db/client.js';
import { readWriteRules } from '../../db/response/write-rules.js';
import { WritesHeld } from '../../domain/connection/skill-errors.js';

/** The stop switch or the hourly limit; null where neither holds the write. Its own earlier try does not count. */
export async function findHold(db: Db | Transaction, organizationUuid: string, operationKey: string): Promise<WritesHeld | null> {
  const rules = await readWriteRules(db, organizationUuid, operationKey);
  if (rules === null) return null;
  if (rules.stopped_by !== null)
    return new WritesHeld(`${rules.stopped_by} stopped all writes of the organization: ${rules.stop_reason ?? ''}`, null);
  if (rules.free_in_seconds === null) return null;
  const reason = `The organization sent ${rules.writes} writes in the last hour. Its limit is ${rules.limit}.`;
  return new WritesHeld(reason, Math.max(1, rules.free_in_seconds));
}
