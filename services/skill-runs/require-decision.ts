import type { Transaction } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { readNeedsSecondPerson } from '../../db/response/proposal-rows.js';
import { protectedBy } from '../../db/response/protected-assets.js';
import { lockRun, type StoredRun, updateRun } from '../../db/skills/skill-runs.js';
import type { SkillRunError } from '../../domain/connection/skill.js';
import { listCautions } from '../../domain/response/response-rules.js';
import { recordRunEvent } from './record-run-event.js';

/** A run that needs a second person now becomes a proposal. Returns why the write may not be sent; null where it may. */
export async function requireDecision(db: Transaction, runUuid: string): Promise<string | null> {
  const run = await lockRun(db, runUuid);
  if (run === null || run.state === 'refused') return 'A person refused this run.';
  const caution = run.state === 'running' ? await listRunCautions(db, run) : [];
  if (run.state === 'running' && caution.length === 0) return null;
  if (run.state === 'running') await proposeRun(db, run, caution);
  return 'A second person must approve this run.';
}

/** The reasons why a second person must approve the run; empty where none is needed, or one has approved it. */
async function listRunCautions(db: Transaction, run: StoredRun): Promise<string[]> {
  if (run.decidedBy !== null) return [];
  const assets = (await protectedBy(db, [run.organizationUuid])).get(run.organizationUuid) ?? [];
  return [
    ...((await readNeedsSecondPerson(db, run.connectionUuid)) ? ['The connection requires a second person.'] : []),
    // Without a protected asset it does not matter which assets the write affects.
    ...(assets.length > 0 ? listCautions(run.assets, assets) : []),
  ];
}

async function proposeRun(db: Transaction, run: StoredRun, caution: readonly string[]): Promise<void> {
  const { runUuid, organizationUuid, skillKey, skillId, connectionUuid } = run;
  const error: SkillRunError = {
    code: 'SecondPersonNeeded',
    message: caution.join(' '),
    third_party_status: null,
    resolution: 'A second person has to approve it.',
  };
  await updateRun(db, runUuid, { state: 'proposed', error: { ...error } });
  await recordAudit(db, {
    by: null,
    organizationUuid,
    action: 'skill.propose',
    target: runUuid,
    details: { skill_id: skillId, skill_key: skillKey, connection_id: connectionUuid, caution },
  });
  await recordRunEvent(db, run, { name: 'run.waiting' });
}
