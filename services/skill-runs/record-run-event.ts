import type { Transaction } from '../../db/client.js';
import { findConnectionFacts, type StoredRun } from '../../db/skills/skill-runs.js';
import { recordEvent } from '../events/record-event.js';

type Happened = { readonly name: 'run.waiting' } | { readonly name: 'run.decided'; readonly decision: 'approved' | 'refused' };

/** Call it last in a transaction. */
export async function recordRunEvent(
  db: Transaction,
  run: Pick<StoredRun, 'runUuid' | 'organizationUuid' | 'connectionUuid' | 'skillKey' | 'skillId' | 'askedBy'>,
  happened: Happened,
): Promise<void> {
  const { runUuid: subjectUuid, organizationUuid, connectionUuid, skillKey, skillId, askedBy } = run;
  const connection = await findConnectionFacts(db, connectionUuid);
  if (connection === null) return;
  const data = { ...connection, run_id: subjectUuid, skill_id: skillId, skill_key: skillKey, requested_by: askedBy };
  if (happened.name === 'run.waiting') return recordEvent(db, { name: happened.name, organizationUuid, subjectUuid, data });
  const { name, decision } = happened;
  return recordEvent(db, { name, organizationUuid, subjectUuid, data: { ...data, decision } });
}
