import { z } from 'zod';
import type { AffectedAssets } from '../connection/affected-assets.js';
import type { ChosenConnection, SkillRunError } from '../connection/skill.js';
import { describeTarget, titleWithTarget } from '../connection/skill-target.js';
import { toSearchAttributes } from '../search-attributes.js';
import { SkillKeyText } from '../skill-key.js';
import { escapeMarkdown, escapeMarkdownLines } from '../text.js';
import { INTERACTIVE_PRIORITY } from '../verdict/priority.js';

/**
 * `waiting` for approvals, `approved` and about to be sent (or held), `scheduled` as the undo of another proposal, `running` at
 * the third party. The other states are final.
 */
export const ProposalState = z.enum(['waiting', 'approved', 'scheduled', 'running', 'done', 'failed', 'refused', 'expired', 'withdrawn']);
export type ProposalState = z.infer<typeof ProposalState>;

/** Whether a list has the writes that people requested. */
export const ManualFilter = z.enum(['true', 'false', 'only']);
export type ManualFilter = z.infer<typeof ManualFilter>;

/** The roles that decide about proposals, by the API and from a message. */
export const DECIDING_ROLES = ['analyst', 'admin'] as const;

/** A proposal without enough approvals expires after this time. */
export const PROPOSAL_EXPIRES_AFTER_HOURS = 72;

const ProposalDecision = z.object({
  by: z.string(),
  decision: z.enum(['approve', 'refuse']),
  reason: z.string().nullable(),
  at: z.int(),
  not_counted: z.string().nullable().describe('Why the approval does not count as one of two people. null: it counts.'),
});

export const Proposal = z.object({
  proposal_id: z.uuid(),
  organization_code: z.string(),
  case_id: z.string().nullable().describe('null for a write that a person requested.'),
  alert_id: z.string().nullable().describe('null for a write that a person requested.'),
  requested_by: z
    .string()
    .nullable()
    .describe('The person who requested it, and whose request is the first approval. null for an investigation.'),
  connection_id: z.uuid(),
  connection: z.string().describe('The instance name.'),
  connector: z.string(),
  skill_id: z.string(),
  skill_key: SkillKeyText,
  sentence: z.string().describe('The action, its target and its scope, for the person who decides.'),
  input: z.record(z.string(), z.unknown()),
  reason: z.string(),
  touches: z.object({ hosts: z.array(z.string()), users: z.array(z.string()), tags: z.array(z.string()) }).nullable(),
  caution: z.array(z.string()).describe('Why it needs two approvals: it affects protected assets, or its affected assets are unknown.'),
  state: ProposalState,
  held_because: z.string().nullable(),
  approvals_needed: z.int(),
  approvals_given: z.int().describe('The approvals that count.'),
  needs_two_people: z
    .boolean()
    .describe('Whether the approvals must come from two people: verified accounts with different email addresses.'),
  decisions: z.array(ProposalDecision),
  release_after_hours: z.int().nullable(),
  undoable: z.boolean().describe('Whether another write can undo it, so that `release_after_hours` is allowed.'),
  undo_of: z.uuid().nullable(),
  run_at: z.int().nullable().describe('When a scheduled proposal runs.'),
  release_requested_by: z
    .string()
    .nullable()
    .describe('The person who asked to end the write early, while a second person has to confirm it.'),
  proposed_at: z.int(),
  expires_at: z.int().nullable(),
  ended_at: z.int().nullable(),
  result_id: z.uuid().nullable(),
  outcome: z.string().nullable(),
});
export type Proposal = z.infer<typeof Proposal>;

/** A proposal of an investigation. */
export const CaseProposal = Proposal.extend({ case_id: z.string(), alert_id: z.string() });
export type CaseProposal = z.infer<typeof CaseProposal>;

/** The error code of a write that the third party accepted and then failed. */
export const ACTION_FAILED = 'ActionFailed';

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

export interface ProposedWrite {
  readonly proposalId: string;
  readonly state: ProposalState;
  readonly caution: string[];
  /** The reason, with the outcome of an earlier proposal. */
  readonly reason: string;
  /** The case that has the same proposal for another alert; null where it belongs to this alert. */
  readonly existingCaseId: string | null;
  /** Its name in earlier builds, whose histories have only this one and whose runs read it. */
  readonly standsIn?: string | null;
}

/** The proposal's workflow reads this before each step. */
export interface ProposalBrief {
  readonly state: ProposalState;
  readonly connector: string;
  readonly verb: string;
  readonly input: Record<string, unknown>;
  readonly connection: ChosenConnection;
  /** null for a write that a person requested. */
  readonly alertId: string | null;
  readonly outcome: string | null;
  readonly expiresAt: number | null;
  readonly runAt: number | null;
  /** For the question whether a person did the write at the third party. Runs of earlier builds do not ask it. */
  readonly check?: { readonly everySeconds: number; readonly proposedAt: number };
  /** Set for a write that a person requested and waits for. `isGuarded`: its affected assets can require a second person. */
  readonly manual?: { readonly isGuarded: boolean };
}

export interface ProposalActivities {
  /** Returns the input as the skill's contract parses it, or the problem with it. */
  checkProposal(write: {
    connector: string;
    verb: string;
    input: unknown;
  }): Promise<{ input: Record<string, unknown> } | { problem: string }>;
  /** Stores the proposal and starts its workflow; a repeated call returns the existing proposal. */
  propose(draft: ProposalDraft): Promise<ProposedWrite>;
  readProposal(proposalId: string): Promise<ProposalBrief | null>;
  /** The approvals in the row decide, not the signal. Stores the affected assets, if given. False where the write may not be sent. */
  beginProposal(proposalId: string, assets?: AffectedAssets | null): Promise<boolean>;
  /** The proposal has to begin again, with the approvals needed then. False where nothing holds it any more. */
  holdProposal(proposalId: string, because: string): Promise<boolean>;
  expireProposal(proposalId: string): Promise<void>;
  /** Ends a proposal that is not sent yet, because the third party has its effect already. */
  withdrawDone(proposalId: string): Promise<void>;
  endProposal(proposalId: string, end: { resultId: string; outcome: string } | { error: SkillRunError }): Promise<void>;
}

/** Wakes a proposal's workflow after a decision. The row has the decision. */
export const PROPOSAL_CHANGED = 'proposalChanged';

export function proposalWorkflowId(proposalId: string): string {
  return `proposal-${proposalId}`;
}

/** A proposal with the facts that identify its run in Temporal Web. */
export interface ProposalStart {
  readonly proposalId: string;
  readonly skillId: string;
  readonly input: Record<string, unknown>;
  readonly assets: AffectedAssets | null;
  readonly runAt: number | null;
  readonly organizationCode: string;
  readonly requestedBy: string | null;
  readonly alertId: string | null;
  readonly alertType: string | null;
  readonly provider: string | null;
  readonly caseId: string | null;
}

/** The start options of its workflow. An undo starts when it is due, so that no worker waits for it. */
export function proposalStart(proposal: ProposalStart, nowMs: number) {
  const { proposalId, runAt, alertId, alertType, organizationCode, provider, caseId, requestedBy } = proposal;
  const delayMs = runAt === null ? 0 : runAt * 1000 - nowMs;
  return {
    workflowId: proposalWorkflowId(proposalId),
    args: [{ proposalId }],
    staticSummary: escapeMarkdown(`${titleWithTarget(proposal.skillId, describeWriteTarget(proposal))} · ${organizationCode}`),
    staticDetails: escapeMarkdownLines(
      [
        alertId === null ? `Requested by ${requestedBy}` : `Alert ${alertId}: ${alertType}`,
        ...(caseId === null ? [] : [`Case ${caseId}`]),
      ].join('\n'),
    ),
    typedSearchAttributes: toSearchAttributes({
      AlertId: alertId,
      AlertType: alertType,
      Organization: organizationCode,
      Provider: provider,
      CaseId: caseId,
    }),
    priority: INTERACTIVE_PRIORITY,
    // A long database outage may end a run, but the proposal continues.
    retry: { initialInterval: 10_000, backoffCoefficient: 2, maximumInterval: 600_000 },
    ...(delayMs > 0 ? { startDelay: delayMs } : {}),
  };
}

/** The name of a machine tells people more than its id. */
function describeWriteTarget({ input, assets }: ProposalStart): string | null {
  const [host, ...others] = assets?.hosts ?? [];
  return 'machine_id' in input && host !== undefined && others.length === 0 ? host : describeTarget(input);
}

const OPERATION_PREFIX = 'proposal/';

/** Third parties get it with the write. A manual write has the bare id: earlier versions sent it with the same key. */
export function proposalOperationKey(proposalId: string, { isManual }: { isManual: boolean }): string {
  return isManual ? proposalId : `${OPERATION_PREFIX}${proposalId}`;
}

export function readProposalId(operationKey: string): string {
  return operationKey.startsWith(OPERATION_PREFIX) ? operationKey.slice(OPERATION_PREFIX.length) : operationKey;
}
