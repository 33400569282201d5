import type { Client } from '@temporalio/client';
import { forgetOldIdempotencyKeys } from '../../db/alerts/intake.js';
import { updateSearchBlocks } from '../../db/alerts/search-blocks.js';
import { deleteUnusedCopies } from '../../db/copies/list-copies.js';
import { deleteOldEvents } from '../../db/notifications/events.js';
import { deleteOldRecords } from '../../db/records/records.js';
import type { ReconcilePass } from '../../domain/investigation/reconciliation.js';
import { announceSilentAgents } from '../agents/announce-silent.js';
import { tidySteps } from '../agents/tidy-steps.js';
import { announceExpiringSecrets } from '../connections/announce-expiring-secrets.js';
import { wakeWaitersOf } from '../connections/wake-waiters.js';
import type { ServiceContext } from '../context.js';
import { beginAnswerableFollowUps } from '../follow-ups/begin-early.js';
import { repairFollowUps } from '../follow-ups/repair.js';
import type { FaultyRunDeps } from '../investigations/fail-faulty-run.js';
import { type InvestigationCounts, reconcileInvestigations } from '../investigations/reconcile.js';
import { deleteUnusedPlaybooks } from '../playbooks/delete-unused.js';
import { repairProposals } from '../proposals/repair.js';
import { startLostRuns } from '../skill-runs/start-lost.js';
import { schedulePolls } from '../sources/schedule-polls.js';
import type { SweepRun } from './sweep.js';

export interface PassDeps extends FaultyRunDeps {
  readonly client: Client;
  /** A younger record can have a start or an end that is still in progress. */
  readonly untouchedForSeconds: number;
}

interface Given {
  readonly deps: PassDeps;
  readonly context: ServiceContext;
  readonly taskQueue: string;
  readonly run: SweepRun;
  readonly counts: InvestigationCounts;
}

/** Each pass is its own activity, so that none waits for another one. It returns where its next call continues; null: at the end. */
export const PASSES: Readonly<Record<ReconcilePass, (given: Given) => Promise<string | null>>> = {
  investigations: ({ deps, run, counts }) => reconcileInvestigations(deps, run, counts),
  proposals: ({ deps, context, run }) => repairProposals(context, deps, run),
  'skill-runs': ({ deps, context, run }) => startLostRuns(context, deps, run),
  'due-follow-ups': ({ deps, context, run }) => repairFollowUps(context, deps, run),
  'answerable-follow-ups': ({ context, run }) => beginAnswerableFollowUps(context, run),
  // The process that restored a connection can stop before it signals the workflows.
  waiters: ({ deps, run }) => wakeWaitersOf(deps, run),
  'agent-steps': ({ deps, run }) => tidySteps(deps, run),
  housekeeping: keepHouse,
};

/** Short statements without rows to page. One that fails does not keep the others. */
async function keepHouse({ deps, context, taskQueue, run }: Given): Promise<null> {
  const { pg } = deps;
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    'source-schedules': () => schedulePolls(deps, taskQueue),
    'silent-agents': () => announceSilentAgents(context),
    'expiring-secrets': () => announceExpiringSecrets(context),
    'search-blocks': () => updateSearchBlocks(pg),
    'idempotency-keys': () => forgetOldIdempotencyKeys(pg),
    'old-records': () => deleteOldRecords(pg).then(() => deleteUnusedCopies(pg)),
    'unused-playbooks': () => deleteUnusedPlaybooks(pg),
    'old-events': () => deleteOldEvents(pg),
  };
  for (const [name, perform] of Object.entries(steps)) {
    run.heartbeat();
    await perform().catch((error: unknown) => run.onError(name, error));
  }
  return null;
}
