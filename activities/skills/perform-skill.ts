import {
  describeIssues,
  InvalidSkillInput,
  OutcomeUnknown,
  SkillError,
  SkillTimedOut,
  ThirdPartyError,
  UnexpectedReply,
} from '../../domain/connection/skill-errors.js';
import { clip } from '../../domain/text.js';
import { untilAborted } from '../../platform/abort.js';
import type { Catalogue, ConnectorContract, SkillContract } from '../connectors/kit/define.js';
import type { ConnectionTest, OpenConnection, SkillContext } from '../connectors/kit/implement.js';
import { withTimeLimit } from '../connectors/kit/time-limit.js';

type Perform = (input: never, context: SkillContext<never>) => Promise<unknown>;

/** Connectors and the code that performs them; whoever lists them has the compiler compare the two. */
export interface SkillSet {
  readonly catalogue: Catalogue;
  readonly implementations: Readonly<
    Record<
      string,
      {
        readonly skills: Readonly<Record<string, Perform>>;
        readonly lookups?: Readonly<Record<string, Perform | undefined>>;
        test(context: SkillContext<never>): Promise<ConnectionTest>;
      }
    >
  >;
}

/** One skill, found by the name its activity has in Temporal. */
export interface KnownSkill {
  readonly activityName: string;
  readonly connector: ConnectorContract;
  readonly contract: SkillContract;
  readonly perform: Perform;
  /** For a write whose outcome can be found out. */
  readonly lookup: Perform | null;
}

export function listSkills({ catalogue, implementations }: SkillSet): KnownSkill[] {
  return Object.entries(catalogue).flatMap(([name, connector]) =>
    Object.entries(connector.skills).map(([verb, contract]) => {
      const activityName = `${name}.${verb}`;
      const perform = implementations[name]?.skills[verb];
      if (!perform) throw new Error(`${activityName} has no implementation`);
      return { activityName, connector, contract, perform, lookup: implementations[name]?.lookups?.[verb] ?? null };
    }),
  );
}

export function parseInput(contract: SkillContract, input: unknown): unknown {
  const parsed = contract.input.safeParse(input);
  if (!parsed.success) throw new InvalidSkillInput(`${contract.title}: ${describeIssues(parsed.error)}`);
  return parsed.data;
}

/** The definition may have grown since the connection was made. */
export function parseFields(
  schema: ConnectorContract['settings'],
  value: unknown,
  what: 'settings' | 'credentials',
): Record<string, unknown> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ThirdPartyError('BadRequest', `The connection's ${what} are not complete: ${describeIssues(parsed.error)}`, {
    resolution: `Edit the connection's ${what}.`,
    mayHaveHappened: false,
  });
}

/**
 * The same for a worker and for a remote agent: time bounded, reply checked, errors named and scrubbed. What was asked has
 * been parsed by the contract's own schema before.
 */
export async function performSkill(
  contract: SkillContract,
  perform: Perform,
  input: unknown,
  context: SkillContext,
  signal: AbortSignal,
): Promise<unknown> {
  // Shorter than the activity's own limit, so that the reason is ours and not a bare time-out.
  return withTimeLimit(contract.timeoutSeconds * 950, signal, async (bounded) => {
    try {
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: the contract's own schemas have parsed input and connection.
      const performed = perform(input as never, { ...context, signal: bounded } as unknown as SkillContext<never>);
      // Code that does not listen to its signal must not hold a worker that wants to stop.
      const reply = await untilAborted(performed, bounded);
      if (reply === null) return null;
      const output = contract.output.safeParse(reply);
      if (!output.success) throw new UnexpectedReply(`${contract.title}: ${describeIssues(output.error)}`);
      return output.data;
    } catch (error) {
      if (signal.aborted && signal.reason instanceof Error) throw signal.reason;
      if (bounded.aborted) throw new SkillTimedOut(`${contract.title} did not end within ${contract.timeoutSeconds} seconds.`);
      throw scrubbed(error, context.connection);
    }
  });
}

/** What an earlier try of a write did; null where it surely did not happen. Where that cannot be told, a person decides. */
export async function lookUp(
  { contract, lookup }: KnownSkill,
  run: (how: Perform) => Promise<unknown>,
  settlesInSeconds: number,
): Promise<unknown> {
  if (lookup === null)
    throw new OutcomeUnknown(
      `${contract.title} was tried before and its outcome is not known: look at the third party before trying again.`,
    );
  const found = await run(lookup);
  if (found === null && settlesInSeconds > 0)
    throw new ThirdPartyError('Unavailable', `Whether ${contract.title} happened cannot be told yet.`, {
      retryAfterSeconds: settlesInSeconds,
    });
  return found;
}

/** A message may repeat what a third party said, which may repeat what we sent: no secret of the connection survives here. */
export function scrubbed(error: unknown, connection: Pick<OpenConnection, 'credentials'>): unknown {
  if (!(error instanceof Error)) return error;
  const clean = (text: string) => scrubText(text, connection.credentials);
  if (error instanceof ThirdPartyError) {
    const { code, status, resolution, retryAfterSeconds, mayHaveHappened } = error;
    return new ThirdPartyError(code, clean(error.message), {
      mayHaveHappened,
      ...(status === undefined ? {} : { status }),
      ...(resolution === undefined ? {} : { resolution: clean(resolution) }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  if (error instanceof SkillError) {
    error.message = clean(error.message);
    return error;
  }
  return new Error(clip(clean(error.message), 500));
}

export function scrubText(text: string, credentials: Readonly<Record<string, unknown>>): string {
  let clean = text.replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [hidden]').replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[hidden]');
  for (const value of secretValues(credentials)) clean = clean.replaceAll(value, '[hidden]');
  return clean;
}

/** Every string a credential holds, in the forms it may travel in. Short ones would blank out ordinary words. */
function secretValues(value: unknown): string[] {
  if (typeof value === 'string') return value.length < 6 ? [] : [value, encodeURIComponent(value), Buffer.from(value).toString('base64')];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(secretValues);
  return [];
}
