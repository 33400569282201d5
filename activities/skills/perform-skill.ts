import type { Catalogue, ConnectorContract, SkillContract } from '../../connectors/kit/define.js';
import { listTexts, Secrets } from '../../connectors/kit/hide-secrets.js';
import type { ConnectionTest, EventStream, OpenConnection, QuestionGroup, SkillContext } from '../../connectors/kit/implement.js';
import { withTimeLimit } from '../../connectors/kit/time-limit.js';
import { describeIssues, OutcomeUnknown, SkillError, SkillTimedOut, ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { parseSkillOutput } from '../../domain/connection/skill-io.js';
import type { ListCopy } from '../../domain/record/list-copy.js';
import { type SkillKey, toSkillKey } from '../../domain/skill-key.js';
import { clip } from '../../domain/text.js';
import { untilAborted } from '../../platform/abort.js';

type Perform = (input: never, context: SkillContext<never>) => Promise<unknown>;

type Group = QuestionGroup<never, unknown, SkillContext<never>>;

/** Connector contracts and their implementations. */
export interface SkillSet {
  readonly catalogue: Catalogue;
  readonly implementations: Readonly<
    Record<
      string,
      {
        readonly skills: Readonly<Record<string, Perform>>;
        readonly lookups?: Readonly<Record<string, Perform | undefined>>;
        readonly groups?: Readonly<Record<string, Group | undefined>>;
        readonly copies?: readonly ListCopy[];
        openStream?(credential: unknown): EventStream;
        test(context: SkillContext<never>): Promise<ConnectionTest>;
      }
    >
  >;
}

export interface RunnableSkill {
  /** Also the name of its activity. */
  readonly skillKey: SkillKey;
  readonly connector: ConnectorContract;
  readonly contract: SkillContract;
  readonly perform: Perform;
  /** Finds the outcome of an earlier write. null: the connector cannot look it up. */
  readonly lookup: Perform | null;
  /** null: each question needs a call. */
  readonly group: Group | null;
}

export function listSkills({ catalogue, implementations }: SkillSet): RunnableSkill[] {
  return Object.entries(catalogue).flatMap(([name, connector]) =>
    Object.entries(connector.skills).map(([verb, contract]) => {
      const skillKey = toSkillKey(name, verb);
      const perform = implementations[name]?.skills[verb];
      if (!perform) throw new Error(`The skill ${skillKey} has no implementation.`);
      const { lookups = {}, groups = {} } = implementations[name] ?? {};
      return { skillKey, connector, contract, perform, lookup: lookups[verb] ?? null, group: groups[verb] ?? null };
    }),
  );
}

/** A connection may be older than a required field of its connector. */
export function parseFields(
  schema: ConnectorContract['settings'],
  value: unknown,
  what: 'settings' | 'credentials',
): Record<string, unknown> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ThirdPartyError('Misconfigured', `The connection's ${what} are incomplete: ${describeIssues(parsed.error)}`, {
    resolution: `Edit the connection's ${what}.`,
    mayHaveHappened: false,
  });
}

/** Runs a skill on a worker or a remote agent: limits its time, checks its reply and removes secrets from its errors. */
export async function performSkill(
  contract: SkillContract,
  perform: Perform,
  input: unknown,
  context: SkillContext,
  signal: AbortSignal,
): Promise<unknown> {
  // Shorter than the activity timeout, so that the error names the skill.
  return withTimeLimit(contract.timeoutSeconds * 950, signal, async (bounded) => {
    try {
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: the contract's own schemas have parsed input and connection.
      const performed = perform(input as never, { ...context, signal: bounded } as unknown as SkillContext<never>);
      // A skill that ignores its signal must not delay the shutdown of the worker.
      const reply = await untilAborted(performed, bounded);
      return reply === null ? null : parseSkillOutput(contract, reply);
    } catch (error) {
      if (signal.aborted && signal.reason instanceof Error) throw signal.reason;
      if (bounded.aborted) throw new SkillTimedOut(`${contract.title} timed out after ${contract.timeoutSeconds} seconds.`);
      throw scrubError(error, context.connection);
    }
  });
}

/** Finds the outcome of an earlier write. Returns null if the write did not happen, and throws if the outcome is unknown. */
export async function lookUp(
  { contract, lookup }: RunnableSkill,
  run: (perform: Perform) => Promise<unknown>,
  settlesInSeconds: number,
): Promise<unknown> {
  if (lookup === null)
    throw new OutcomeUnknown(
      `${contract.title} was sent earlier and its outcome is unknown. Check it at the third party before you try again.`,
    );
  const found = await run(lookup);
  if (found === null && settlesInSeconds > 0)
    throw new ThirdPartyError('Unavailable', `The outcome of the earlier ${contract.title} is not visible yet.`, {
      retryAfterSeconds: settlesInSeconds,
    });
  return found;
}

/** A third party can echo a request in its error, so this removes the connection's secrets from messages. */
export function scrubError(error: unknown, connection: Pick<OpenConnection, 'credentials'>): unknown {
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
  const withoutTokens = text
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [hidden]')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[hidden]');
  // Only whole ones: these credentials include host names and ids, whose parts an error may name. Replies had no parts of secrets.
  return new Secrets(listTexts(credentials), { hidesParts: false }).hide(withoutTokens);
}
