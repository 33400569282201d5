import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  TimeoutFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { catalogue } from '../connectors/catalogue.js';
import type { Catalogue } from '../connectors/kit/define.js';
import type { InvestigationStatusName } from '../domain/alert/alert.js';
import type { Category } from '../domain/alert/category.js';
import { alertTime, isPlausibleSourceTime } from '../domain/alert/source-time.js';
import type { Entity, EntityKind } from '../domain/entity/entity.js';
import type {
  AlertFacts,
  Ending,
  InvestigationAttempt,
  InvestigationInput,
  SharedEntity,
  UnansweredQuestion,
} from '../domain/investigation/investigation.js';
import { patienceSecondsOf, skillRetryPolicy } from '../domain/investigation/retry-policy.js';
import type { OwnEntity } from '../domain/organization/knowledge.js';
import { DECLARED_TYPE } from '../domain/playbook/choose-playbook.js';
import { readAlertFacts } from '../domain/playbook/conditions.js';
import type { Plan } from '../domain/playbook/playbook.js';
import { type RecordActivities, type RecordAnswer, toRecordSource } from '../domain/record/record.js';
import { toSearchAttributes } from '../domain/search-attributes.js';
import { escapeMarkdown, escapeMarkdownLines } from '../domain/text.js';
import { combineExposures, findAnsweredExposure } from '../domain/verdict/answered-exposure.js';
import type { Severity, Verdict } from '../domain/verdict/evidence.js';
import { NO_EXPOSURE } from '../domain/verdict/severity.js';
import { type Conclusion, concludeFrom } from '../domain/verdict/verdict.js';
import { addGapsOfParts, createAnswerReader, type ReadAnswer } from './lib/answer-reader.js';
import { chooseEnd } from './lib/attempt-end.js';
import { withCheckedValues } from './lib/author-values.js';
import { addBehaviours } from './lib/behaviours.js';
import { type Bookkeeping, createBookkeeping } from './lib/bookkeeping.js';
import { type EvidenceLog, EvidenceRecorder } from './lib/evidence-log.js';
import { EvidenceSaver } from './lib/evidence-saver.js';
import { describeError, isAuthorsMistake, toCause } from './lib/mistake.js';
import { noteNotFound } from './lib/not-found.js';
import { patched } from './lib/patched.js';
import { createProposals, type Proposals } from './lib/propose.js';
import { CallLimit } from './lib/run-limits.js';
import { type Answer, createSkills, type Gap, type Skills } from './lib/skills.js';
import { whenStuck } from './lib/stuck-run.js';
import { WatchedCalls } from './lib/watched-calls.js';

/** The argument of a playbook function. */
export interface PlaybookContext<Connectors extends Catalogue> {
  readonly alert: AlertFacts;
  readonly entities: readonly Entity[];
  /** The entities that belong to the organization, each with the reason. */
  readonly own: readonly OwnEntity[];
  readonly skills: Skills<Connectors>;
  /** Whether the organization has a connection to the third party. A question without one leaves a gap. */
  isConnected(connector: string): boolean;
  readonly evidence: EvidenceLog;
  /** Reads the whole of an answer: a history holds only the first part of a large one. An incomplete list leaves a gap. */
  readonly readAnswer: ReadAnswer;
  /** Finds earlier alerts of the same organization that share an entity with this alert. */
  correlate(question: { by: EntityKind[]; withinDays: number }): Promise<SharedEntity[]>;
  /** The domains among these that several machines or people of the organization use. No admin confirmed them. */
  findLikelyOwn(domains: string[]): Promise<string[]>;
  /** Searches the copies of the third parties' alerts, incidents and investigations for these values. */
  searchRecords(values: readonly string[]): Promise<RecordAnswer>;
  /** Proposes a write. A playbook never sends one: a separate workflow does, after a person approves. */
  readonly propose: Proposals<Connectors>;
  /** Plans another investigation of the alert. A changed verdict reopens the case. */
  followUp(question: { afterHours: number; reason: string }): Promise<void>;
  /** The stored steps of a generated playbook. null for a written one. */
  readonly plan: Plan | null;
}

export interface PlaybookDefinition<Connectors extends Catalogue> {
  /** The name that people read: "Malware on a host". The name of the export is the workflow type. */
  readonly title: string;
  readonly alertTypes: readonly string[];
  /** The playbook also takes other alert types that clearly belong to these categories and to no others. */
  readonly categories?: readonly Category[];
  readonly severity?: Severity;
  /** The connectors that the playbook can call. Default: all. */
  readonly connectors?: Connectors;
}

type Author<Connectors extends Catalogue> = (context: PlaybookContext<Connectors>) => Promise<void>;

/** The result that Temporal Web shows. */
type InvestigationOutcome = Conclusion | { readonly verdict: Verdict | null; readonly summary: string };

export interface PlaybookWorkflow<Connectors extends Catalogue = Catalogue> {
  (input: InvestigationInput): Promise<InvestigationOutcome>;
  readonly definition: PlaybookDefinition<Connectors>;
  /** The playbook function without its lifecycle, for tests. */
  readonly author: Author<Connectors>;
}

/** The third parties are read only if their copies are old, so this is a regular activity with the time for that. */
function createRecordSearch(retryCount: number): RecordActivities['searchRecords'] {
  const { searchRecords } = proxyActivities<RecordActivities>({
    startToCloseTimeout: '3m',
    heartbeatTimeout: '30s',
    retry: skillRetryPolicy(retryCount),
    summary: 'Search the records of the third parties',
  });
  return searchRecords;
}
const MAX_SEARCH_VALUES = 400;
const NO_RECORDS: RecordAnswer = { matches: [], searched: [], problems: [] };

function showStatus(status: InvestigationStatusName, result: { CaseId?: string | undefined; Verdict?: Verdict | null } = {}): void {
  upsertSearchAttributes(toSearchAttributes({ InvestigationStatus: status, ...result }));
}

/** Wraps a playbook function into a workflow that runs the lifecycle of an investigation. */
export function playbook<const Connectors extends Catalogue = typeof catalogue>(
  definition: PlaybookDefinition<Connectors>,
  author: Author<Connectors>,
): PlaybookWorkflow<Connectors> {
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: without connectors of its own, Connectors is the catalogue by its default.
  const connectors = definition.connectors ?? (catalogue as Catalogue as Connectors);
  const investigate = async (input: InvestigationInput): Promise<InvestigationOutcome> => {
    const { attempt: number, currentDeploymentVersion } = workflowInfo();
    const attempt: InvestigationAttempt = { ...input, attempt: number, build: currentDeploymentVersion?.buildId ?? null };
    const bookkeeping = createBookkeeping();
    let isEnded = false;
    try {
      const outcome = runAttempt(attempt, bookkeeping, connectors, author).finally(() => {
        isEnded = true;
      });
      return await Promise.race([outcome, whenStuck(() => isEnded)]);
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
  if (beginning.stale) return showEnding(attempt, beginning.ended);
  showStatus('InProgress', { CaseId: beginning.caseId });
  const heading = `Attempt ${attempt.attempt}: investigating, ${beginning.entities.length} entities found.`;
  setCurrentDetails(heading);
  const evidence = new EvidenceRecorder();
  const saver = new EvidenceSaver(evidence, async (entries) => {
    setCurrentDetails([heading, '', ...evidence.entries.map((entry) => `- ${escapeMarkdown(entry.title)}`)].join('\n'));
    await bookkeeping.recordEvidence(attempt, entries);
  });
  noteIgnoredTime(evidence, beginning.alert);
  addBehaviours(evidence, beginning.behaviours ?? []);
  if (beginning.entitiesIncomplete !== null) evidence.leftOut('Entities may be missing', beginning.entitiesIncomplete);
  const { alertId, investigationNo } = attempt;
  const answers: Answer[] = [];
  const openQuestions: Gap[] = [];
  let recordsSearched = 0;
  const retryCount = beginning.retryCount ?? attempt.attempt - 1;
  // Earlier builds waited a minute for each third party in every attempt.
  const patienceSeconds = patienceSecondsOf(retryCount > 0 && patched('patience-of-retries') ? retryCount : 0);
  const callLimit = beginning.plan === null ? new CallLimit() : undefined;
  const skills = createSkills(connectors, {
    alertId,
    investigationNo,
    retryCount,
    patienceSeconds,
    isSevere: beginning.alert.sourceSeverity === 'critical' || beginning.alert.sourceSeverity === 'high',
    bookkeeping,
    callLimit,
    defaults: beginning.connections,
    onGap(gap) {
      evidence.gap(gap.title, gap.reason, { source: gap.source });
      if (gap.unanswered) openQuestions.push(gap);
    },
    onNotFound: (answer) => noteNotFound(evidence, answer),
    onAnswer: (answer) => answers.push(answer),
  });
  const calls = new WatchedCalls();
  const context = withCheckedValues<PlaybookContext<Connectors>>({
    alert: beginning.alert,
    entities: beginning.entities,
    own: beginning.own ?? [],
    skills: calls.watch('skills', skills),
    isConnected: (name) => Object.hasOwn(beginning.connections, connectors[name]?.kind ?? ''),
    evidence,
    readAnswer: createAnswerReader({
      alert: readAlertFacts(beginning.alert, beginning.entities),
      evidence,
      readStored: (question) => bookkeeping.readAnswer({ alertId, ...question }),
    }),
    correlate: (question) => bookkeeping.correlate({ alertId, ...question }),
    findLikelyOwn: (domains) => bookkeeping.findLikelyOwn({ alertId, domains }),
    async searchRecords(values) {
      if (!hasRecords(connectors, beginning.connections)) return NO_RECORDS;
      const around = alertTime(beginning.alert);
      const search = { alertId, values: values.slice(0, MAX_SEARCH_VALUES), around, patienceSeconds };
      const answer = await createRecordSearch(retryCount)(search).catch((error: unknown) => {
        // Earlier builds ended the attempt.
        if (!isTimeout(error) || !patched('record-search-timeout')) throw error;
        evidence.gap('Third-party records: not searched', 'The search did not end in time. Investigate the alert again.');
        return NO_RECORDS;
      });
      openQuestions.push(...answer.problems.filter(({ isTemporary }) => isTemporary).map(toOpenQuestion));
      recordsSearched += answer.searched.length - answer.problems.length;
      return answer;
    },
    propose: calls.watch('propose', createProposals(connectors, { alertId, investigationNo, skills, bookkeeping, evidence, callLimit })),
    async followUp({ afterHours, reason }) {
      await bookkeeping.planFollowUp({ alertId, investigationNo, afterHours, reason });
    },
    plan: beginning.plan,
  });
  await author(context);
  addGapsOfParts(answers, evidence);
  addGapsOfCalls(calls, evidence);
  const { sourceSeverity = null, exposure = NO_EXPOSURE } = beginning.alert;
  const statements = {
    sourceSeverity,
    behaviours: beginning.behaviours ?? [],
    exposure: combineExposures(
      exposure,
      findAnsweredExposure(
        answers,
        beginning.entities.flatMap(({ kind, value }) => (kind === 'cve' ? [value] : [])),
      ),
    ),
    important: (beginning.own ?? []).filter(({ important }) => important),
  };
  const conclusion = concludeFrom(evidence.entries, statements);
  evidence.settle();
  evidence.noteUncited(answers);
  noteStatements(beginning.alert, evidence);
  if (beginning.playbookReason && beginning.playbookReason !== DECLARED_TYPE)
    evidence.note('Playbook chosen', beginning.playbookReason, { step: 'playbook-chosen' });
  await saver.stop();
  const isOutage = openQuestions.some((gap) => gap.isOutage);
  if (isOutage && answers.length + recordsSearched === 0) throw createNothingAnswered(openQuestions);
  if (openQuestions.length > 0) await bookkeeping.askAgain({ alertId, investigationNo, unanswered: listUnanswered(openQuestions) });
  const written = await bookkeeping.conclude(attempt, { evidence: evidence.entries, conclusion });
  if (!written)
    return {
      verdict: null,
      summary: `A newer investigation replaced investigation ${attempt.investigationNo} of ${attempt.alertId}. Its verdict was discarded.`,
    };
  showStatus('Completed', { Verdict: conclusion.verdict });
  setCurrentDetails(escapeMarkdownLines(conclusion.summary));
  return conclusion;
}

/** A call without `await` is a mistake that the verdict must not hide. */
function addGapsOfCalls(calls: WatchedCalls, evidence: EvidenceLog): void {
  const add = (reason: string, missed: ReturnType<WatchedCalls['listOpen']>) => {
    for (const { name, place } of missed)
      evidence.gap(`Not awaited: ${name}`, `${reason} Add \`await\` to the call.${place === null ? '' : ` Place: ${place}.`}`);
  };
  add('The playbook ended before this call, so its result is missing.', calls.listOpen());
  const ended = calls.listEndedUnawaited();
  // Earlier builds had no gap for these calls, and a gap is saved by a step of its own.
  if (ended.length > 0 && patched('gap-of-ended-call')) add('The playbook did not wait for this call and did not use its result.', ended);
}

/** Whether the service copies records of a connected third party. */
function hasRecords(connectors: Catalogue, connected: Readonly<Record<string, unknown>>): boolean {
  return Object.values(connectors).some(({ kind, records = [] }) => records.length > 0 && Object.hasOwn(connected, kind));
}

/** Notes the words of the source. They have no points: an attacker may have written them. */
function noteStatements({ sourceSeverity, ruleName, techniques = [] }: AlertFacts, evidence: EvidenceLog): void {
  const statements = [
    ...(ruleName ? [`rule: ${ruleName}`] : []),
    ...(sourceSeverity ? [`severity: ${sourceSeverity}`] : []),
    ...(techniques.length > 0 ? [`techniques: ${techniques.join(', ')}`] : []),
  ];
  if (statements.length > 0) evidence.note('Stated in the alert', statements.join('; '), { step: 'stated-in-the-alert', techniques });
}

/** The sender's value stays on the alert. Questions about a time use the time of the intake. */
function noteIgnoredTime(evidence: EvidenceLog, { createdAt, createdAtSource }: AlertFacts): void {
  if (createdAtSource === null || isPlausibleSourceTime(createdAtSource, createdAt)) return;
  evidence.note(
    'The time of the source was ignored',
    `created_at_source is ${createdAtSource}, which is not a plausible time in epoch seconds. The investigation uses the time when the service received the alert.`,
  );
}

/** A copy of records that could not be brought up to date is a question to ask again. */
function toOpenQuestion(problem: RecordAnswer['problems'][number]): Gap {
  const { connection: instanceName, connectionId, skillKey, skillId, reason, code } = problem;
  return {
    title: `${skillId}: no answer`,
    reason,
    source: toRecordSource(problem),
    unanswered: { connectionId, instanceName, ...(skillKey && { skillKey }), skillId, startsEarly: true },
    isOutage: code !== 'Misconfigured',
  };
}

const NOTHING_ANSWERED = 'NothingAnswered';

/** Without any answer there is nothing to conclude from. The details are the questions to ask again. */
function createNothingAnswered(questions: readonly Gap[]): ApplicationFailure {
  const [first] = questions.filter((gap) => gap.isOutage);
  const message = `No question has an answer. ${first?.title}: ${first?.reason}`;
  return ApplicationFailure.create({ type: NOTHING_ANSWERED, message, details: listUnanswered(questions) });
}

/** One entry for each skill of a connection. */
function listUnanswered(gaps: readonly Gap[]): UnansweredQuestion[] {
  const questions = gaps.flatMap(({ unanswered }) => unanswered ?? []);
  return [
    ...new Map(questions.map((question) => [`${question.connectionId} ${question.skillKey ?? question.skillId}`, question])).values(),
  ];
}

/** An earlier run saved the result already. */
function showEnding(attempt: InvestigationAttempt, ended: Ending | null): InvestigationOutcome {
  if (ended === null)
    return {
      verdict: null,
      summary: `A newer investigation replaced investigation ${attempt.investigationNo} of ${attempt.alertId} before it began.`,
    };
  if (ended.status === 'Failed') throw ApplicationFailure.nonRetryable(ended.summary, 'InvestigationFailed');
  showStatus(ended.status, { Verdict: ended.verdict });
  setCurrentDetails(escapeMarkdownLines(ended.summary));
  return { verdict: ended.verdict, summary: ended.summary };
}

/** Returns the failure that ends the attempt, and saves status 20 (Failed) if the investigation ends with it. */
async function endAttempt(attempt: InvestigationAttempt, bookkeeping: Bookkeeping, error: unknown): Promise<unknown> {
  const reason = describeError(error);
  const isMistake = isAuthorsMistake(error);
  const isCancelled = isCancellation(error);
  const attemptsAllowed = workflowInfo().retryPolicy?.maximumAttempts ?? 1;
  const end = chooseEnd(error, { isLast: attempt.attempt >= attemptsAllowed });
  if (end === 'recover') return ApplicationFailure.nonRetryable(reason, 'DatabaseAway');
  if (end === 'retry') {
    setCurrentDetails(`Attempt ${attempt.attempt} of ${attemptsAllowed} failed: ${escapeMarkdownLines(reason)}`);
    return ApplicationFailure.create({ type: 'InvestigationAttemptFailed', message: reason, cause: toCause(error) });
  }
  await CancellationScope.nonCancellable(async () => {
    if (error instanceof ApplicationFailure && error.type === NOTHING_ANSWERED) {
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: createNothingAnswered is the only writer of these details.
      const unanswered = (error.details ?? []) as UnansweredQuestion[];
      await bookkeeping.askAgain({ alertId: attempt.alertId, investigationNo: attempt.investigationNo, unanswered });
    }
    await bookkeeping.fail(
      attempt,
      isCancelled
        ? 'Cancelled in Temporal.'
        : isMistake
          ? `${reason} Correct the playbook and investigate the alert again.`
          : `${reason} (after ${attempt.attempt} of ${attemptsAllowed} attempts)`,
    );
    showStatus('Failed');
  });
  setCurrentDetails(`Failed: ${escapeMarkdownLines(reason)}`);
  return isCancelled
    ? error
    : ApplicationFailure.create({ type: 'InvestigationFailed', message: reason, nonRetryable: true, cause: toCause(error) });
}

function isTimeout(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
}
