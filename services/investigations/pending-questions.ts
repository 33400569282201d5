import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { findSkillTitle } from '../../connectors/skill-index.js';
import type { Waiting } from '../../domain/connection/connection.js';
import type { SkillFailureFacts, SkillRequest } from '../../domain/connection/skill.js';
import type { SkillErrorCode } from '../../domain/connection/skill-errors.js';
import { SkillKey } from '../../domain/skill-key.js';
import { openPayloads } from '../../platform/payload-sealer.js';
import type { QuestionUnderWay } from '../alerts/wire.js';

/** Limits the delay that this extra information adds to reading an alert. */
const TIMEOUT_MS = 1_500;
const EVENTS_PER_PAGE = 50;
/** Questions beyond these pages of the history appear without their connection. */
const MAX_PAGES = 4;
const CACHED_RUNS = 500;

type Description = Pick<WorkflowExecutionDescription['raw'], 'pendingActivities'>;
type PendingActivity = NonNullable<Description['pendingActivities']>[number];
type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];
type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

/** Only these fields of a skill request and its failure are read; the question itself stays in Temporal. */
const Asked = z.object({ connectionId: z.string(), operationKey: z.string() }) satisfies z.ZodType<
  Pick<SkillRequest, 'connectionId' | 'operationKey'>
>;
const FailureFacts = z.object({ retryAfterSeconds: z.number().nullable() }) satisfies z.ZodType<
  Pick<SkillFailureFacts, 'retryAfterSeconds'>
>;
/** Errors that make a workflow wait before it asks again. */
const THROTTLED: ReadonlySet<string> = new Set<SkillErrorCode>(['RateLimited', 'CircuitOpen']);
const CODE = /^[A-Za-z]{1,40}$/;
/** See `toSkillKey`. */
const SKILL = /^\w+\.\w+$/;
/** Temporal's PENDING_ACTIVITY_STATE_SCHEDULED: no worker has taken the activity. */
const SCHEDULED = 1;

/** One attempt of a call, read from the history. */
interface Call {
  readonly activityId: string;
  readonly skillKey: SkillKey;
  readonly connectionId: string;
  readonly at: number;
  /** Set when the third party asked to wait; null while the call is open. */
  readonly throttled: { readonly code: string; readonly until: number } | null;
}

/** The open calls of one run, with the history length at that time. */
interface CachedCalls {
  readonly length: number;
  readonly calls: readonly Call[];
}

/** Reads the open questions of running investigations from Temporal. */
export class PendingQuestions {
  readonly #client: Client;
  /** By run. A waiting run has a history of constant length, so it is read once. */
  readonly #cache = new LRUCache<string, CachedCalls>({ max: CACHED_RUNS });

  constructor(client: Client) {
    this.#client = client;
  }

  /** Returns null while Temporal does not answer. `findNames` finds the instance names of connections. */
  async list(
    alertId: string,
    waiting: readonly Waiting[],
    findNames: (connectionIds: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ): Promise<QuestionUnderWay[] | null> {
    const run = await this.#describe(alertId);
    if (run === null) return null;
    const names = await findNames(run.calls.map(({ connectionId }) => connectionId));
    const now = Date.now() / 1000;
    const calls = new Map(run.calls.map((call) => [call.activityId, call]));
    const asked = run.pending.map((activity) => pendingQuestion(activity, calls.get(activity.activityId ?? ''), { names, waiting, now }));
    const throttled = run.calls.flatMap((call) => throttledQuestion(call, names));
    const parked = waiting.flatMap(parkedQuestion);
    return [...asked, ...throttled, ...parked].toSorted((one, other) => one.since - other.since);
  }

  /** A failure of Temporal must not prevent reading the alert. */
  async #describe(alertId: string): Promise<{ pending: PendingActivity[]; calls: readonly Call[] } | null> {
    try {
      return await this.#client.connection.withDeadline(Date.now() + TIMEOUT_MS, async () => {
        const { raw, runId, status, historyLength } = await this.#client.workflow.getHandle(alertId).describe();
        if (status.name !== 'RUNNING') return { pending: [], calls: [] };
        const pending = (raw.pendingActivities ?? []).filter(({ activityType }) => SKILL.test(activityType?.name ?? ''));
        return { pending, calls: await this.#readCalls({ workflowId: alertId, runId, length: historyLength }, pending) };
      });
    } catch {
      return null;
    }
  }

  async #readCalls(
    run: { workflowId: string; runId: string; length: number },
    pending: readonly PendingActivity[],
  ): Promise<readonly Call[]> {
    const known = this.#cache.get(run.runId);
    if (known?.length === run.length) return known.calls;
    const calls = findOpenCalls(await this.#newestEvents(run, new Set(pending.map(({ activityId }) => activityId ?? ''))));
    this.#cache.set(run.runId, { length: run.length, calls });
    return calls;
  }

  /** Reads events newest first, until the start of every pending question is found. */
  async #newestEvents({ workflowId, runId }: { workflowId: string; runId: string }, wanted: ReadonlySet<string>): Promise<HistoryEvent[]> {
    const client = this.#client;
    const { workflowService, options } = client;
    const missing = new Set(wanted);
    const events: HistoryEvent[] = [];
    let nextPageToken: Uint8Array | null = null;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
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
        maximumPageSize: EVENTS_PER_PAGE,
        nextPageToken: token,
      });
      const next = reply.nextPageToken;
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: opening payloads keeps the form of the events.
      const events = (await openPayloads(client, reply.history?.events ?? [])) as HistoryEvent[];
      return { events, next: next && next.length > 0 ? next : null };
    }
  }
}

/** Expects the newest event first. A newer call with the same operation key supersedes an older one. */
function findOpenCalls(events: readonly HistoryEvent[]): Call[] {
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
      skillKey: readSkillKey(activityType),
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
  const skillKey = readSkillKey(activity.activityType);
  const attempt = activity.attempt ?? 1;
  const next = toEpochSeconds(activity.nextAttemptScheduleTime ?? activity.scheduledTime);
  const isScheduled = activity.state === SCHEDULED;
  const isBackedOff = isScheduled && attempt > 1 && next > now;
  const isParked = waiting.some(
    ({ remote_agent, connection_id, skill_key }) => remote_agent !== null && connection_id === call?.connectionId && skill_key === skillKey,
  );
  return {
    ...nameSkill(skillKey),
    connection: names.get(call?.connectionId ?? '') ?? null,
    since: call?.at ?? toEpochSeconds(activity.lastStartedTime ?? activity.scheduledTime),
    attempt,
    waits_for: isParked ? 'remote-agent' : isBackedOff ? 'retry' : isScheduled ? 'worker' : 'answer',
    until: isBackedOff ? next : null,
    problem: activity.lastFailure ? describeFailure(activity.lastFailure) : null,
  };
}

function throttledQuestion({ skillKey, connectionId, at, throttled }: Call, names: ReadonlyMap<string, string>): QuestionUnderWay[] {
  if (throttled === null) return [];
  const { code, until } = throttled;
  const connection = names.get(connectionId) ?? null;
  return [{ ...nameSkill(skillKey), connection, since: at, attempt: 1, waits_for: 'rate-limit', until, problem: code }];
}

function parkedQuestion({ skill_id, skill_key, instance_name, since, until, remote_agent }: Waiting): QuestionUnderWay[] {
  if (remote_agent !== null) return [];
  return [
    { skill_id, skill_key, connection: instance_name, since, attempt: 1, waits_for: 'reconnect', until, problem: 'CredentialsRejected' },
  ];
}

/** Returns a code only: the message may quote the third party or the question. */
function describeFailure({ applicationFailureInfo, timeoutFailureInfo }: NonNullable<PendingActivity['lastFailure']>): string {
  if (timeoutFailureInfo) return 'SkillTimedOut' satisfies SkillErrorCode;
  const type = applicationFailureInfo?.type ?? '';
  return CODE.test(type) ? type : 'UnexpectedError';
}

/** The name of the activity is the key. */
function readSkillKey(activityType: PendingActivity['activityType']): SkillKey {
  return SkillKey.parse(activityType?.name ?? '');
}

function nameSkill(skillKey: SkillKey): Pick<QuestionUnderWay, 'skill_id' | 'skill_key'> {
  return { skill_id: findSkillTitle(skillKey), skill_key: skillKey };
}

function toEpochSeconds(time: HistoryEvent['eventTime']): number {
  return Number(time?.seconds ?? 0);
}

function decode(payload: Payload | null | undefined): unknown {
  return payload ? defaultPayloadConverter.fromPayload(payload) : undefined;
}
