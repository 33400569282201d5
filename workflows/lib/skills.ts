import type { Catalogue, ConnectorContract, SkillContract, SkillInput, SkillOutput } from '../../connectors/kit/define.js';
import {
  type ChosenConnection,
  type ConnectionActivities,
  GAP_ERROR_CODES,
  OUTAGE_ERROR_CODES,
  type SkillReply,
  type SkillRequest,
} from '../../domain/connection/skill.js';
import type { UnansweredQuestion } from '../../domain/investigation/investigation.js';
import { type SkillKey, toSkillKey } from '../../domain/skill-key.js';
import type { EvidenceSource } from '../../domain/verdict/evidence.js';
import { rememberAnswer } from './answer-source.js';
import { checkCall } from './author-values.js';
import { callSkill } from './call-skill.js';
import { ConnectionWaiter } from './connection-waiter.js';
import { EffortLimit } from './effort-limit.js';
import type { CallLimit } from './run-limits.js';
import { toSkillFailure, toTimeout } from './skill-failure.js';

interface CallOptions {
  /** The instance name of a connection. Default: the organization's default connection of the kind. */
  readonly connection?: string;
}

type ReadVerb<Connector extends ConnectorContract> = {
  [Verb in keyof Connector['skills']]: Connector['skills'][Verb]['effect'] extends 'write' ? never : Verb;
}[keyof Connector['skills']];

/**
 * The reads that a playbook calls: `await skills.threatIntelligence.getEnrichment({…})`. A call returns null if there is no
 * answer; the evidence then holds a gap with the reason. For writes, see `Proposals`.
 */
export type Skills<Connectors extends Catalogue> = {
  readonly [Name in keyof Connectors]: {
    readonly [Verb in ReadVerb<Connectors[Name]>]: (
      input: SkillInput<Connectors[Name]['skills'][Verb]>,
      options?: CallOptions,
    ) => Promise<SkillOutput<Connectors[Name]['skills'][Verb]> | null>;
  };
};

/** A question without an answer. */
export interface Gap {
  readonly title: string;
  readonly reason: string;
  readonly source: EvidenceSource;
  /** Set if asking again later can help. */
  readonly unanswered?: UnansweredQuestion;
  /** Whether another attempt of the investigation can help too: the third party could not answer now. */
  readonly isOutage?: boolean;
}

/** An answer of a third party that says: there is no such record. */
export interface NotFound {
  /** The title of the skill. */
  readonly title: string;
  readonly reason: string;
  readonly source: EvidenceSource;
  readonly input: unknown;
}

export interface Answer {
  readonly source: EvidenceSource;
  readonly input: unknown;
  /** The part of the answer that the history holds. */
  readonly output: unknown;
}

export interface SkillCaller {
  readonly alertId: string;
  readonly investigationNo: number;
  /** Earlier attempts of the investigation. Each one makes the retry policy of a skill more patient. */
  readonly retryCount: number;
  /** How long the investigation waits for each third party that is down, and how long its calls may take in all. */
  readonly patienceSeconds: number;
  /** The source calls the alert severe. */
  readonly isSevere?: boolean;
  readonly bookkeeping: ConnectionActivities;
  /** Absent for a stored plan: its schema limits its calls. */
  readonly callLimit?: CallLimit | undefined;
  /** The default connections by kind. The bookkeeping finds those that a call names. */
  readonly defaults: Readonly<Record<string, ChosenConnection>>;
  onGap(gap: Gap): void;
  /** The third party does not know what it was asked about. */
  onNotFound(answer: NotFound): void;
  onAnswer(answer: Answer): void;
}

/** Creates a typed proxy for each read. A call ends with an answer, a gap (null) or an error. */
export function createSkills<Connectors extends Catalogue>(connectors: Connectors, caller: SkillCaller): Skills<Connectors> {
  const waiter = new ConnectionWaiter(caller.bookkeeping);
  const effort = new EffortLimit(caller.patienceSeconds);
  const findConnection = createConnectionFinder(caller);
  const callCounts = new Map<string, number>();

  const createProxy = (connector: ConnectorContract, skillKey: SkillKey, contract: SkillContract) => {
    return async (input: unknown, options: CallOptions = {}): Promise<unknown> => {
      caller.callLimit?.countCall();
      checkCall(`skills.${skillKey}`, input, options.connection);
      const count = (callCounts.get(skillKey) ?? 0) + 1;
      callCounts.set(skillKey, count);
      const source = { connector: connector.kind, connection: options.connection ?? null, skill_id: contract.title, skill_key: skillKey };
      const connection =
        options.connection === undefined
          ? (caller.defaults[connector.kind] ?? null)
          : await findConnection(connector.kind, options.connection);
      if (connection === null) {
        const name = options.connection === undefined ? '' : ` named ${options.connection}`;
        caller.onGap({
          title: `${contract.title}: not asked`,
          reason: `The organization has no connection to the ${connector.title}${name}. Add one to answer this question.`,
          source,
        });
        return null;
      }
      const request: SkillRequest = {
        connectionId: connection.connectionId,
        operationKey: `${caller.alertId}/${caller.investigationNo}/${skillKey}/${count}`,
        alertId: caller.alertId,
        runId: null,
        input,
        mayReuse: true,
        ...(caller.isSevere ? { isSevere: true } : {}),
      };
      try {
        const reply = await callSkill({ skillKey, contract, connection, request, retryCount: caller.retryCount, waiter, effort });
        const answeredBy = toSource(source, reply);
        caller.onAnswer({ source: answeredBy, input, output: reply.output });
        rememberAnswer(reply.output, answeredBy, reply.truncated, input);
        return reply.output;
      } catch (error) {
        const failure = toSkillFailure(error) ?? toTimeout(error, connection);
        const isOutage = failure !== null && OUTAGE_ERROR_CODES.has(failure.code);
        if (failure === null || (!isOutage && !GAP_ERROR_CODES.has(failure.code))) throw error;
        const { connectionId, instanceName } = connection;
        if (failure.code === 'NotFound') {
          const answeredBy = { ...source, connection: instanceName };
          caller.onNotFound({ title: contract.title, reason: failure.message, source: answeredBy, input });
          return null;
        }
        // The same question would get the same reply, whatever another question of the skill gets.
        const startsEarly = failure.code !== 'ReplyTooLarge';
        const resolution = failure.facts?.resolution ?? null;
        caller.onGap({
          title: `${contract.title}: no answer`,
          reason: resolution === null ? failure.message : `${failure.message} ${resolution}`,
          source: { ...source, connection: instanceName },
          ...(isOutage ? { unanswered: { connectionId, instanceName, skillKey, skillId: contract.title, startsEarly } } : {}),
          isOutage: isOutage && failure.code !== 'Misconfigured',
        });
        return null;
      }
    };
  };

  const proxies = Object.entries(connectors).map(([name, connector]) => [
    name,
    Object.fromEntries(
      Object.entries(connector.skills)
        .filter(([, { effect }]) => effect === 'read')
        .map(([verb, contract]) => [verb, createProxy(connector, toSkillKey(name, verb), contract)]),
    ),
  ]);
  return Object.fromEntries(proxies);
}

/** Asks once for each kind and instance name. */
function createConnectionFinder({ alertId, bookkeeping }: SkillCaller) {
  const found = new Map<string, Promise<ChosenConnection | null>>();
  return (kind: string, instanceName: string): Promise<ChosenConnection | null> => {
    const key = `${kind} ${instanceName}`;
    const connection = found.get(key) ?? bookkeeping.resolveConnection({ alertId, kind, instanceName });
    found.set(key, connection);
    return connection;
  };
}

function toSource(source: EvidenceSource, reply: SkillReply): EvidenceSource {
  return {
    ...source,
    connection: reply.instanceName,
    result_id: reply.resultId,
    ...(reply.reused ? { reused: true } : {}),
    ...(reply.copiedAt === undefined ? {} : { copied_at: Math.floor(reply.copiedAt) }),
  };
}
