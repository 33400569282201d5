import { proxyLocalActivities } from '@temporalio/workflow';
import type { ConnectionActivities, SkillRunActivities } from '../../domain/connection/skill.js';
import type { FollowUpActivities, InvestigationActivities } from '../../domain/investigation/investigation.js';
import type { ProposalActivities } from '../../domain/response/proposal.js';

/** Everything that is written down while a workflow runs. */
export type Bookkeeping = InvestigationActivities & FollowUpActivities & ProposalActivities & ConnectionActivities & SkillRunActivities;

/** The books are kept by idempotent writes, so they may run in the worker itself: a third of the cost of a regular activity. */
const keeping = {
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '15s' },
} as const;

function book<Name extends keyof Bookkeeping>(name: Name, summary: string): Bookkeeping[Name] {
  return proxyLocalActivities<Bookkeeping>({ ...keeping, summary })[name];
}

/**
 * One entry at a time. Two local activities under way together may be told apart in a live run (each ends on its own) and
 * not in its replay (both end at once): what follows from their order would break the history.
 */
export function createBookkeeping(): Bookkeeping {
  let last: Promise<unknown> | null = null;
  const inTurn =
    <Args extends unknown[], Result>(activity: () => (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      const write = () => activity()(...args);
      const turn = last === null ? write() : last.then(write, write);
      last = turn;
      return turn;
    };
  return {
    begin: inTurn(() => book('begin', 'Read the alert, open its case')),
    recordEvidence: inTurn(() => book('recordEvidence', 'Keep evidence as it comes')),
    correlate: inTurn(() => book('correlate', 'Look for earlier alerts that share an entity')),
    conclude: inTurn(() => book('conclude', 'Write the verdict')),
    fail: inTurn(() => book('fail', 'Write the failure and its reason')),
    planFollowUp: inTurn(() => book('planFollowUp', 'Check again later')),
    beginFollowUp: inTurn(() => book('beginFollowUp', 'Ask for the next investigation')),
    checkProposal: inTurn(() => book('checkProposal', 'Check what is to be proposed')),
    propose: inTurn(() => book('propose', 'Propose a write to a person')),
    readProposal: inTurn(() => book('readProposal', 'Read what was decided')),
    beginProposal: inTurn(() => book('beginProposal', 'Check the approvals')),
    holdProposal: inTurn(() => book('holdProposal', 'Say why it is not sent yet')),
    expireProposal: inTurn(() => book('expireProposal', 'Nobody approved it')),
    endProposal: inTurn(() => book('endProposal', 'Write the outcome')),
    resolveConnection: inTurn(() => book('resolveConnection', 'Find the connection')),
    parkOnConnection: inTurn(() => book('parkOnConnection', 'Wait for a reconnect')),
    leaveConnection: inTurn(() => book('leaveConnection', 'Wait no longer')),
    readSkillRun: inTurn(() => book('readSkillRun', 'Read what was asked')),
    guardSkillRun: inTurn(() => book('guardSkillRun', 'Compare what it touches with what is protected')),
    holdSkillRun: inTurn(() => book('holdSkillRun', 'Say why it is not sent yet')),
    endSkillRun: inTurn(() => book('endSkillRun', 'Write the answer')),
  };
}
