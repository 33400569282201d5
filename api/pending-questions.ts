import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import { z } from 'zod';
import type { QuestionUnderWay } from '../domain/alert/alert.js';
import type { Waiting } from '../domain/connection/connection.js';
import type { SkillFailureFacts, SkillRequest } from '../domain/connection/skill.js';
import type { SkillErrorCode } from '../domain/connection/skill-errors.js';
import { SKILLS } from './skill-index.js';

/** Whoever reads an alert waits no longer than this for what is only said beside it. */
const ASKED_WITHIN_MS = 1_500;
const EVENTS_A_PAGE = 50;
/** What was asked longer ago than this many events is shown without its connection. */
const PAGES_AT_MOST = 4;
const RUNS_REMEMBERED = 500;

type Description = Pick<WorkflowExecutionDescription['raw'], 'pendingActivities'>;
type PendingActivity = NonNullable<Description['pendingActivities']>[number];
type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];
type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

/** Of a request to a skill and of its failure only this is read: the question itself stays where it is. */
const Asked = z.object({ connectionId: z.string(), operationKey: z.string() }) satisfies z.ZodType<
  Pick<SkillRequest, 'connectionId' | 'operationKey'>
>;
const FailureFacts = z.object({ retryAfterSeconds: z.number().nullable() }) satisfies z.ZodType<
  Pick<SkillFailureFacts, 'retryAfterSeconds'>
>;
/** What a workflow waits for by itself before it asks again. */
const THROTTLED: ReadonlySet<string> = new Set<SkillErrorCode>(['RateLimited', 'CircuitOpen']);
const CODE = /^[A-Za-z]{1,40}$/;
/** `<connector>.<verb>`: see `skillActivityName`. */
const SKILL = /^\w+\.\w+$/;
/** Of an activity that no worker has taken (again). */
const SCHEDULED = 1;

/** One try at a call, as the history tells it. */
interface Call {
  readonly activityId: string;
  readonly skillId: string;
  readonly connectionId: string;
  readonly at: number;
  /** The third party asked to wait; null: there is no end yet. */
  readonly throttled: { readonly code: string; readonly until: number } | null;
}

/** Calls that are under way in one run, by how long its history was when they were read. */
interface Read {
  readonly length: number;
  readonly calls: readonly Call[];
}

/** What investigations ask at this moment, from what Temporal knows of them. */
export class PendingQuestions {
  readonly #client: Client;
  /** A history only grows when something happens: while one waits, it is read once. */
  readonly #read = new Map<string, Read>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** null: Temporal does not answer now. `findNames` finds the instance names of connections. */
  async of(
    alertId: string,
    waiting: readonly Waiting[],
    findNames: (connectionIds: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ): Promise<QuestionUnderWay[] | null> {
    const run = await this.#look(alertId);
    if (run === null) return null;
    const names = await findNames(run.calls.map(({ connectionId }) => connectionId));
    const now = Date.now() / 1000;
    const calls = new Map(run.calls.map((call) => [call.activityId, call]));
    const asked = run.pending.map((activity) => pendingQuestion(activity, calls.get(activity.activityId ?? ''), { names, waiting, now }));
    const throttled = run.calls.flatMap((call) => throttledQuestion(call, names));
    const parked = waiting.flatMap(parkedQuestion);
    return [...asked, ...throttled, ...parked].toSorted((one, other) => one.since - other.since);
  }

  /** Whatever is wrong with Temporal, the alert itself is shown. */
  async #look(alertId: string): Promise<{ pending: PendingActivity[]; calls: readonly Call[] } | null> {
    try {
      return await this.#client.connection.withDeadline(Date.now() + ASKED_WITHIN_MS, async () => {
        const { raw, runId, status, historyLength } = await this.#client.workflow.getHandle(alertId).describe();
        if (status.name !== 'RUNNING') return { pending: [], calls: [] };
        const pending = (raw.pendingActivities ?? []).filter(({ activityType }) => SKILL.test(activityType?.name ?? ''));
        return { pending, calls: await this.#callsOf({ workflowId: alertId, runId, length: historyLength }, pending) };
      });
    } catch {
      return null;
    }
  }

  async #callsOf(
    run: { workflowId: string; runId: string; length: number },
    pending: readonly PendingActivity[],
  ): Promise<readonly Call[]> {
    const known = this.#read.get(run.runId);
    if (known?.length === run.length) return known.calls;
    const calls = callsUnderWay(await this.#newestEvents(run, new Set(pending.map(({ activityId }) => activityId ?? ''))));
    if (this.#read.size >= RUNS_REMEMBERED) this.#read.clear();
    this.#read.set(run.runId, { length: run.length, calls });
    return calls;
  }

  /** Newest first, back to where everything that is pending was asked. */
  async #newestEvents({ workflowId, runId }: { workflowId: string; runId: string }, wanted: ReadonlySet<string>): Promise<HistoryEvent[]> {
    const { workflowService, options } = this.#client;
    const missing = new Set(wanted);
    const events: HistoryEvent[] = [];
    let nextPageToken: Uint8Array | null = null;
    for (let pages = 0; pages < PAGES_AT_MOST; pages += 1) {
      const page: Awaited<ReturnType<typeof ask>> = await ask(nextPageToken);
      for (const event of page.events) missing.delete(event.activityTaskScheduledEventAttributes?.activityId ?? '');
      events.push(...page.events);
      nextPageToken = page.next;
      if (missing.size === 0 || nextPageToken === null) break;
    }
    return events;

    async function ask(token: Uint8Array | null): Promise<{ events: HistoryEvent[]; next: Uint8Array | null }> {
      const reply = await workflowService.getWorkflowExecutionHistoryReverse({
        namespace: options.namespace,
        execution: { workflowId, runId },
        maximumPageSize: EVENTS_A_PAGE,
        nextPageToken: token,
      });
      const next = reply.nextPageToken;
      return { events: reply.history?.events ?? [], next: next && next.length > 0 ? next : null };
    }
  }
}

/** Of events that are given newest first. A call that was asked again under its name is over, whatever became of it. */
function callsUnderWay(events: readonly HistoryEvent[]): Call[] {
  const ends = new Map<string, Call['throttled']>();
  const askedLater = new Set<string>();
  const calls: Call[] = [];
  for (const event of events) {
    const { activityTaskCompletedEventAttributes: completed, activityTaskCanceledEventAttributes: cancelled } = event;
    const { activityTaskFailedEventAttributes: failed, activityTaskTimedOutEventAttributes: late } = event;
    const ended = completed ?? cancelled ?? late ?? failed;
    if (ended?.scheduledEventId != null) ends.set(String(ended.scheduledEventId), failed?.failure ? readThrottle(event) : null);
    const scheduled = event.activityTaskScheduledEventAttributes;
    const asked = scheduled && Asked.safeParse(decode(scheduled.input?.payloads?.[0]));
    if (!scheduled || !asked?.success || askedLater.has(asked.data.operationKey)) continue;
    askedLater.add(asked.data.operationKey);
    const id = String(event.eventId);
    const throttled = ends.get(id) ?? null;
    if (ends.has(id) && throttled === null) continue;
    const { activityId, activityType } = scheduled;
    const at = toEpochSeconds(event.eventTime);
    calls.push({
      activityId: activityId ?? '',
      skillId: readSkillTitle(activityType),
      connectionId: asked.data.connectionId,
      at,
      throttled,
    });
  }
  return calls;
}

function readThrottle({ eventTime, activityTaskFailedEventAttributes: failed }: HistoryEvent): Call['throttled'] {
  const { type, details } = failed?.failure?.applicationFailureInfo ?? {};
  if (type == null || !THROTTLED.has(type)) return null;
  const facts = FailureFacts.safeParse(decode(details?.payloads?.[0]));
  return { code: type, until: toEpochSeconds(eventTime) + Math.max(1, facts.data?.retryAfterSeconds ?? 1) };
}

function pendingQuestion(
  activity: PendingActivity,
  call: Call | undefined,
  { names, waiting, now }: { names: ReadonlyMap<string, string>; waiting: readonly Waiting[]; now: number },
): QuestionUnderWay {
  const skillId = readSkillTitle(activity.activityType);
  const attempt = activity.attempt ?? 1;
  const next = toEpochSeconds(activity.nextAttemptScheduleTime ?? activity.scheduledTime);
  const isScheduled = activity.state === SCHEDULED;
  const isBackedOff = isScheduled && attempt > 1 && next > now;
  const isParked = waiting.some(
    ({ remote_agent, connection_id, skill_id }) => remote_agent !== null && connection_id === call?.connectionId && skill_id === skillId,
  );
  return {
    skill_id: skillId,
    connection: names.get(call?.connectionId ?? '') ?? null,
    since: call?.at ?? toEpochSeconds(activity.lastStartedTime ?? activity.scheduledTime),
    attempt,
    waits_for: isParked ? 'remote-agent' : isBackedOff ? 'retry' : isScheduled ? 'worker' : 'answer',
    until: isBackedOff ? next : null,
    problem: activity.lastFailure ? describeFailure(activity.lastFailure) : null,
  };
}

function throttledQuestion({ skillId, connectionId, at, throttled }: Call, names: ReadonlyMap<string, string>): QuestionUnderWay[] {
  if (throttled === null) return [];
  const { code, until } = throttled;
  const connection = names.get(connectionId) ?? null;
  return [{ skill_id: skillId, connection, since: at, attempt: 1, waits_for: 'rate-limit', until, problem: code }];
}

function parkedQuestion({ skill_id, instance_name, since, until, remote_agent }: Waiting): QuestionUnderWay[] {
  if (remote_agent !== null) return [];
  return [{ skill_id, connection: instance_name, since, attempt: 1, waits_for: 'reconnect', until, problem: 'CredentialsRejected' }];
}

/** A code, never the words: they may be the third party's, and repeat what it was asked. */
function describeFailure({ applicationFailureInfo, timeoutFailureInfo }: NonNullable<PendingActivity['lastFailure']>): string {
  if (timeoutFailureInfo) return 'SkillTimedOut' satisfies SkillErrorCode;
  const type = applicationFailureInfo?.type ?? '';
  return CODE.test(type) ? type : 'UnexpectedError';
}

/** A worker may know skills that this process does not. */
function readSkillTitle(activityType: PendingActivity['activityType']): string {
  const name = activityType?.name ?? '';
  return SKILLS.get(name)?.skillId ?? name;
}

function toEpochSeconds(time: Parameters<typeof optionalTsToMs>[0]): number {
  return Math.floor((optionalTsToMs(time) ?? 0) / 1000);
}

function decode(payload: Payload | null | undefined): unknown {
  return payload ? defaultPayloadConverter.fromPayload(payload) : undefined;
}
