import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  defineSignal,
  proxyActivities,
  rootCause,
  setHandler,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type Catalogue,
  type ConnectorContract,
  type SkillContract,
  type SkillInput,
  type SkillOutput,
  skillActivityName,
} from '../../activities/connectors/kit/define.js';
import type { EvidenceSource } from '../../domain/case/evidence.js';
import {
  type ChosenConnection,
  CONNECTION_RESTORED,
  type ConnectionActivities,
  type ConnectionRestored,
  GAP_ERROR_CODES,
  type SkillFailureFacts,
  type SkillReply,
  type SkillRequest,
  type SkillRunError,
  WRITES_RELEASED,
} from '../../domain/connection/skill.js';
import { skillRetryPolicy } from '../../domain/investigation/retry-policy.js';
import { clip } from '../../domain/text.js';

interface CallOptions {
  /** The instance name of a connection other than the organization's default of the kind. */
  readonly connection?: string;
}

type ReadVerb<Connector extends ConnectorContract> = {
  [Verb in keyof Connector['skills']]: Connector['skills'][Verb]['effect'] extends 'write' ? never : Verb;
}[keyof Connector['skills']];

/**
 * What a playbook calls: `await skills.threatIntelligence.getEnrichment({…})`. null: there is no answer and trying again
 * would not bring one; why stands in the evidence as a gap, and the investigation goes on. Writes are not here: see `Proposals`.
 */
export type Skills<Connectors extends Catalogue> = {
  readonly [Name in keyof Connectors]: {
    readonly [Verb in ReadVerb<Connectors[Name]>]: (
      input: SkillInput<Connectors[Name]['skills'][Verb]>,
      options?: CallOptions,
    ) => Promise<SkillOutput<Connectors[Name]['skills'][Verb]> | null>;
  };
};

/** Why a question stays open. */
export interface Gap {
  readonly title: string;
  readonly reason: string;
  readonly source: EvidenceSource;
}

/** That a question was answered, and what was asked. */
export interface Answer {
  readonly source: EvidenceSource;
  readonly input: unknown;
}

export interface SkillCaller {
  readonly alertId: string;
  readonly investigationNo: number;
  /** How often the investigation was tried before: what failed once is given more patience. */
  readonly retryCount: number;
  readonly bookkeeping: ConnectionActivities;
  /** Connections that are known already, by kind; the others are asked for. */
  readonly defaults: Readonly<Record<string, ChosenConnection>>;
  onGap(gap: Gap): void;
  onAnswer(answer: Answer): void;
}

const sources = new WeakMap<object, EvidenceSource>();

/** Which call an answer came from, for the evidence that rests on it. */
export function findSource(answer: object): EvidenceSource | null {
  return sources.get(answer) ?? null;
}

const shortened = new WeakSet<object>();

/** Whether an answer is all that the third party said: a history carries only so much. */
export function isWhole(answer: object): boolean {
  return !shortened.has(answer);
}

/** Typed proxies of the reads; each call finds its connection, waits where it has to, and ends in an answer, a gap or an error. */
export function createSkills<Connectors extends Catalogue>(connectors: Connectors, caller: SkillCaller): Skills<Connectors> {
  const waiting = new ConnectionWaiter(caller.bookkeeping);
  const asked = new Map<string, Promise<ChosenConnection | null>>();
  /** One question a kind and investigation. */
  const resolve = (kind: string, instanceName: string | null): Promise<ChosenConnection | null> => {
    const key = `${kind} ${instanceName ?? ''}`;
    const answer = asked.get(key) ?? caller.bookkeeping.resolveConnection({ alertId: caller.alertId, kind, instanceName });
    asked.set(key, answer);
    return answer;
  };
  const counts = new Map<string, number>();
  const createSkillProxy = (connector: ConnectorContract, activityName: string, contract: SkillContract) => {
    // Chained rather than awaited: the SDK takes a stack trace of every promise, which is most of what a call costs its workflow.
    return (input: unknown, options: CallOptions = {}): Promise<unknown> => {
      const count = (counts.get(activityName) ?? 0) + 1;
      counts.set(activityName, count);
      const source = { connector: connector.kind, connection: options.connection ?? null, skill_id: contract.title };
      const notAsked = () => {
        const wanted = options.connection === undefined ? '' : ` named ${options.connection}`;
        caller.onGap({
          title: `${contract.title}: not asked`,
          reason: `The organization has no connection to the ${connector.title}${wanted}. Adding one would answer this.`,
          source,
        });
        return null;
      };
      const answered = (reply: SkillReply) => {
        const answeredBy = {
          ...source,
          connection: reply.instanceName,
          result_id: reply.resultId,
          ...(reply.reused ? { reused: true } : {}),
        };
        caller.onAnswer({ source: answeredBy, input });
        if (typeof reply.output === 'object' && reply.output !== null) {
          sources.set(reply.output, answeredBy);
          if (reply.truncated) shortened.add(reply.output);
        }
        return reply.output;
      };
      const ask = (connection: ChosenConnection): Promise<unknown> => {
        const request: SkillRequest = {
          connectionId: connection.connectionId,
          operationKey: `${caller.alertId}/${caller.investigationNo}/${activityName}/${count}`,
          alertId: caller.alertId,
          runId: null,
          input,
          mayReuse: true,
        };
        const call = { activityName, contract, connection, request, retryCount: caller.retryCount, waiting };
        return callSkillThen(call, answered, (error) => {
          const failure = toSkillFailure(error) ?? toAgentTimeout(error, connection);
          if (failure === null || !GAP_ERROR_CODES.has(failure.code)) throw error;
          const advice = failure.facts?.resolution ?? null;
          caller.onGap({
            title: `${contract.title}: no answer`,
            reason: advice === null ? failure.message : `${failure.message} ${advice}`,
            source: { ...source, connection: connection.instanceName },
          });
          return null;
        });
      };
      const known = options.connection === undefined ? caller.defaults[connector.kind] : undefined;
      if (known) return ask(known);
      return resolve(connector.kind, options.connection ?? null).then((found) => (found === null ? notAsked() : ask(found)));
    };
  };
  const proxies = Object.entries(connectors).map(([name, connector]) => [
    name,
    Object.fromEntries(
      Object.entries(connector.skills)
        .filter(([, { effect }]) => effect === 'read')
        .map(([verb, contract]) => [verb, createSkillProxy(connector, skillActivityName(name, verb), contract)]),
    ),
  ]);
  return Object.fromEntries(proxies);
}

/** Steps in an agent's hands, or parked for it, are heartbeated every minute: one that is not was lost before it was handed over. */
const PARKED_SILENCE_MS = 10 * 60_000;

/** How long a throttled third party is waited for before the step is given up. */
const THROTTLED_AT_MOST_SECONDS = 24 * 3600;

interface SkillCall {
  readonly activityName: string;
  readonly contract: SkillContract;
  readonly connection: ChosenConnection;
  readonly request: SkillRequest;
  readonly retryCount: number;
  /** null: a refused credential is an error at once. */
  readonly waiting: ConnectionWaiter | null;
  /** Without it, a write that the organization's rules hold is an error at once. */
  readonly holding?: WriteHold;
}

/** One call through to its answer. Waiting for a third party that asks for it, or for a reconnect, spends no attempt. */
export function callSkill(call: SkillCall): Promise<SkillReply> {
  return callSkillThen(
    call,
    (reply) => reply,
    (error) => {
      throw error;
    },
  );
}

/** The same with what follows from it, in one promise where the first try is answered. */
function callSkillThen<Result>(
  call: SkillCall,
  answered: (reply: SkillReply) => Result,
  unanswered: (error: unknown) => Result,
): Promise<Result> {
  const perform = activityFor(call);
  return perform(call.request).then(answered, (error: unknown) => retryAfterWaiting(call, perform, error).then(answered, unanswered));
}

/** After the first failure, for as long as waiting helps. */
async function retryAfterWaiting(
  call: SkillCall,
  perform: (request: SkillRequest) => Promise<SkillReply>,
  firstError: unknown,
): Promise<SkillReply> {
  let throttledSeconds = 0;
  let error = firstError;
  for (;;) {
    const failure = toSkillFailure(error);
    const facts = failure?.facts ?? null;
    if (failure === null || facts === null) throw error;
    if (failure.code === 'RateLimited' || failure.code === 'CircuitOpen') {
      const seconds = Math.max(1, facts.retryAfterSeconds ?? 1);
      throttledSeconds += seconds;
      if (throttledSeconds > THROTTLED_AT_MOST_SECONDS) throw error;
      await sleep(seconds * 1000, { summary: `${call.contract.title}: ${call.connection.instanceName} asked to wait` });
    } else if (failure.code === 'WritesHeld' && call.holding) {
      await call.holding.untilReleased({ because: failure.message, retryAfterSeconds: facts.retryAfterSeconds });
    } else if (failure.code === 'CredentialsRejected' && call.waiting !== null) {
      const restored = await call.waiting.forReconnect({
        ...call.connection,
        generation: facts.generation ?? 0,
        alertId: call.request.alertId,
        skillId: call.contract.title,
        reason: failure.message,
      });
      if (!restored) throw error;
    } else throw error;
    try {
      return await perform(call.request);
    } catch (next) {
      error = next;
    }
  }
}

function activityFor({ activityName, contract, connection, retryCount }: SkillCall) {
  const retry = skillRetryPolicy(retryCount);
  const waitingSeconds = (retry.maximumAttempts * retry.maximumInterval) / 1000;
  const bounds = connection.routed
    ? // An agent that is away keeps its steps until it is back.
      { startToCloseTimeout: connection.reconnectWaitSeconds * 1000, heartbeatTimeout: PARKED_SILENCE_MS }
    : {
        startToCloseTimeout: contract.timeoutSeconds * 1000,
        scheduleToCloseTimeout: (contract.timeoutSeconds * retry.maximumAttempts + waitingSeconds) * 1000,
      };
  const activities = proxyActivities<Record<string, (request: SkillRequest) => Promise<SkillReply>>>({
    ...bounds,
    retry,
    summary: `${contract.title} (${connection.instanceName})`,
  });
  const perform = activities[activityName];
  if (!perform) throw ApplicationFailure.nonRetryable(`There is no activity ${activityName}.`, 'UnknownSkill');
  return perform;
}

const restoredSignal = defineSignal<[ConnectionRestored]>(CONNECTION_RESTORED);

/** Waits for broken connections on behalf of one workflow. */
export class ConnectionWaiter {
  readonly #bookkeeping: ConnectionActivities;
  readonly #restored = new Map<string, number>();

  constructor(bookkeeping: ConnectionActivities) {
    this.#bookkeeping = bookkeeping;
    setHandler(restoredSignal, ({ connectionId, generation }) => {
      this.#restored.set(connectionId, Math.max(generation, this.#restored.get(connectionId) ?? 0));
    });
  }

  /** True: it works again. False: nobody mended it in time. */
  async forReconnect(broken: {
    connectionId: string;
    instanceName: string;
    reconnectWaitSeconds: number;
    generation: number;
    alertId: string | null;
    skillId: string;
    reason: string;
  }): Promise<boolean> {
    const { connectionId, instanceName, reconnectWaitSeconds, generation, alertId, skillId, reason } = broken;
    const { workflowId } = workflowInfo();
    const untilSeconds = Math.floor(Date.now() / 1000) + reconnectWaitSeconds;
    const parked = await this.#bookkeeping.parkOnConnection({
      connectionId,
      generation,
      workflowId,
      alertId,
      skillId,
      reason,
      untilSeconds,
    });
    if (!parked) return true;
    const isNewer = () => (this.#restored.get(connectionId) ?? 0) > generation;
    const restored = await condition(isNewer, reconnectWaitSeconds * 1000, { summary: `Waiting for ${instanceName} to be reconnected` });
    if (!restored) await this.#bookkeeping.leaveConnection({ connectionId, workflowId });
    return restored;
  }
}

const releasedSignal = defineSignal(WRITES_RELEASED);

/** A switch that nobody turns is looked at this often: whoever was to wake us may have died on the way. */
const HELD_LOOK_MS = 3_600_000;

/** Waits for an organization's rules on behalf of one workflow. */
export class WriteHold {
  readonly #onHeld: (because: string) => Promise<boolean>;
  #isReleased = false;

  /** `onHeld` writes it down, where whoever changes the rules finds it; false: they have been changed since. */
  constructor(onHeld: (because: string) => Promise<boolean>) {
    this.#onHeld = onHeld;
    setHandler(releasedSignal, () => this.release());
  }

  release(): void {
    this.#isReleased = true;
  }

  /** Ends when the rules have changed, or there may be room again; whether there is, the next try finds out. */
  async untilReleased(held: { because: string; retryAfterSeconds: number | null }): Promise<void> {
    this.#isReleased = false;
    if (!(await this.#onHeld(held.because))) return;
    const waitMs = held.retryAfterSeconds === null ? HELD_LOOK_MS : held.retryAfterSeconds * 1000;
    await condition(() => this.#isReleased, waitMs, { summary: clip(held.because, 200) });
  }
}

/** A step that waited for its remote agent longer than anything is waited for. */
function toAgentTimeout(error: unknown, { routed, instanceName }: ChosenConnection): SkillFailure | null {
  const isLate = routed && error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
  return isLate ? { code: 'NotFound', message: `The remote agent of ${instanceName} was away too long.`, facts: null } : null;
}

interface SkillFailure {
  readonly code: string;
  readonly message: string;
  readonly facts: SkillFailureFacts | null;
}

/** What a failed activity says; null where it is no skill's failure. */
export function toSkillFailure(error: unknown): SkillFailure | null {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return null;
  const { type, message, details } = error.cause;
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the wrapper round every skill puts exactly this there.
  return { code: type ?? '', message, facts: (details?.[0] as SkillFailureFacts | undefined) ?? null };
}

/** The same in words that a person, or a row, can keep. */
export function toRunError(error: unknown): SkillRunError {
  const failure = toSkillFailure(error);
  return {
    code: failure?.code ?? 'UnexpectedError',
    message: failure?.message ?? rootCause(error) ?? String(error),
    third_party_status: failure?.facts?.status ?? null,
    resolution: failure?.facts?.resolution ?? null,
  };
}
