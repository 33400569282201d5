import { ApplicationFailure, Context } from '@temporalio/activity';
import { InvalidSkillInput, SkillError, UnexpectedReply } from '../domain/errors.js';
import type { Metrics } from '../platform/metrics.js';
import { type Catalogue, type Implementation, type SkillContract, type SkillContext, type SkillRequest, skillActivityName } from './connectors/define.js';

type SkillActivity = (request: SkillRequest) => Promise<unknown>;
type AnyImplementation = Readonly<Record<string, (input: never, context: SkillContext) => Promise<unknown>>>;

/** The compiler finds the connector, or the verb, that nobody implemented. */
export type Implementations<Connectors extends Catalogue> = { readonly [Name in keyof Connectors]: Implementation<Connectors[Name]> };

/** The wrapper round every skill: input and output checked, time bounded, errors named, calls counted. */
export function createSkillActivities<Connectors extends Catalogue>(
  connectors: Connectors,
  implementations: Implementations<Connectors>,
  metrics: Metrics,
): Record<string, SkillActivity> {
  const activities: Record<string, SkillActivity> = {};
  for (const [name, connector] of Object.entries(connectors)) {
    const verbs: AnyImplementation = implementations[name as keyof Connectors];
    for (const [verb, contract] of Object.entries(connector.skills)) {
      const perform = verbs[verb];
      if (perform) activities[skillActivityName(name, verb)] = wrapSkill(skillActivityName(name, verb), contract, perform, metrics);
    }
  }
  return activities;
}

function wrapSkill(skill: string, contract: SkillContract, perform: AnyImplementation[string], metrics: Metrics): SkillActivity {
  return async (request) => {
    const endTimer = metrics.skillSeconds.startTimer({ skill });
    try {
      const input = contract.input.safeParse(request.input);
      if (!input.success) throw new InvalidSkillInput(`${contract.title}: ${input.error.message}`);
      // Shorter than the activity's own limit, so that the reason is ours and not a bare time-out.
      const signal = AbortSignal.any([Context.current().cancellationSignal, AbortSignal.timeout(contract.timeoutSeconds * 950)]);
      const output = contract.output.safeParse(await perform(input.data as never, { signal }));
      if (!output.success) throw new UnexpectedReply(`${contract.title}: ${output.error.message}`);
      metrics.skillCalls.inc({ skill, outcome: 'ok' });
      return output.data;
    } catch (error) {
      const failure = toFailure(error);
      metrics.skillCalls.inc({ skill, outcome: failure.type ?? 'error' });
      throw failure;
    } finally {
      endTimer();
    }
  };
}

/** The one edge where errors become Temporal's. */
export function toFailure(error: unknown): ApplicationFailure {
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
