import { LRUCache } from 'lru-cache';
import { withTimeLimit } from '../../connectors/kit/time-limit.js';
import { type CallableConnection, forgetFailures, readForRecords } from '../../db/connections/connection-calls.js';
import { limitRequests, requireUsable } from '../../domain/connection/skill-call.js';
import { SkillError } from '../../domain/connection/skill-errors.js';
import { untilAborted } from '../../platform/abort.js';
import { recordFailure } from '../../services/connections/record-failure.js';
import { asService } from '../../services/context.js';
import { createOpener } from './open-connection.js';
import { type RunnableSkill, scrubError } from './perform-skill.js';
import type { SkillDeps } from './skill-deps.js';

/** The part of the request limit that questions use one by one. When more arrive, each waits for others that fit into the same call. */
const SINGLE_SHARE = 0.1;
const MINUTE_MS = 60_000;
/** A group waits as long as its connection needs for this many requests. */
const GATHERED_REQUESTS = 6;
const MAX_GATHER_MS = 5000;
/** The part of a skill's time that a group may take, so that each question can still be asked alone. */
const GROUP_SHARE = 0.4;
const MAX_GROUP_MS = 30_000;
/** A platform without the call of a group is not asked for it again in this time. */
const WITHOUT_GROUPS_MS = 600_000;
/** Any other failure. */
const FAILED_MS = 30_000;
const MAX_REMEMBERED = 1000;

interface Asked {
  readonly input: unknown;
  readonly connection: CallableConnection;
  readonly isSevere: boolean;
}

/** The answer of a question that was asked together with others. null: ask it alone. */
export type GroupedAnswers = (skill: RunnableSkill, asked: Asked, signal: AbortSignal) => Promise<unknown>;

interface Gathering {
  /** By their JSON: equal questions are asked once. */
  readonly inputs: Map<string, unknown>;
  isSevere: boolean;
  /** The answers by the JSON of the question. */
  readonly answers: Promise<ReadonlyMap<string, unknown>>;
  /** Asks now. */
  end(): void;
}

/** One for each process. While a connection has requests to spare, each question is asked alone and at once. */
export function createGroupedAnswers(deps: SkillDeps): GroupedAnswers {
  const gatherings = new Map<string, Gathering>();
  const demands = new LRUCache<string, Demand>({ max: MAX_REMEMBERED });
  const unusable = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  const gather = (place: string, skill: RunnableSkill, connection: CallableConnection): Gathering => {
    const inputs = new Map<string, unknown>();
    const ended = new AbortController();
    const gatherMs = Math.min(MAX_GATHER_MS, (MINUTE_MS / skill.connector.requestsPerMinute) * GATHERED_REQUESTS);
    const answers = waitUntil(gatherMs, ended.signal).then(() => {
      gatherings.delete(place);
      return askTogether(skill, { connection, inputs: [...inputs.values()], isSevere: gathering.isSevere }, deps);
    });
    const gathering: Gathering = {
      inputs,
      isSevere: false,
      answers: answers.then(
        (found) => new Map([...inputs.keys()].map((key, index) => [key, found[index] ?? null])),
        (error: unknown) => {
          if (isSharedFailure(error)) throw error;
          unusable.set(place, true, { ttl: isWithoutGroups(error) ? WITHOUT_GROUPS_MS : FAILED_MS });
          return new Map<string, unknown>();
        },
      ),
      end: () => ended.abort(),
    };
    // Every question can have been cancelled.
    gathering.answers.catch(() => {});
    gatherings.set(place, gathering);
    return gathering;
  };

  return async (skill, { input, connection, isSevere }, signal) => {
    const { group, skillKey, connector } = skill;
    // biome-ignore lint/nursery/noUnsafeTypeAssertion: the contract's own schema has parsed the input.
    const key = group?.keyOf(input as never) ?? null;
    if (group === null || key === null || connection.remoteAgentUuid !== null) return null;
    const { connectionUuid, generation } = connection;
    const demand = demands.get(connectionUuid) ?? new Demand(Math.ceil(connector.requestsPerMinute * SINGLE_SHARE));
    demands.set(connectionUuid, demand);
    const place = `${connectionUuid} ${generation} ${skillKey} ${key}`;
    if (!demand.add() || unusable.has(place)) return null;
    const gathering = gatherings.get(place) ?? gather(place, skill, connection);
    const question = JSON.stringify(input);
    gathering.inputs.set(question, input);
    gathering.isSevere ||= isSevere;
    if (gathering.inputs.size >= group.maxQuestions) gathering.end();
    const answers = await untilAborted(gathering.answers, signal);
    return answers.get(question) ?? null;
  };
}

/** The questions of the last minute. */
class Demand {
  readonly #askedMs: number[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns whether the last minute had more questions than may be asked one by one. */
  add(): boolean {
    const nowMs = performance.now();
    const oldestMs = this.#askedMs.length < this.#most ? null : (this.#askedMs.shift() ?? null);
    this.#askedMs.push(nowMs);
    return oldestMs !== null && nowMs - oldestMs < MINUTE_MS;
  }
}

/** Resolves after the time, or when the signal aborts. */
function waitUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Each question alone would fail in the same way. */
function isSharedFailure(error: unknown): boolean {
  return error instanceof SkillError && error.code === 'RateLimited';
}

function isWithoutGroups(error: unknown): boolean {
  return error instanceof SkillError && ['BadRequest', 'NotPermitted', 'NotFound', 'Misconfigured', 'UnexpectedReply'].includes(error.code);
}

/** The answers in the order of the questions. */
async function askTogether(
  { group, skillKey, connector, contract }: RunnableSkill,
  { connection: asked, inputs, isSevere }: { connection: CallableConnection; inputs: readonly unknown[]; isSevere: boolean },
  deps: SkillDeps,
): Promise<readonly unknown[]> {
  if (group === null || inputs.length < 2) return [];
  const connection = requireUsable(await readForRecords(deps.pg, asked.connectionUuid, skillKey));
  // Other credentials may see other answers.
  if (connection.generation !== asked.generation) return [];
  const connectionId = connection.connectionUuid;
  const limitMs = Math.min(MAX_GROUP_MS, contract.timeoutSeconds * 1000 * GROUP_SHARE);
  return withTimeLimit(limitMs, new AbortController().signal, async (signal) => {
    const http = deps.httpClient.forConnection({
      connectionId,
      organization: connection.organizationCode,
      requestsPerMinute: limitRequests(connector.requestsPerMinute, { isSevere }),
      signal,
    });
    const context = createOpener(deps).contextFor(connector, connection, { http, signal, operationKey: `group ${connectionId}` });
    try {
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: the contract's own schemas have parsed the inputs and the connection.
      const answers = await untilAborted(group.ask(inputs as never, context as never), signal);
      if (connection.failuresInARow + connection.throttledInARow > 0) await forgetFailures(deps.pg, connectionId);
      deps.metrics.skillCalls.inc({ skill: skillKey, outcome: 'group' });
      return answers.map((answer) => {
        const output = contract.output.safeParse(answer);
        return answer !== null && output.success ? output.data : null;
      });
    } catch (error) {
      if (isSharedFailure(error))
        await recordFailure({ ...asService(deps.db), pg: deps.pg }, { ...connection, skillKey, skillId: contract.title }, error);
      throw scrubError(error, context.connection);
    }
  });
}
