import type { Proposal } from './proposal.js';

/** The decision about a proposal as a sentence; null while it waits. */
export function describeResult({
  state,
  decisions,
  outcome,
  requested_by: requester,
}: Pick<Proposal, 'state' | 'decisions' | 'outcome' | 'requested_by'>): string | null {
  const listNames = (wanted: 'approve' | 'refuse') =>
    decisions
      .filter(({ decision, by }) => decision === wanted && (wanted === 'refuse' || by !== requester))
      .map(({ by }) => by)
      .join(' and ');
  const approved = listNames('approve') === '' ? 'Approved.' : `Approved by ${listNames('approve')}.`;
  switch (state) {
    case 'waiting':
      return null;
    case 'refused':
      return `Refused by ${listNames('refuse')}.`;
    case 'expired':
      return 'Expired without enough approvals.';
    case 'withdrawn':
      return outcome === null ? 'Withdrawn.' : `Withdrawn: ${outcome}`;
    case 'failed':
      return `${approved} The action failed.`;
    case 'done':
      return outcome === null ? approved : `${approved} ${outcome}.`;
    case 'approved':
    case 'running':
    case 'scheduled':
      return approved;
  }
}

/** Why approvals of a waiting proposal do not count, one sentence for each. */
export function listUncounted({ decisions }: Pick<Proposal, 'decisions'>): string[] {
  return decisions.flatMap(({ by, not_counted: reason }) => (reason === null ? [] : [`The approval of ${by} does not count. ${reason}`]));
}

/** Why a decision changed nothing. `repeated`: the same person approved or requested it before. `decided`: it is too late. */
export function explainDecision(refused: 'decided' | 'repeated', verb: 'approve' | 'refuse', { isManual }: { isManual: boolean }): string {
  if (isManual)
    return refused === 'repeated'
      ? 'You requested this run, with this or another key. A second person must approve it. Anyone can refuse it.'
      : 'This run does not wait for a decision: a person decided it, or it needs none. Only a proposed or held run can be refused.';
  if (refused === 'repeated') return 'You already approved the proposal, with this or another key. A second person must approve it.';
  return verb === 'approve'
    ? 'This proposal no longer waits for approval: a person decided it, or it expired.'
    : 'A person already decided this proposal, or the service sent the write. It cannot be refused any more.';
}
