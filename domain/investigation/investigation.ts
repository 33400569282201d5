import type { ChosenConnection } from '../connection/skill.js';
import type { Entity, EntityKind } from '../entity/entity.js';
import type { OwnEntity } from '../organization/knowledge.js';
import type { ConditionFacts } from '../playbook/conditions.js';
import type { Plan } from '../playbook/playbook.js';
import type { AnswerFacts, AnswerQuestion } from '../playbook/read-answer.js';
import type { SkillKey } from '../skill-key.js';
import type { EvidenceDraft, Severity, Verdict } from '../verdict/evidence.js';
import type { Exposure } from '../verdict/severity.js';
import type { Conclusion } from '../verdict/verdict.js';
import type { BehaviourFound } from './behaviour.js';

/** A workflow starts without the content of the alert; its activities read the rest. */
export interface InvestigationInput {
  readonly alertId: string;
  readonly investigationNo: number;
  /** The playbook whose plan investigates the alert. */
  readonly playbookId: string;
  /** The playbook that the alert shows. Runs of an older release have none: it is the one with the plan. */
  readonly investigatorId?: string;
  /** The version of a generated playbook's plan, chosen at the start; null for a written playbook. */
  readonly planVersion?: number | null;
  /** Why the playbook investigates the alert. Runs of an older release have none. */
  readonly playbookReason?: string | null;
}

/** Each retry of the workflow by Temporal is a new attempt. */
export interface InvestigationAttempt extends InvestigationInput {
  readonly attempt: number;
  /** The workflow build that runs the attempt. null: the Temporal server has no Worker Versioning. */
  readonly build?: string | null;
}

/** The alert as a playbook's author sees it. */
export interface AlertFacts {
  readonly id: string;
  readonly type: string;
  readonly provider: string;
  readonly organization: string;
  readonly createdAt: number;
  readonly createdAtSource: number | null;
  /** The first part of the content: the history must stay small. */
  readonly content: string;
  readonly contentTruncated: boolean;
  /** The severity, the rule and the ATT&CK techniques that the content states. Runs of an older release have none. */
  readonly sourceSeverity?: Severity | null;
  /** The danger of the vulnerability as the content states it. */
  readonly exposure?: Exposure;
  readonly ruleName?: string | null;
  readonly techniques?: readonly string[];
}

/** The end of an investigation, for a run that finds it already ended. */
export interface Ending {
  readonly status: 'Completed' | 'Failed';
  readonly verdict: Verdict | null;
  readonly summary: string;
}

export type Beginning =
  /** `ended` is null where a newer investigation replaced this one. */
  | { readonly stale: true; readonly ended: Ending | null }
  | {
      readonly stale: false;
      readonly alert: AlertFacts;
      readonly entities: Entity[];
      /** Why entities may be missing; null when the whole content was read. */
      readonly entitiesIncomplete: string | null;
      /** The entities that belong to the organization. Histories from before this field do not have it. */
      readonly own?: readonly OwnEntity[];
      /** The behaviours of attacks that the alert states. Histories from before this field do not have it. */
      readonly behaviours?: readonly BehaviourFound[];
      readonly plan: Plan | null;
      /** Why the playbook investigates the alert. */
      readonly playbookReason?: string | null;
      /** The retries so far, of all runs. Absent in histories from before lost runs counted. */
      readonly retryCount?: number;
      /** The id of the alert's case. Histories from before this field do not have it. */
      readonly caseId?: string;
      /** The organization's default connection of each kind. */
      readonly connections: Readonly<Record<string, ChosenConnection>>;
    };

/** The bookkeeping activities. */
export interface InvestigationActivities {
  begin(attempt: InvestigationAttempt): Promise<Beginning>;
  recordEvidence(attempt: InvestigationAttempt, entries: EvidenceDraft[]): Promise<void>;
  conclude(attempt: InvestigationAttempt, result: { evidence: EvidenceDraft[]; conclusion: Conclusion }): Promise<boolean>;
  fail(attempt: InvestigationAttempt, reason: string): Promise<boolean>;
  /** The facts of a stored answer of the alert's organization; null if it was deleted. */
  readAnswer(question: { alertId: string; resultId: string; question: AnswerQuestion; alert: ConditionFacts }): Promise<AnswerFacts | null>;
  correlate(question: { alertId: string; by: EntityKind[]; withinDays: number }): Promise<SharedEntity[]>;
  /** The domains among these that several machines or people of the organization use, and their subdomains. */
  findLikelyOwn(question: { alertId: string; domains: string[] }): Promise<string[]>;
}

/** A question that a third party could not answer now. */
export interface UnansweredQuestion {
  readonly connectionId: string;
  readonly instanceName: string;
  /** Runs of earlier builds send only the title. */
  readonly skillKey?: SkillKey;
  readonly skillId: string;
  /** True if an answer to another question of the same skill shows that asking again can help. */
  readonly startsEarly: boolean;
}

/** A follow-up is a new investigation, started by its own workflow when it is due, so that no run waits in old code. */
export interface FollowUpActivities {
  /** False where this investigation has a follow-up already, or the alert had the maximum number of them. */
  planFollowUp(followUp: { alertId: string; investigationNo: number; afterHours: number; reason: string }): Promise<boolean>;
  /** Plans a follow-up for questions that a third party could not answer. False where the alert had the maximum number of them. */
  askAgain(question: { alertId: string; investigationNo: number; unanswered: UnansweredQuestion[] }): Promise<boolean>;
  /** Requests the next investigation, unless a newer one exists. */
  beginFollowUp(followUp: { alertId: string; investigationNo: number }): Promise<string>;
}

export function askAgainWorkflowId({ alertId, investigationNo }: { alertId: string; investigationNo: number }): string {
  return `ask-again-${alertId}-${investigationNo}`;
}

export function followUpWorkflowId({ alertId, investigationNo }: { alertId: string; investigationNo: number }): string {
  return `follow-up-${alertId}-${investigationNo}`;
}

/** An entity of this alert that earlier alerts of the organization contain too. */
export interface SharedEntity {
  readonly kind: EntityKind;
  readonly value: string;
  /** Earlier alerts of the window with the entity, counted up to 1,000. */
  readonly alertCount: number;
  readonly alertIds: string[];
  /** Earlier alerts of the window, counted up to 1,000. Histories from before this field do not have it. */
  readonly alertsOfWindow?: number;
}

/** A value that many alerts of an organization contain does not relate two of them. */
export function isFrequent({ alertCount, alertsOfWindow }: SharedEntity): boolean {
  return alertsOfWindow !== undefined && alertCount >= FREQUENT_FROM_ALERTS && alertCount >= FREQUENT_FROM_SHARE * alertsOfWindow;
}

const FREQUENT_FROM_ALERTS = 20;
const FREQUENT_FROM_SHARE = 0.2;
