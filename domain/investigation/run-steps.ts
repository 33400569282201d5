import { z } from 'zod';
import { type SkillKey, SkillKeyText } from '../skill-key.js';

const RunStep = z.object({
  step_id: z.string(),
  connector: z.string(),
  skill_id: z.string(),
  skill_key: SkillKeyText,
  does: z.enum(['ask', 'propose']),
  investigations: z.int().describe('The number of investigations that ran the step.'),
  times: z.int().describe('The number of answers or proposals in all of them.'),
  unanswered: z.int().describe('The number of investigations in which it got no answer, or could not be proposed.'),
  typical_ms: z.number().nullable().describe('The median duration of its answers; null where no duration is known.'),
  typical_start_ms: z
    .number()
    .nullable()
    .describe('The median time from the first step of an investigation to this step; null where no time is known.'),
  after: z.array(z.string()).describe('Steps that had their first answer before this step began, in every investigation that ran both.'),
});
export type RunStep = z.infer<typeof RunStep>;

/** The steps of a playbook, derived from the records of its investigations. */
export const StepsAsRun = z.object({
  playbook_id: z.uuid(),
  investigations: z
    .int()
    .describe('The number of investigations examined: the newest completed ones of the caller’s organization, at most 50.'),
  steps: z.array(RunStep).describe('In the typical order of their start.'),
});
export type StepsAsRun = z.infer<typeof StepsAsRun>;

export interface RunCall {
  readonly connector: string;
  readonly skillKey: SkillKey;
  readonly skillId: string;
  readonly isOpen: boolean;
  /** null where it was never answered, or the answer comes from an earlier investigation. */
  readonly beganMs: number | null;
  readonly tookMs: number | null;
}

/** From the start of a step to its first answer, in one investigation. */
interface Span {
  readonly from: number;
  readonly until: number;
}

interface Taken {
  readonly id: SkillKey;
  readonly isProposal: boolean;
  readonly calls: readonly RunCall[];
  /** By investigation, without those that have no times. */
  readonly spans: ReadonlyMap<number, Span>;
  /** null where no investigation has times. */
  readonly typicalStart: number | null;
}

/** A step follows another if it began after the other's first answer in every investigation that ran both. */
export function stepsAsRun(runs: readonly (readonly RunCall[])[], isWrite: (skillKey: SkillKey) => boolean): RunStep[] {
  const starts = runs.map((calls) => Math.min(...calls.flatMap(({ beganMs }) => beganMs ?? [])));
  const ids = [...new Set(runs.flat().map(({ skillKey }) => skillKey))].sort();
  const taken = ids
    .map((id): Taken => {
      const calls = runs.flat().filter(({ skillKey }) => skillKey === id);
      const spans = new Map(
        runs.flatMap((run, index) => toSpans(run.filter(({ skillKey }) => skillKey === id)).map((span) => [index, span])),
      );
      const offsets = [...spans].map(([index, { from }]) => from - (starts[index] ?? from));
      return { id, calls, spans, isProposal: isWrite(id), typicalStart: median(offsets) };
    })
    .sort(byStart);
  const after = findPredecessors(taken);
  const stepIds = new Map(taken.map(({ id, calls }) => [id, toStepId(calls)]));
  return taken.flatMap(({ id, calls: [call, ...more], isProposal, typicalStart }) => {
    if (!call) return [];
    const calls = [call, ...more];
    return {
      step_id: toStepId(calls),
      connector: call.connector,
      skill_id: call.skillId,
      skill_key: id,
      does: isProposal ? ('propose' as const) : ('ask' as const),
      investigations: runs.filter((run) => run.some(({ skillKey }) => skillKey === id)).length,
      times: calls.filter(({ isOpen }) => !isOpen).length,
      unanswered: runs.filter((run) => run.some(({ isOpen, skillKey }) => isOpen && skillKey === id)).length,
      typical_ms: median(calls.flatMap(({ tookMs }) => tookMs ?? [])),
      typical_start_ms: typicalStart,
      after: (after.get(id) ?? []).flatMap((earlier) => stepIds.get(earlier) ?? []),
    };
  });
}

/** With the title of the newest call: earlier calls may have another title. */
function toStepId([newest]: readonly RunCall[]): string {
  return `${newest?.connector}/${newest?.skillId}`;
}

function toSpans(calls: readonly RunCall[]): Span[] {
  const timed = calls.flatMap(({ beganMs, tookMs }) => (beganMs === null ? [] : { from: beganMs, until: beganMs + (tookMs ?? 0) }));
  if (timed.length === 0) return [];
  return [{ from: Math.min(...timed.map(({ from }) => from)), until: Math.min(...timed.map(({ until }) => until)) }];
}

/** A step without times comes first. A proposal without times comes last, because it depends on the answers. */
function byStart(one: Taken, other: Taken): number {
  const orderKey = ({ typicalStart, isProposal }: Taken) => typicalStart ?? (isProposal ? Number.MAX_VALUE : -1);
  return orderKey(one) - orderKey(other);
}

/** Only the nearest predecessors: the predecessors of a predecessor are implied. */
function findPredecessors(taken: readonly Taken[]): Map<SkillKey, SkillKey[]> {
  const nearest = new Map<SkillKey, SkillKey[]>();
  const all = new Map<SkillKey, ReadonlySet<SkillKey>>();
  for (const [index, step] of taken.entries()) {
    // Only steps that typically began earlier, so that steps which swapped places make no cycle.
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
