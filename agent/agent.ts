import { setTimeout as delay } from 'node:timers/promises';
import { listSkills, lookUp, parseFields, performSkill, type RunnableSkill, type SkillSet } from '../activities/skills/perform-skill.js';
import { testConnection } from '../activities/skills/test-connection.js';
import { catalogue } from '../connectors/catalogue.js';
import { implementations } from '../connectors/implementations.js';
import type { Catalogue, ConnectorContract } from '../connectors/kit/define.js';
import { Effort } from '../connectors/kit/effort.js';
import type { Egress } from '../connectors/kit/egress.js';
import { hideInReplies } from '../connectors/kit/hide-secrets.js';
import { HttpClient } from '../connectors/kit/http.js';
import type { SkillContext } from '../connectors/kit/implement.js';
import { withTimeLimit } from '../connectors/kit/time-limit.js';
import {
  AGENT_SILENCE_SECONDS,
  AGENT_VERSION,
  ClaimedStep,
  reportedError,
  STEP_REPORT_BYTES,
  type StepReport,
} from '../domain/connection/remote-agent.js';
import { ReplyTooLarge, ThirdPartyError, UnexpectedReply } from '../domain/connection/skill-errors.js';
import { parseSkillInput } from '../domain/connection/skill-io.js';
import { backoffMs } from '../platform/backoff.js';
import type { Logger } from '../platform/log.js';

export interface AgentOptions {
  /** The agent connects only to this API and to third parties. */
  readonly apiUrl: string;
  readonly token: string;
  readonly egress: Egress;
  /** When aborted, the agent claims no more steps, finishes its current ones and returns. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

const MAX_CONCURRENT_STEPS = 4;
const HEARTBEAT_MS = 20_000;
/** The agent drops a step before the service hands it to another agent. */
const LEASE_MS = (AGENT_SILENCE_SECONDS - 10) * 1000;
const REQUEST_TIMEOUT_MS = 45_000;
const HEARTBEAT_TIMEOUT_MS = 10_000;
const BACKOFF = { baseMs: 500, maxMs: 30_000 };
const STOP_GRACE_MS = 10_000;

/** Claims steps, runs them with the same code as a worker and reports the results. Opens no port. */
export async function runAgent({ apiUrl, token, egress, signal, log }: AgentOptions): Promise<void> {
  const httpClient = new HttpClient(egress);
  const abandoning = new AbortController();
  const agent = new Agent({ api: new AgentApi(apiUrl, token), egress, httpClient, abandoning: abandoning.signal, log });
  const running = new Set<Promise<void>>();
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  for (let failures = 0; !signal.aborted; ) {
    if (running.size >= MAX_CONCURRENT_STEPS) {
      await Promise.race([stopped, ...running]);
      continue;
    }
    try {
      const step = await agent.claim(signal);
      failures = 0;
      if (step === null) continue;
      const work = agent.work(step).finally(() => running.delete(work));
      running.add(work);
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      log.warn({ err: error }, 'claiming a step failed; retrying');
      await waitWithBackoff(failures, signal);
    }
  }
  const grace = setTimeout(() => abandoning.abort(), STOP_GRACE_MS);
  await Promise.all(running);
  clearTimeout(grace);
  await httpClient.close();
}

/** The jitter spreads the requests of several agents. */
async function waitWithBackoff(failures: number, signal: AbortSignal): Promise<void> {
  const waitMs = backoffMs(failures, BACKOFF) * (0.5 + Math.random() / 2);
  await delay(waitMs, undefined, { signal }).catch(() => {});
}

class AgentApi {
  readonly #apiUrl: string;
  readonly #token: string;

  constructor(apiUrl: string, token: string) {
    this.#apiUrl = apiUrl.replace(/\/+$/, '');
    this.#token = token;
  }

  async post(path: string, body: unknown, signal: AbortSignal, limitMs = REQUEST_TIMEOUT_MS): Promise<{ status: number; text: string }> {
    return withTimeLimit(limitMs, signal, async (limit) => {
      const response = await fetch(`${this.#apiUrl}/agentapi${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        // A redirect would send the token to another host.
        redirect: 'error',
        signal: limit,
      });
      return { status: response.status, text: await response.text() };
    });
  }
}

class Agent {
  readonly #api: AgentApi;
  readonly #egress: Egress;
  readonly #httpClient: HttpClient;
  readonly #abandoning: AbortSignal;
  readonly #log: Logger;
  readonly #skills: ReadonlyMap<string, RunnableSkill> = new Map(
    listSkills({ catalogue, implementations }).map((skill) => [skill.skillKey, skill]),
  );

  constructor(parts: { api: AgentApi; egress: Egress; httpClient: HttpClient; abandoning: AbortSignal; log: Logger }) {
    this.#api = parts.api;
    this.#egress = parts.egress;
    this.#httpClient = parts.httpClient;
    this.#abandoning = parts.abandoning;
    this.#log = parts.log;
  }

  async claim(signal: AbortSignal): Promise<ClaimedStep | null> {
    const reply = await this.#api.post('/claim', { version: AGENT_VERSION, asks_before_sending: true }, signal);
    if (reply.status === 204) return null;
    if (reply.status === 401) throw new Error('The service rejected AGENT_TOKEN: it is unknown or revoked.');
    if (reply.status !== 200) throw new Error(`The service returned status ${reply.status}.`);
    return ClaimedStep.parse(JSON.parse(reply.text));
  }

  /** Runs a step and reports it. Another agent takes a lost step, so a lost step is not reported. */
  async work(step: ClaimedStep): Promise<void> {
    const log = this.#log.child({ step_id: step.step_id, skill: step.activity_name });
    const lost = new AbortController();
    const over = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#abandoning]);
    const heartbeats = this.#sendHeartbeats(step, over.signal, () => lost.abort());
    try {
      const report = await this.#runStep(step, signal, () => lost.abort());
      if (signal.aborted) return log.warn('lost the step before it ended');
      await this.#deliver(step, report);
      log.info({ outcome: report.outcome }, 'step ended');
    } catch (error) {
      log.error({ err: error }, 'reporting the step failed');
    } finally {
      over.abort();
      await heartbeats;
    }
  }

  async #runStep(step: ClaimedStep, signal: AbortSignal, lose: () => void): Promise<StepReport> {
    const { claim } = step;
    const began = performance.now();
    // A failed lookup says nothing about the earlier attempt.
    let isUnknown = step.mode === 'lookup';
    try {
      const onLookedUp = () => {
        isUnknown = false;
      };
      const output = await this.#perform(step, { signal, lose, onLookedUp });
      requireReportable(output);
      return { outcome: 'ok', claim, output, duration_ms: Math.round(performance.now() - began) };
    } catch (error) {
      const reported = reportedError(error);
      return { outcome: 'failed', claim, error: { ...reported, mayHaveHappened: isUnknown || reported.mayHaveHappened } };
    }
  }

  async #perform(
    step: ClaimedStep,
    { signal, lose, onLookedUp }: { signal: AbortSignal; lose: () => void; onLookedUp: () => void },
  ): Promise<unknown> {
    if (step.mode === 'test') return this.#test(step, signal);
    const skill = this.#skills.get(step.activity_name);
    if (!skill) throw createUnknownError(step.activity_name);
    const input = parseSkillInput(skill.contract, step.input);
    const { requestsPerMinute } = skill.connector;
    const http = this.#httpClient.forConnection({
      connectionId: step.connection.id,
      organization: null,
      requestsPerMinute,
      signal,
      effort: new Effort(step.effort_seconds === null ? undefined : step.effort_seconds * 1000),
      ...(skill.contract.effect === 'write' && step.asks_before_sending
        ? { beforeWrite: () => this.#askBeforeSending(step, signal, lose) }
        : {}),
    });
    const context = createContext(skill.connector, step, { http, signal });
    const run = (perform: RunnableSkill['perform']) => performSkill(skill.contract, perform, input, context, signal);
    const found = step.mode === 'lookup' ? await lookUp(skill, run, step.settles_in_seconds) : null;
    if (found !== null) return found;
    onLookedUp();
    return run(skill.perform);
  }

  async #test(step: ClaimedStep, signal: AbortSignal): Promise<unknown> {
    const { id: connectionId, connector } = step.connection;
    const contracts: Catalogue = catalogue;
    const performers: SkillSet['implementations'] = implementations;
    const [name = '', contract] = Object.entries(contracts).find(([, { kind }]) => kind === connector) ?? [];
    const implementation = performers[name];
    if (!contract || !implementation) throw createUnknownError(connector);
    const clients = { httpClient: this.#httpClient, egress: this.#egress };
    return testConnection({ connectorKey: name, contract, implementation, connectionId, organization: null }, clients, signal, (call) =>
      createContext(contract, step, call),
    );
  }

  /** Throws if the service does not allow the write now. The service then takes the step back. */
  async #askBeforeSending({ step_id, claim }: ClaimedStep, signal: AbortSignal, lose: () => void): Promise<void> {
    const { status } = await this.#api.post(`/steps/${step_id}/sending`, { claim }, signal, HEARTBEAT_TIMEOUT_MS);
    if (status === 204) return;
    if (status === 404 || status === 401) lose();
    throw new ThirdPartyError('Unavailable', `The service did not allow the write now (status ${status}).`, { mayHaveHappened: false });
  }

  /** Loses the step if the service rejects a heartbeat or stays silent for too long. */
  async #sendHeartbeats({ step_id, claim }: ClaimedStep, over: AbortSignal, lose: () => void): Promise<void> {
    for (let heardMs = Date.now(); ; ) {
      await delay(HEARTBEAT_MS, undefined, { signal: over }).catch(() => {});
      if (over.aborted) return;
      const sentMs = Date.now();
      try {
        const { status } = await this.#api.post(`/steps/${step_id}/heartbeat`, { claim }, over, HEARTBEAT_TIMEOUT_MS);
        if (status === 204) heardMs = sentMs;
        else if (status === 404 || status === 401) return lose();
      } catch {
        // The next heartbeat retries.
      }
      if (Date.now() - heardMs + HEARTBEAT_MS >= LEASE_MS) return lose();
    }
  }

  /** Retries until the service accepts the report. */
  async #deliver(step: ClaimedStep, report: StepReport): Promise<void> {
    for (let failures = 0; !this.#abandoning.aborted; ) {
      const status = await this.#api.post(`/steps/${step.step_id}/report`, report, this.#abandoning).then(
        (reply) => reply.status,
        () => null,
      );
      if (status === 204 || status === 404 || status === 401) return;
      if (status !== null && status < 500 && status !== 408 && status !== 429) {
        if (report.outcome === 'failed') throw new Error(`The service rejected a report with status ${status}.`);
        const error = new UnexpectedReply(`The service rejected the answer of the remote agent with status ${status}.`);
        return this.#deliver(step, { outcome: 'failed', claim: step.claim, error: reportedError(error) });
      }
      failures += 1;
      await waitWithBackoff(failures, this.#abandoning);
    }
  }
}

function createUnknownError(what: string): ThirdPartyError {
  return new ThirdPartyError('BadRequest', `The remote agent (version ${AGENT_VERSION}) does not support ${what}.`, {
    resolution: 'Update the remote agent to the version of the service.',
    mayHaveHappened: false,
  });
}

function createContext(
  contract: ConnectorContract,
  { connection, operation_key: operationKey }: ClaimedStep,
  call: Pick<SkillContext, 'http' | 'signal'>,
): SkillContext {
  const refuse = (): never => {
    throw new ThirdPartyError('BadRequest', `The ${contract.title} does not support remote agents.`, {
      resolution: 'Remove the remote agent from this connection.',
      mayHaveHappened: false,
    });
  };
  const unsupported = async () => refuse();
  const credentials = parseFields(contract.credentials, connection.credentials, 'credentials');
  return {
    ...call,
    http: hideInReplies(call.http, contract.credentials, credentials),
    operationKey,
    connection: {
      id: connection.id,
      generation: connection.generation,
      settings: parseFields(contract.settings, connection.settings, 'settings'),
      credentials,
    },
    keepCredential: unsupported,
    readStoredEvents: refuse,
    uuidOf: unsupported,
  };
}

const ENVELOPE_BYTES = 1024;

function requireReportable(output: unknown): void {
  if (Buffer.byteLength(JSON.stringify(output) ?? '') + ENVELOPE_BYTES <= STEP_REPORT_BYTES) return;
  throw new ReplyTooLarge(
    `The answer is larger than ${STEP_REPORT_BYTES / 1024 ** 2} MiB, the most that a remote agent can report. Ask for fewer items.`,
  );
}
