import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineSignal,
  isCancellation,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import { catalogue } from '../activities/connectors/catalogue.js';
import { type Catalogue, type SkillContract, skillActivityName } from '../activities/connectors/kit/define.js';
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
import { fillInput } from '../domain/response/write.js';
import { type Bookkeeping, createBookkeeping } from './lib/bookkeeping.js';
import { callSkill } from './lib/call-skill.js';
import { ConnectionWaiter } from './lib/connection-waiter.js';
import { toRunError, toSkillFailure } from './lib/skill-failure.js';
import { WriteHold } from './lib/write-hold.js';

const changedSignal = defineSignal(PROPOSAL_CHANGED);
/** Clocks differ: what may not begin at this moment may in the next. */
const LOOK_AGAIN_MS = 10_000;
/** A person approved it, so a passing outage does not end it. */
const PATIENCE = 2;
const FIRST_LOOK_SECONDS = 2;

type ProposalEnd = Parameters<ProposalActivities['endProposal']>[1];

/** One write that was proposed: waits for its approvals or its time, sends it once, awaits its end. The row decides, not who woke us. */
export async function proposal({ proposalId }: { proposalId: string }): Promise<{ state: ProposalState; outcome: string | null }> {
  const bookkeeping = createBookkeeping();
  const run = new ProposalRun(proposalId, bookkeeping);
  try {
    return await run.toItsEnd();
  } catch (error) {
    if (isCancellation(error)) {
      const cancelled = { code: 'Cancelled', message: 'Cancelled in Temporal.', third_party_status: null, resolution: null };
      await CancellationScope.nonCancellable(() => bookkeeping.endProposal(proposalId, { error: cancelled }));
    }
    throw error;
  }
}

class ProposalRun {
  readonly #proposalId: string;
  readonly #bookkeeping: Bookkeeping;
  readonly #waiter: ConnectionWaiter;
  readonly #hold: WriteHold;
  #isChanged = false;

  constructor(proposalId: string, bookkeeping: Bookkeeping) {
    this.#proposalId = proposalId;
    this.#bookkeeping = bookkeeping;
    this.#waiter = new ConnectionWaiter(bookkeeping);
    this.#hold = new WriteHold((because) => bookkeeping.holdProposal(proposalId, because));
    setHandler(changedSignal, () => {
      this.#isChanged = true;
      this.#hold.release();
    });
  }

  async toItsEnd(): Promise<{ state: ProposalState; outcome: string | null }> {
    for (;;) {
      this.#isChanged = false;
      const brief = await this.#bookkeeping.readProposal(this.#proposalId);
      if (brief === null) throw ApplicationFailure.nonRetryable('There is no such proposal.', 'NotFound');
      const { state, outcome, expiresAt, runAt } = brief;
      setCurrentDetails(outcome === null ? state : `${state}: ${outcome}`);
      switch (state) {
        case 'waiting':
          if (!(await this.#changesBefore(expiresAt, 'Waiting for a person'))) await this.#bookkeeping.expireProposal(this.#proposalId);
          break;
        case 'scheduled':
          if (!(await this.#changesBefore(runAt, 'Not due yet'))) await this.#sendIfAllowed(brief);
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

  /** False: the time is over and nobody has changed anything. */
  async #changesBefore(atSeconds: number | null, summary: string): Promise<boolean> {
    const waitMs = (atSeconds ?? 0) * 1000 - Date.now();
    return waitMs > 0 && (await condition(() => this.#isChanged, waitMs, { summary }));
  }

  async #sendIfAllowed(brief: ProposalBrief): Promise<void> {
    if (!(await this.#bookkeeping.beginProposal(this.#proposalId))) {
      await condition(() => this.#isChanged, LOOK_AGAIN_MS);
      return;
    }
    const end = await this.#send(brief);
    if (end !== null) await this.#bookkeeping.endProposal(this.#proposalId, end);
  }

  /** null: it was held, and has to be begun again. */
  async #send(brief: ProposalBrief): Promise<ProposalEnd | null> {
    try {
      const reply = await this.#call(brief, brief.verb, brief.input);
      return await this.#endOf(brief, reply);
    } catch (error) {
      if (isCancellation(error) || isBookkeepingFailure(error)) throw error;
      const failure = toSkillFailure(error);
      if (failure?.code !== 'WritesHeld') return { error: toRunError(error) };
      await this.#hold.waitForRelease({ because: failure.message, retryAfterSeconds: failure.facts?.retryAfterSeconds ?? null });
      return null;
    }
  }

  #call(brief: ProposalBrief, verb: string, input: unknown): Promise<SkillReply> {
    return callSkill({
      activityName: skillActivityName(brief.connector, verb),
      contract: requireContract(brief, verb),
      connection: brief.connection,
      request: {
        connectionId: brief.connection.connectionId,
        operationKey: proposalOperationKey(this.#proposalId),
        alertId: brief.alertId,
        runId: null,
        input,
      },
      retryCount: PATIENCE,
      waiter: this.#waiter,
    });
  }

  /** Looks at what was started until it has ended, ever less often. */
  async #endOf(brief: ProposalBrief, { resultId, output }: SkillReply): Promise<ProposalEnd> {
    const { title, ends } = requireContract(brief, brief.verb);
    const done = (outcome: string) => ({ resultId, outcome: `${title}: ${outcome}` });
    if (ends === undefined) return done('accepted');
    const question = fillInput(ends.input, { input: brief.input, output });
    let status = String(valuesAt(output, ends.path)[0] ?? 'unknown');
    let waitSeconds = FIRST_LOOK_SECONDS;
    for (let waitedSeconds = 0; waitedSeconds <= ends.atMostSeconds; waitedSeconds += waitSeconds) {
      if (ends.success.includes(status)) return done(status);
      if (ends.failure.includes(status)) return { error: badEnd(status) };
      waitSeconds = Math.min(ends.everySeconds, waitedSeconds === 0 ? FIRST_LOOK_SECONDS : waitSeconds * 2);
      await sleep(waitSeconds * 1000, { summary: `${title}: ${status}` });
      try {
        const looked = await this.#call(brief, ends.verb, question);
        status = String(valuesAt(looked.output, ends.path)[0] ?? 'unknown');
      } catch (error) {
        const failure = toSkillFailure(error);
        if (failure === null || isBookkeepingFailure(error)) throw error;
        // It was sent, which is what counts; an outage is waited for.
        if (!PASSING.has(failure.code)) return done(`sent; how it ended cannot be read: ${failure.message}`);
      }
    }
    return done(`sent; after ${Math.round(ends.atMostSeconds / 3600)} hours it is still ${status}`);
  }
}

const PASSING: ReadonlySet<string> = new Set(['Unavailable', 'SkillTimedOut', 'RateLimited', 'CircuitOpen']);

function badEnd(status: string): SkillRunError {
  return { code: ACTION_FAILED, message: `The third party ended it as ${status}.`, third_party_status: null, resolution: null };
}

/** What could not be written down is no outcome: the run is begun again, and finds by its key what it has sent. */
function isBookkeepingFailure(error: unknown): boolean {
  return error instanceof ActivityFailure && !error.activityType.includes('.');
}

function requireContract({ connector }: ProposalBrief, verb: string): SkillContract {
  const connectors: Catalogue = catalogue;
  const contract = connectors[connector]?.skills[verb];
  if (!contract) throw ApplicationFailure.nonRetryable(`There is no skill ${connector}.${verb}.`, 'UnknownSkill');
  return contract;
}
