import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  rootCause,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { catalogue } from '../activities/connectors/catalogue.js';
import type { Catalogue } from '../activities/connectors/kit/define.js';
import type { InvestigationStatusName } from '../domain/alert/alert.js';
import type { Entity, EntityKind } from '../domain/alert/entity.js';
import type { Severity, Verdict } from '../domain/case/evidence.js';
import type { AlertFacts, Ending, InvestigationAttempt, InvestigationInput, SharedEntity } from '../domain/investigation/investigation.js';
import { type Conclusion, concludeFrom } from '../domain/investigation/verdict.js';
import type { Plan } from '../domain/playbook/playbook.js';
import { type Bookkeeping, createBookkeeping } from './lib/bookkeeping.js';
import { EvidenceLog } from './lib/evidence-log.js';
import { EvidenceSaver } from './lib/evidence-saver.js';
import { createProposals, type Proposals } from './lib/propose.js';
import { type Answer, createSkills, type Skills } from './lib/skills.js';

/** What an author's function receives. */
export interface PlaybookContext<Connectors extends Catalogue> {
  readonly alert: AlertFacts;
  readonly entities: readonly Entity[];
  readonly skills: Skills<Connectors>;
  readonly evidence: EvidenceLog;
  /** Earlier alerts of the same organization that carry one of this alert's entities. */
  correlate(question: { by: EntityKind[]; withinDays: number }): Promise<SharedEntity[]>;
  /** Writes are never sent by a playbook: they are proposed to a person, each by a workflow of its own. */
  readonly propose: Proposals<Connectors>;
  /** Has the alert investigated again later; a verdict that changed reopens the case. */
  followUp(question: { afterHours: number; reason: string }): Promise<void>;
  /** The stored steps of a generated playbook; null for a written one. */
  readonly plan: Plan | null;
}

export interface PlaybookDefinition<Connectors extends Catalogue> {
  readonly alertTypes: readonly string[];
  readonly severity?: Severity;
  /** Which connectors the author may call; all of them unless a test brings its own. */
  readonly connectors?: Connectors;
}

type Author<Connectors extends Catalogue> = (context: PlaybookContext<Connectors>) => Promise<void>;

/** What is left to read in Temporal Web when the run is over. */
type InvestigationOutcome = Conclusion | { readonly verdict: Verdict | null; readonly summary: string };

export interface PlaybookWorkflow<Connectors extends Catalogue = Catalogue> {
  (input: InvestigationInput): Promise<InvestigationOutcome>;
  readonly definition: PlaybookDefinition<Connectors>;
  /** The function without its lifecycle, as its test calls it. */
  readonly author: Author<Connectors>;
}

const statusAttribute = defineSearchAttributeKey('InvestigationStatus', 'KEYWORD');

function showStatus(status: InvestigationStatusName): void {
  upsertSearchAttributes([{ key: statusAttribute, value: status }]);
}

/** Wraps an author's plain function into a workflow with the whole lifecycle of an investigation. */
export function playbook<const Connectors extends Catalogue = typeof catalogue>(
  definition: PlaybookDefinition<Connectors>,
  author: Author<Connectors>,
): PlaybookWorkflow<Connectors> {
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: without connectors of its own, Connectors is the catalogue by its default.
  const connectors = definition.connectors ?? (catalogue as Catalogue as Connectors);
  const investigate = async (input: InvestigationInput): Promise<InvestigationOutcome> => {
    const attempt: InvestigationAttempt = { ...input, attempt: workflowInfo().attempt };
    const bookkeeping = createBookkeeping();
    try {
      return await runAttempt(attempt, bookkeeping, connectors, author);
    } catch (error) {
      throw await endAttempt(attempt, bookkeeping, error);
    }
  };
  return Object.assign(investigate, { definition, author });
}

async function runAttempt<Connectors extends Catalogue>(
  attempt: InvestigationAttempt,
  bookkeeping: Bookkeeping,
  connectors: Connectors,
  author: Author<Connectors>,
): Promise<InvestigationOutcome> {
  const beginning = await bookkeeping.begin(attempt);
  if (beginning.stale) return endedBefore(attempt, beginning.ended);
  showStatus('InProgress');
  const heading = `Attempt ${attempt.attempt}: investigating, ${beginning.entities.length} entities found.`;
  setCurrentDetails(heading);
  const evidence = new EvidenceLog();
  const saver = new EvidenceSaver(evidence, async (entries) => {
    setCurrentDetails([heading, ...evidence.entries.map((entry) => `- ${entry.title}`)].join('\n'));
    await bookkeeping.recordEvidence(attempt, entries);
  });
  if (beginning.entitiesIncomplete !== null) evidence.leftOut('Entities may be missing', beginning.entitiesIncomplete);
  const { alertId, investigationNo } = attempt;
  const answers: Answer[] = [];
  const skills = createSkills(connectors, {
    alertId,
    investigationNo,
    retryCount: attempt.attempt - 1,
    bookkeeping,
    defaults: beginning.connections,
    onGap: ({ title, reason, source }) => evidence.gap(title, reason, { source }),
    onAnswer: (answer) => answers.push(answer),
  });
  await author({
    alert: beginning.alert,
    entities: beginning.entities,
    skills,
    evidence,
    correlate: (question) => bookkeeping.correlate({ alertId, ...question }),
    propose: createProposals(connectors, { alertId, investigationNo, skills, bookkeeping, evidence }),
    async followUp({ afterHours, reason }) {
      await bookkeeping.planFollowUp({ alertId, investigationNo, afterHours, reason });
    },
    plan: beginning.plan,
  });
  evidence.noteUncited(answers);
  await saver.stop();
  const conclusion = concludeFrom(evidence.entries);
  const written = await bookkeeping.conclude(attempt, { evidence: evidence.entries, conclusion });
  if (!written)
    return {
      verdict: null,
      summary: `Investigation ${attempt.investigationNo} of ${attempt.alertId} was overtaken: its verdict was not kept.`,
    };
  showStatus('Completed');
  setCurrentDetails(conclusion.summary);
  return conclusion;
}

/** The end is already written; this run only has to show it. */
function endedBefore(attempt: InvestigationAttempt, ended: Ending | null): InvestigationOutcome {
  if (ended === null)
    return { verdict: null, summary: `Investigation ${attempt.investigationNo} of ${attempt.alertId} was overtaken: nothing was done.` };
  if (ended.status === 'Failed') throw ApplicationFailure.nonRetryable(ended.summary, 'InvestigationFailed');
  showStatus(ended.status);
  setCurrentDetails(ended.summary);
  return { verdict: ended.verdict, summary: ended.summary };
}

/** Decides between another attempt (Temporal's, by the policy the workflow was started with) and status 20. */
async function endAttempt(attempt: InvestigationAttempt, bookkeeping: Bookkeeping, error: unknown): Promise<unknown> {
  const reason = describeError(error);
  const cancelled = isCancellation(error);
  const attemptsAllowed = workflowInfo().retryPolicy?.maximumAttempts ?? 1;
  const another = !cancelled && isRetryable(error) && attempt.attempt < attemptsAllowed;
  if (another) {
    setCurrentDetails(`Attempt ${attempt.attempt} of ${attemptsAllowed} failed: ${reason}`);
    return ApplicationFailure.create({ type: 'InvestigationAttemptFailed', message: reason, cause: asError(error) });
  }
  await CancellationScope.nonCancellable(async () => {
    await bookkeeping.fail(
      attempt,
      cancelled ? 'Cancelled in Temporal.' : `${reason} (after ${attempt.attempt} of ${attemptsAllowed} attempts)`,
    );
    showStatus('Failed');
  });
  setCurrentDetails(`Failed: ${reason}`);
  return cancelled
    ? error
    : ApplicationFailure.create({ type: 'InvestigationFailed', message: reason, nonRetryable: true, cause: asError(error) });
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof ApplicationFailure && error.nonRetryable);
}

/** An activity's failure says only that it failed; why stands at the root. */
function describeError(error: unknown): string {
  return rootCause(error) ?? String(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
