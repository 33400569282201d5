import {
  ApplicationFailure,
  CancellationScope,
  ContinueAsNew,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { catalogue } from '../connectors/catalogue.js';
import type { Catalogue, SkillContract } from '../connectors/kit/define.js';
import type { AffectedAssets } from '../domain/connection/affected-assets.js';
import type { SkillReply, SkillRunError } from '../domain/connection/skill.js';
import { valuesAt } from '../domain/playbook/conditions.js';
import {
  ACTION_FAILED,
  PROPOSAL_CHANGED,
  type ProposalActivities,
  type ProposalBrief,
  type ProposalState,
  proposalOperationKey,
} from '../domain/response/proposal.js';
import { type ActionEnd, fillInput, showsDone } from '../domain/response/write.js';
import { toSkillKey } from '../domain/skill-key.js';
import { escapeMarkdown, escapeMarkdownLines } from '../domain/text.js';
import { findAffectedAssets } from './lib/affected-assets.js';
import { type Bookkeeping, createBookkeeping, isBookkeepingFailure } from './lib/bookkeeping.js';
import { callSkill, type Renewal, type SkillCall } from './lib/call-skill.js';
import { ConnectionWaiter } from './lib/connection-waiter.js';
import { patched } from './lib/patched.js';
import { toRunError, toSkillFailure } from './lib/skill-failure.js';
import { WriteHold } from './lib/write-hold.js';

const changedSignal = defineSignal(PROPOSAL_CHANGED);
/** The clocks of the worker and the database differ slightly. */
const RECHECK_MS = 10_000;
/** A person approved the write, so it survives a short outage. */
const RETRY_COUNT = 2;
const FIRST_POLL_SECONDS = 2;
/** A third party that does not answer must not delay an approved write for long. */
const MAX_CHECK_MS = 60_000;

/** A proposal can wait and check for days. Temporal ends a run at 51,200 events. */
const MAX_EVENTS = 5_000;

interface ProposalInput {
  readonly proposalId: string;
  /** Default: 5,000. */
  readonly maxEvents?: number;
}

type ProposalEnd = Parameters<ProposalActivities['endProposal']>[1];

/**
 * Runs one proposed write: waits for its approvals or its time, sends it once and waits for its outcome. The stored row decides, so a
 * run with a long history continues as a new one.
 */
export async function proposal(input: ProposalInput): Promise<{ state: ProposalState; outcome: string | null }> {
  const { proposalId } = input;
  const bookkeeping = createBookkeeping();
  const run = new ProposalRun(input, bookkeeping);
  try {
    return await run.runToEnd();
  } catch (error) {
    if (isCancellation(error)) {
      const cancelled = { code: 'Cancelled', message: 'Cancelled in Temporal.', third_party_status: null, resolution: null };
      await CancellationScope.nonCancellable(() => bookkeeping.endProposal(proposalId, { error: cancelled }));
    }
    throw error;
  }
}

type Patience = Pick<SkillCall, 'retryCount' | 'waiter' | 'renewal'>;

class ProposalRun {
  readonly #proposalId: string;
  readonly #bookkeeping: Bookkeeping;
  readonly #waiter: ConnectionWaiter;
  readonly #hold: WriteHold;
  readonly #renewal: Renewal;
  #isChanged = false;

  constructor(input: ProposalInput, bookkeeping: Bookkeeping) {
    const { proposalId, maxEvents = MAX_EVENTS } = input;
    this.#proposalId = proposalId;
    this.#renewal = {
      isDue: () => workflowInfo().historyLength > maxEvents && patched('renewed-proposal'),
      renew: () => continueAsNew<typeof proposal>(input),
    };
    this.#bookkeeping = bookkeeping;
    this.#waiter = new ConnectionWaiter(bookkeeping);
    this.#hold = new WriteHold((because) => bookkeeping.holdProposal(proposalId, because));
    setHandler(changedSignal, () => {
      this.#isChanged = true;
      this.#hold.release();
    });
  }

  async runToEnd(): Promise<{ state: ProposalState; outcome: string | null }> {
    for (;;) {
      if (this.#renewal.isDue()) await this.#renewal.renew();
      this.#isChanged = false;
      const brief = await this.#bookkeeping.readProposal(this.#proposalId);
      if (brief === null) throw ApplicationFailure.nonRetryable('The proposal does not exist.', 'NotFound');
      const { state, outcome, runAt } = brief;
      setCurrentDetails(outcome === null ? state : `${state}: ${escapeMarkdownLines(outcome)}`);
      switch (state) {
        case 'waiting':
          await this.#waitForDecision(brief);
          break;
        case 'scheduled':
          if (!(await this.#changesBefore(runAt, 'Scheduled'))) await this.#sendIfAllowed(brief);
          break;
        case 'approved':
        case 'running':
          await this.#sendIfAllowed(brief);
          break;
        default:
          return { state, outcome };
      }
    }
  }

  /** Ends the proposal if it expires, or if a person does the write at the third party. */
  async #waitForDecision(brief: ProposalBrief): Promise<void> {
    const expiresAt = brief.expiresAt ?? 0;
    const checkAt = Date.now() / 1000 + (brief.check?.everySeconds ?? Number.POSITIVE_INFINITY);
    if (await this.#changesBefore(Math.min(expiresAt, checkAt), 'Needs approval')) return;
    if (expiresAt <= checkAt) await this.#bookkeeping.expireProposal(this.#proposalId);
    else await this.#withdrawIfDone(brief);
  }

  async #withdrawIfDone(brief: ProposalBrief): Promise<void> {
    if (await this.#isDone(brief)) await this.#bookkeeping.withdrawDone(this.#proposalId);
  }

  /** A question without an answer delays nothing. */
  async #isDone(brief: ProposalBrief): Promise<boolean> {
    const { doneWhen } = requireContract(brief, brief.verb);
    if (doneWhen === undefined || brief.check === undefined) return false;
    try {
      const question = fillInput(doneWhen.input, { input: brief.input, proposedAt: brief.check.proposedAt });
      const ask = () => this.#call(brief, doneWhen.verb, question, { retryCount: 0, waiter: null });
      return showsDone(doneWhen, (await CancellationScope.withTimeout(MAX_CHECK_MS, ask)).output);
    } catch (error) {
      if (isBookkeepingFailure(error) || CancellationScope.current().consideredCancelled) throw error;
      return false;
    }
  }

  /** Returns false if the time is reached without a change. */
  async #changesBefore(atSeconds: number | null, summary: string): Promise<boolean> {
    const waitMs = (atSeconds ?? 0) * 1000 - Date.now();
    return waitMs > 0 && (await condition(() => this.#isChanged, waitMs, { summary }));
  }

  async #sendIfAllowed(brief: ProposalBrief): Promise<void> {
    // A run that was interrupted while it sent the write finds its own write by the operation key.
    if (brief.state !== 'running' && (await this.#isDone(brief))) return this.#bookkeeping.withdrawDone(this.#proposalId);
    const isGuarded = brief.state !== 'running' && brief.manual?.isGuarded === true;
    const assets = isGuarded ? [await this.#findAssets(brief)] : [];
    if (!(await this.#bookkeeping.beginProposal(this.#proposalId, ...assets))) {
      await condition(() => this.#isChanged, RECHECK_MS);
      return;
    }
    const end = await this.#send(brief);
    if (end !== null) await this.#bookkeeping.endProposal(this.#proposalId, end);
  }

  #findAssets(brief: ProposalBrief): Promise<AffectedAssets | null> {
    return findAffectedAssets(requireContract(brief, brief.verb), brief.input, async (verb, input) => {
      const { renewal: _, ...patience } = this.#patience(brief);
      const { output, truncated } = await this.#call(brief, verb, input, patience);
      return { output, isComplete: !truncated };
    });
  }

  /** Returns null if the response rules held the write. It must begin again. */
  async #send(brief: ProposalBrief): Promise<ProposalEnd | null> {
    try {
      const reply = await this.#call(brief, brief.verb, brief.input, this.#patience(brief));
      return await this.#waitForOutcome(brief, reply);
    } catch (error) {
      if (isCancellation(error) || isBookkeepingFailure(error) || error instanceof ContinueAsNew) throw error;
      const failure = toSkillFailure(error);
      if (failure?.code !== 'WritesHeld') return { error: toRunError(error) };
      await this.#hold.waitForRelease({ because: failure.message, retryAfterSeconds: failure.facts?.retryAfterSeconds ?? null });
      return null;
    }
  }

  /** The person who requested a manual write sees at once that it fails. A renewed run finds its own write by the operation key. */
  #patience(brief: ProposalBrief): Patience {
    return brief.manual ? { retryCount: 0, waiter: null } : { retryCount: RETRY_COUNT, waiter: this.#waiter, renewal: this.#renewal };
  }

  #call(brief: ProposalBrief, verb: string, input: unknown, patience: Patience): Promise<SkillReply> {
    return callSkill({
      skillKey: toSkillKey(brief.connector, verb),
      contract: requireContract(brief, verb),
      connection: brief.connection,
      request: {
        connectionId: brief.connection.connectionId,
        operationKey: proposalOperationKey(this.#proposalId, { isManual: brief.alertId === null }),
        alertId: brief.alertId,
        runId: null,
        input,
      },
      ...patience,
    });
  }

  /** Polls the third party with growing intervals until the action has ended. */
  async #waitForOutcome(brief: ProposalBrief, { resultId, output }: SkillReply): Promise<ProposalEnd> {
    const { title, ends } = requireContract(brief, brief.verb);
    const done = (outcome: string) => ({ resultId, outcome: `${title}: ${outcome}` });
    if (ends === undefined || brief.manual) return done('accepted');
    const question = fillInput(ends.input, { input: brief.input, output });
    let status = String(valuesAt(output, ends.path)[0] ?? 'unknown');
    let waitSeconds = FIRST_POLL_SECONDS;
    for (let waitedSeconds = 0; waitedSeconds <= ends.atMostSeconds; waitedSeconds += waitSeconds) {
      if (ends.success.includes(status)) return done(`${status}${describeResult(brief, ends, question)}`);
      if (ends.failure.includes(status)) return { error: toFailedAction(status) };
      waitSeconds = Math.min(ends.everySeconds, waitedSeconds === 0 ? FIRST_POLL_SECONDS : waitSeconds * 2);
      await sleep(waitSeconds * 1000, { summary: `${title}: ${escapeMarkdown(status)}` });
      try {
        const reply = await this.#call(brief, ends.verb, question, this.#patience(brief));
        status = String(valuesAt(reply.output, ends.path)[0] ?? 'unknown');
      } catch (error) {
        const failure = toSkillFailure(error);
        if (failure === null || isBookkeepingFailure(error)) throw error;
        // The write was sent. An outage only delays the outcome.
        if (!TRANSIENT_CODES.has(failure.code)) return done(`sent; the outcome could not be read: ${failure.message}`);
      }
    }
    return done(`sent; still ${status} after ${Math.round(ends.atMostSeconds / 3600)} hours`);
  }
}

/** Names the skill that returns the result. The link to a result is a secret for a short time, so it is not stored here. */
function describeResult(brief: ProposalBrief, { resultFrom }: ActionEnd, question: Record<string, unknown>): string {
  if (resultFrom === undefined) return '';
  return `. Run "${requireContract(brief, resultFrom).title}" for the result of action ${Object.values(question).join(', ')}`;
}

const TRANSIENT_CODES: ReadonlySet<string> = new Set(['Unavailable', 'SkillTimedOut', 'RateLimited', 'CircuitOpen']);

function toFailedAction(status: string): SkillRunError {
  return { code: ACTION_FAILED, message: `The third party reported the status ${status}.`, third_party_status: null, resolution: null };
}

function requireContract({ connector }: ProposalBrief, verb: string): SkillContract {
  const connectors: Catalogue = catalogue;
  const contract = connectors[connector]?.skills[verb];
  if (!contract) throw ApplicationFailure.nonRetryable(`Unknown skill ${connector}.${verb}.`, 'UnknownSkill');
  return contract;
}
