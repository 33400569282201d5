import { z } from 'zod';

const RunStep = z.object({
  step_id: z.string(),
  connector: z.string(),
  skill_id: z.string(),
  does: z.enum(['ask', 'propose']),
  investigations: z.int().describe('How many of the investigations took it.'),
  times: z.int().describe('How often it was answered, or proposed, in all of them.'),
  unanswered: z.int().describe('In how many of them it was left open, or could not be proposed.'),
  typical_ms: z.number().nullable().describe('The median of its answers; null where none was timed.'),
  after: z
    .array(z.string())
    .describe('The steps it came after: it began only when they had their first answer, in every investigation that took both.'),
});
export type RunStep = z.infer<typeof RunStep>;

/** What a playbook did, from what its investigations left behind. */
export const StepsAsRun = z.object({
  playbook_id: z.uuid(),
  investigations: z.int().describe('How many were looked at: the newest completed ones of the caller’s organization, at most 50.'),
  steps: z.array(RunStep).describe('In the order in which they typically began.'),
});
export type StepsAsRun = z.infer<typeof StepsAsRun>;

/** One question or proposal of one investigation. */
export interface RunCall {
  readonly connector: string;
  readonly skillId: string;
  readonly isOpen: boolean;
  /** null: nobody knows when, because it was never answered, or the answer is an earlier investigation's. */
  readonly beganMs: number | null;
  readonly tookMs: number | null;
}

/** When a step began and had its first answer, in one investigation. */
interface Span {
  readonly from: number;
  readonly until: number;
}

interface Taken {
  readonly id: string;
  readonly isProposal: boolean;
  readonly calls: readonly RunCall[];
  /** By investigation; those that tell no time are left out. */
  readonly spans: ReadonlyMap<number, Span>;
  /** null: no investigation tells. */
  readonly typicalStart: number | null;
}

/**
 * Asked at the same time or one after the other: what began after another's first answer in every investigation that took
 * both came after it. One that overlaps in a single investigation does not need it.
 */
export function stepsAsRun(
  runs: readonly (readonly RunCall[])[],
  isWrite: (skill: { readonly connector: string; readonly skillId: string }) => boolean,
): RunStep[] {
  const starts = runs.map((calls) => Math.min(...calls.flatMap(({ beganMs }) => beganMs ?? [])));
  const ids = [...new Set(runs.flat().map(stepId))].sort();
  const taken = ids
    .map((id): Taken => {
      const calls = runs.flat().filter((call) => stepId(call) === id);
      const spans = new Map(runs.flatMap((run, index) => toSpans(run.filter((call) => stepId(call) === id)).map((span) => [index, span])));
      const offsets = [...spans].map(([index, { from }]) => from - (starts[index] ?? from));
      return { id, calls, spans, isProposal: calls.some(isWrite), typicalStart: median(offsets) };
    })
    .sort(byStart);
  const after = precedents(taken);
  return taken.flatMap(({ id, calls: [call, ...more], isProposal }) => {
    if (!call) return [];
    const calls = [call, ...more];
    return {
      step_id: id,
      connector: call.connector,
      skill_id: call.skillId,
      does: isProposal ? ('propose' as const) : ('ask' as const),
      investigations: runs.filter((run) => run.some((each) => stepId(each) === id)).length,
      times: calls.filter(({ isOpen }) => !isOpen).length,
      unanswered: runs.filter((run) => run.some((each) => each.isOpen && stepId(each) === id)).length,
      typical_ms: median(calls.flatMap(({ tookMs }) => tookMs ?? [])),
      after: after.get(id) ?? [],
    };
  });
}

function stepId({ connector, skillId }: RunCall): string {
  return `${connector}/${skillId}`;
}

function toSpans(calls: readonly RunCall[]): Span[] {
  const timed = calls.flatMap(({ beganMs, tookMs }) => (beganMs === null ? [] : { from: beganMs, until: beganMs + (tookMs ?? 0) }));
  if (timed.length === 0) return [];
  return [{ from: Math.min(...timed.map(({ from }) => from)), until: Math.min(...timed.map(({ until }) => until)) }];
}

/** What tells no time stands first, as what was never asked; a proposal of that kind stands last, as what rests on the answers. */
function byStart(one: Taken, other: Taken): number {
  const orderKey = ({ typicalStart, isProposal }: Taken) => typicalStart ?? (isProposal ? Number.MAX_VALUE : -1);
  return orderKey(one) - orderKey(other);
}

/** The nearest ones only: what came before a precedent need not be said again. */
function precedents(taken: readonly Taken[]): Map<string, string[]> {
  const nearest = new Map<string, string[]>();
  const all = new Map<string, ReadonlySet<string>>();
  for (const [index, step] of taken.entries()) {
    // Only of what typically began earlier, so that steps which changed places between investigations make no circle.
    const earlier = taken.slice(0, index).flatMap((other) => (followed(other, step) ? other.id : []));
    const implied = new Set(earlier.flatMap((id) => [...(all.get(id) ?? [])]));
    all.set(step.id, new Set([...earlier, ...implied]));
    nearest.set(
      step.id,
      earlier.filter((id) => !implied.has(id)),
    );
  }
  return nearest;
}

function followed(earlier: Taken, later: Taken): boolean {
  const both = [...later.spans].flatMap(([index, { from }]) => {
    const span = earlier.spans.get(index);
    return span ? [span.until <= from] : [];
  });
  return both.length > 0 && both.every(Boolean);
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
