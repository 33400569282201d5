import { ActivityFailure, ApplicationFailure, proxyLocalActivities } from '@temporalio/workflow';
import type { ConnectionActivities, SkillRunActivities } from '../../domain/connection/skill.js';
import type { FollowUpActivities, InvestigationActivities } from '../../domain/investigation/investigation.js';
import type { ProposalActivities } from '../../domain/response/proposal.js';

/** The activities that read and write our own records. */
export type Bookkeeping = InvestigationActivities & FollowUpActivities & ProposalActivities & ConnectionActivities & SkillRunActivities;

/** Each activity with the summary that Temporal Web shows. */
const SUMMARIES = {
  begin: 'Read the alert and open its case',
  recordEvidence: 'Save evidence',
  readAnswer: 'Read the whole of a large answer',
  correlate: 'Find earlier alerts that share an entity',
  findLikelyOwn: 'Find domains that the organization uses',
  conclude: 'Save the verdict',
  fail: 'Save the failure and its reason',
  planFollowUp: 'Plan a follow-up',
  askAgain: 'Plan to ask again what has no answer',
  beginFollowUp: 'Request the next investigation',
  checkProposal: 'Check the input of the proposal',
  propose: 'Propose a write',
  readProposal: 'Read the proposal',
  beginProposal: 'Check the approvals',
  holdProposal: 'Save why the write is on hold',
  expireProposal: 'Expire the proposal',
  withdrawDone: 'Withdraw the proposal',
  endProposal: 'Save the outcome',
  resolveConnection: 'Find the connection',
  parkOnConnection: 'Wait for a reconnect',
  leaveConnection: 'Stop waiting for a reconnect',
  readSkillRun: 'Read the skill run',
  guardSkillRun: 'Compare the affected assets with the protected ones',
  holdSkillRun: 'Save why the write is on hold',
  endSkillRun: 'Save the result',
} as const satisfies Record<keyof Bookkeeping, string>;

/** These activities are idempotent, so they run as local activities: a third of the cost of a regular activity. */
const LOCAL_ACTIVITY_OPTIONS = {
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '15s' },
} as const;

/**
 * Runs one activity at a time. Two concurrent local activities end one after the other in a live run but together in its
 * replay, so a workflow that depends on their order would not replay.
 */
export function createBookkeeping(): Bookkeeping {
  let last: Promise<unknown> | null = null;
  const activities = Object.entries(SUMMARIES).map(([name, summary]) => [
    name,
    (...args: unknown[]): Promise<unknown> => {
      const run = () => callLocalActivity(name, summary, args);
      last = last === null ? run() : last.then(run, run);
      return last;
    },
  ]);
  return Object.fromEntries(activities);
}

function callLocalActivity(name: string, summary: string, args: unknown[]): Promise<unknown> {
  const activities = proxyLocalActivities({ ...LOCAL_ACTIVITY_OPTIONS, summary });
  const activity = activities[name];
  if (!activity) throw new Error(`Unknown activity ${name}.`);
  return activity(...args);
}

/** One of our own records could not be read or written, which is no outcome of the work. */
export function isBookkeepingFailure(error: unknown): error is ActivityFailure {
  return error instanceof ActivityFailure && Object.hasOwn(SUMMARIES, error.activityType);
}

/** The database was away for longer than the retries. It did not refuse a value, which would fail in each try. */
export function isOutOfReach(error: unknown): boolean {
  return isBookkeepingFailure(error) && !(error.cause instanceof ApplicationFailure && error.cause.nonRetryable);
}
