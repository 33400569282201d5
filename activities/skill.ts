import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { z } from 'zod';
import { InvalidSkillInput, SkillError, SkillTimedOut, UnexpectedReply } from '../domain/errors.js';
import type { Metrics } from '../platform/metrics.js';
import { type Catalogue, type SkillContext, type SkillContract, type SkillRequest, skillActivityName } from './connectors/define.js';

type SkillActivity = (request: SkillRequest) => Promise<unknown>;
type Perform = (input: never, context: SkillContext) => Promise<unknown>;

/** Connectors and the code that performs them; whoever lists them has the compiler compare the two. */
export interface SkillSet {
  readonly catalogue: Catalogue;
  readonly implementations: Readonly<Record<string, Readonly<Record<string, Perform>>>>;
}

/** The wrapper round every skill: input and output checked, time bounded, errors named, calls counted. */
export function createSkillActivities({ catalogue, implementations }: SkillSet, metrics: Metrics): Record<string, SkillActivity> {
  const activities: Record<string, SkillActivity> = {};
  for (const [name, connector] of Object.entries(catalogue)) {
    for (const [verb, contract] of Object.entries(connector.skills)) {
      const skill = skillActivityName(name, verb);
      const perform = implementations[name]?.[verb];
      if (!perform) throw new Error(`${skill} has no implementation`);
      activities[skill] = wrapSkill(skill, contract, perform, metrics);
    }
  }
  return activities;
}

function wrapSkill(skill: string, contract: SkillContract, perform: Perform, metrics: Metrics): SkillActivity {
  return async (request) => {
    const endTimer = metrics.skillSeconds.startTimer({ skill });
    try {
      const output = await performWithin(contract, perform, request);
      metrics.skillCalls.inc({ skill, outcome: 'ok' });
      return output;
    } catch (error) {
      if (error instanceof CancelledFailure) throw error;
      const failure = toFailure(error);
      metrics.skillCalls.inc({ skill, outcome: failure.type ?? 'error' });
      throw failure;
    } finally {
      endTimer();
    }
  };
}

async function performWithin(contract: SkillContract, perform: Perform, request: SkillRequest): Promise<unknown> {
  const input = contract.input.safeParse(request.input);
  if (!input.success) throw new InvalidSkillInput(`${contract.title}: ${z.prettifyError(input.error)}`);
  const { cancellationSignal, cancelled } = Context.current();
  // Shorter than the activity's own limit, so that the reason is ours and not a bare time-out.
  const timeLimit = AbortSignal.timeout(contract.timeoutSeconds * 950);
  const signal = AbortSignal.any([cancellationSignal, timeLimit]);
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: the contract's own schema has just parsed it.
  const performed = perform(input.data as never, { signal });
  // Code that does not listen to its signal must not hold a worker that wants to stop.
  const reply = await Promise.race([performed, cancelled, timedOut(timeLimit, contract)]);
  const output = contract.output.safeParse(reply);
  if (!output.success) throw new UnexpectedReply(`${contract.title}: ${z.prettifyError(output.error)}`);
  return output.data;
}

function timedOut(timeLimit: AbortSignal, contract: SkillContract): Promise<never> {
  return new Promise((_, reject) => {
    timeLimit.addEventListener(
      'abort',
      () => reject(new SkillTimedOut(`${contract.title} did not end within ${contract.timeoutSeconds} seconds.`)),
      { once: true },
    );
  });
}

/** The one edge where errors become Temporal's. */
function toFailure(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof SkillError) {
    return ApplicationFailure.create({
      type: error.code,
      message: error.message,
      nonRetryable: !error.retryable,
      ...(error.retryAfterSeconds === undefined ? {} : { nextRetryDelay: error.retryAfterSeconds * 1000 }),
    });
  }
  return ApplicationFailure.create({ type: 'UnexpectedError', message: error instanceof Error ? error.message : String(error) });
}
