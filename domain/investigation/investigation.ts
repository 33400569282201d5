import type { Entity, EntityKind } from '../alert/entity.js';
import type { EvidenceDraft, Verdict } from '../case/evidence.js';
import type { ChosenConnection } from '../connection/skill.js';
import type { Plan } from '../playbook/playbook.js';
import type { Conclusion } from './verdict.js';

/** All a workflow is started with: ids. What they stand for is read by its activities. */
export interface InvestigationInput {
  readonly alertId: string;
  readonly investigationNo: number;
  readonly playbookId: string;
  /** The version of a generated playbook's plan, chosen when the investigation was started; null for a written one. */
  readonly planVersion?: number | null;
}

/** One try at an investigation; Temporal's retry of the workflow makes the next. */
export interface InvestigationAttempt extends InvestigationInput {
  readonly attempt: number;
}

/** The alert as a playbook's author sees it. */
export interface AlertFacts {
  readonly id: string;
  readonly type: string;
  readonly provider: string;
  readonly organization: string;
  readonly createdAt: number;
  readonly createdAtSource: number | null;
  /** The first part of the content: as much as a workflow's history should carry. */
  readonly content: string;
  readonly contentTruncated: boolean;
}

/** How an investigation ended, for a run that comes too late to do it itself. */
export interface Ending {
  readonly status: 'Completed' | 'Failed';
  readonly verdict: Verdict | null;
  readonly summary: string;
}

export type Beginning =
  /** `ended` is null where another investigation has taken this one's place. */
  | { readonly stale: true; readonly ended: Ending | null }
  | {
      readonly stale: false;
      readonly alert: AlertFacts;
      readonly entities: Entity[];
      /** Why entities may be missing; null when the whole content was read. */
      readonly entitiesIncomplete: string | null;
      readonly plan: Plan | null;
      /** The organization's default of each kind that it has. */
      readonly connections: Readonly<Record<string, ChosenConnection>>;
    };

/** What the workflow asks of the activities that keep the books. */
export interface InvestigationActivities {
  begin(attempt: InvestigationAttempt): Promise<Beginning>;
  recordEvidence(attempt: InvestigationAttempt, entries: EvidenceDraft[]): Promise<void>;
  conclude(attempt: InvestigationAttempt, result: { evidence: EvidenceDraft[]; conclusion: Conclusion }): Promise<boolean>;
  fail(attempt: InvestigationAttempt, reason: string): Promise<boolean>;
  correlate(question: { alertId: string; by: EntityKind[]; withinDays: number }): Promise<SharedEntity[]>;
}

/** Checking again later is an investigation of its own, begun by a workflow that starts when it is due: nothing sleeps in old code. */
export interface FollowUpActivities {
  /** Once an investigation; false where it already was, or where the alert was followed up often enough. */
  planFollowUp(followUp: { alertId: string; investigationNo: number; afterHours: number; reason: string }): Promise<boolean>;
  /** Due: asks for the next investigation, unless another one came first. */
  beginFollowUp(followUp: { alertId: string; investigationNo: number }): Promise<string>;
}

export function followUpWorkflowId({ alertId, investigationNo }: { alertId: string; investigationNo: number }): string {
  return `follow-up-${alertId}-${investigationNo}`;
}

/** An entity of this alert that earlier alerts of its organization carry too. */
export interface SharedEntity {
  readonly kind: EntityKind;
  readonly value: string;
  readonly alertCount: number;
  readonly alertIds: string[];
}
