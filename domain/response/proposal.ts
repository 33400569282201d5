import { z } from 'zod';
import type { ChosenConnection, SkillRunError } from '../connection/skill.js';
import { INTERACTIVE_PRIORITY } from '../investigation/priority.js';
import { text } from '../text.js';
import type { AffectedAssets } from './affected-assets.js';

/**
 * `waiting` for approvals, `approved` and about to be sent (or held), `scheduled` to undo another at its time, `running` at the
 * third party; the rest is the end.
 */
export const ProposalState = z.enum(['waiting', 'approved', 'scheduled', 'running', 'done', 'failed', 'refused', 'expired', 'withdrawn']);
export type ProposalState = z.infer<typeof ProposalState>;

/** Whom nobody answered in this time nobody approved. */
export const PROPOSAL_EXPIRES_AFTER_HOURS = 72;

const ProposalDecision = z.object({
  by: z.string(),
  decision: z.enum(['approve', 'refuse']),
  reason: z.string().nullable(),
  at: z.int(),
});

export const Proposal = z.object({
  proposal_id: z.uuid(),
  organization_code: z.string(),
  case_id: z.string(),
  alert_id: z.string(),
  connection_id: z.uuid(),
  connection: z.string().describe('Its instance name.'),
  connector: z.string(),
  skill_id: z.string(),
  input: z.record(z.string(), z.unknown()),
  reason: z.string(),
  touches: z.object({ hosts: z.array(z.string()), users: z.array(z.string()), tags: z.array(z.string()) }).nullable(),
  caution: z.array(z.string()).describe('Why it needs two people: protected assets that it touches, or that this could not be found out.'),
  state: ProposalState,
  held_because: z.string().nullable(),
  approvals_needed: z.int(),
  decisions: z.array(ProposalDecision),
  release_after_hours: z.int().nullable(),
  undoable: z.boolean().describe('Whether another write takes it back, so that it can carry release_after_hours.'),
  undo_of: z.uuid().nullable(),
  run_at: z.int().nullable().describe('When a scheduled one is due.'),
  proposed_at: z.int(),
  expires_at: z.int().nullable(),
  ended_at: z.int().nullable(),
  result_id: z.uuid().nullable(),
  outcome: z.string().nullable(),
});
export type Proposal = z.infer<typeof Proposal>;

export const ApproveProposal = z.strictObject({
  reason: text(1000).optional(),
  release_after_hours: z.int().min(1).max(720).optional().describe('Undo it after this time unless it is reconfirmed.'),
});
export type ApproveProposal = z.infer<typeof ApproveProposal>;

export const RefuseProposal = z.strictObject({ reason: text(1000) });

export const ReconfirmProposal = z.strictObject({
  hours: z.int().min(1).max(720).nullable().describe('Undo it this long from now; null: leave it as it is for good.'),
  reason: text(1000),
});
export type ReconfirmProposal = z.infer<typeof ReconfirmProposal>;

/** The code of a write that was sent, and that the third party itself ended without doing it. */
export const ACTION_FAILED = 'ActionFailed';

/** What a playbook asks for. */
export interface ProposalDraft {
  readonly alertId: string;
  readonly investigationNo: number;
  readonly connectionId: string;
  readonly connector: string;
  readonly verb: string;
  readonly input: Record<string, unknown>;
  readonly reason: string;
  readonly assets: AffectedAssets | null;
  readonly releaseAfterHours: number | null;
}

/** How what was asked for stands. */
export interface ProposedWrite {
  readonly proposalId: string;
  readonly state: ProposalState;
  readonly caution: string[];
  /** Why, with what became of it before. */
  readonly reason: string;
  /** The case in which the same write stands for another alert; null: it is this alert's own proposal. */
  readonly standsIn: string | null;
}

/** What the proposal's own workflow reads before each step it takes. */
export interface ProposalBrief {
  readonly state: ProposalState;
  readonly connector: string;
  readonly verb: string;
  readonly input: Record<string, unknown>;
  readonly connection: ChosenConnection;
  readonly alertId: string;
  readonly outcome: string | null;
  readonly expiresAt: number | null;
  readonly runAt: number | null;
}

/** What workflows ask of the activities that know proposals. */
export interface ProposalActivities {
  /** What is to be proposed, as its skill understands it, or why it does not fit. */
  checkProposal(write: {
    connector: string;
    verb: string;
    input: unknown;
  }): Promise<{ input: Record<string, unknown> } | { problem: string }>;
  /** Writes it down once and starts its workflow; the same again answers the one that is there. */
  propose(draft: ProposalDraft): Promise<ProposedWrite>;
  readProposal(proposalId: string): Promise<ProposalBrief | null>;
  /** The row's approvals decide, whatever woke the workflow. False: it may not be sent (any more). */
  beginProposal(proposalId: string): Promise<boolean>;
  /** Not sent yet: it has to be begun again, with the approvals that are needed then. False: nothing holds it any more. */
  holdProposal(proposalId: string, because: string): Promise<boolean>;
  expireProposal(proposalId: string): Promise<void>;
  endProposal(proposalId: string, end: { resultId: string; outcome: string } | { error: SkillRunError }): Promise<void>;
}

/** Wakes a proposal's workflow: somebody decided. What was decided stands in its row. */
export const PROPOSAL_CHANGED = 'proposalChanged';

export function proposalWorkflowId(proposalId: string): string {
  return `proposal-${proposalId}`;
}

/** How its workflow is started, whoever starts it. An undo sleeps in no worker until it is due. */
export function proposalStart(proposal: { proposalId: string; skillId: string; runAt: number | null }, nowMs: number) {
  const { proposalId, skillId, runAt } = proposal;
  const delayMs = runAt === null ? 0 : runAt * 1000 - nowMs;
  return {
    workflowId: proposalWorkflowId(proposalId),
    args: [{ proposalId }],
    staticSummary: skillId,
    priority: INTERACTIVE_PRIORITY,
    // A database that is away for long ends a run, never a proposal.
    retry: { initialInterval: 10_000, backoffCoefficient: 2, maximumInterval: 600_000 },
    ...(delayMs > 0 ? { startDelay: delayMs } : {}),
  };
}

/** Names its write for ever. */
export function proposalOperationKey(proposalId: string): string {
  return `proposal/${proposalId}`;
}
