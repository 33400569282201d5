import { z } from 'zod';
import { type EvidenceDraft, Verdict } from '../verdict/evidence.js';
import type { Conclusion } from '../verdict/verdict.js';
import type { Plan } from './playbook.js';

/** The parts of an investigation's result that a change of its playbook can change. */
export const Judgement = z.object({
  verdict: Verdict.nullable(),
  score: z.int().nullable(),
  gaps: z.array(z.string()).describe('Titles, sorted.'),
  proposals: z.array(z.string()).describe('Titles of the proposed writes, sorted.'),
});
export type Judgement = z.infer<typeof Judgement>;

export const Comparison = z.object({
  alert_id: z.string(),
  before: Judgement,
  after: Judgement,
  decided_by: z.string().describe('The finding with the most points in the new result.'),
});
export type Comparison = z.infer<typeof Comparison>;

export const PlanEffect = z.object({
  compared: z.int().describe('The number of past investigations that the plan was run over.'),
  changed: z.array(Comparison).describe('Those with another verdict, score, gap or proposal, newest first.'),
});
export type PlanEffect = z.infer<typeof PlanEffect>;

/** The result of a playbook's function that ran without its lifecycle. */
export interface AuthorRun {
  readonly evidence: readonly EvidenceDraft[];
  readonly conclusion: Conclusion;
  /** The titles of the proposed writes. */
  readonly proposals: readonly string[];
}

/** Past investigations that a comparison reads unless the caller asks for another number. */
export const MAX_COMPARED = 100;

export function isChanged({ before, after }: Pick<Comparison, 'before' | 'after'>): boolean {
  return JSON.stringify(normalize(before)) !== JSON.stringify(normalize(after));
}

function normalize({ verdict, score, gaps, proposals }: Judgement) {
  return [verdict, score, [...gaps].sort(), [...proposals].sort()];
}

/** Attacks that the new playbook would dismiss. */
export function listDismissed(comparisons: readonly Comparison[]): Comparison[] {
  return comparisons.filter(({ before, after }) => before.verdict === 'malicious' && after.verdict === 'benign');
}

/** `malicious → benign, score 80 → 0, gaps +Get Enrichment: no answer, proposals −Isolate machine`. */
export function describeChange({ before, after }: Pick<Comparison, 'before' | 'after'>): string {
  const parts = [
    ...(before.verdict === after.verdict ? [] : [`${before.verdict} → ${after.verdict}`]),
    ...(before.score === after.score ? [] : [`score ${before.score} → ${after.score}`]),
    ...describeList('gaps', before.gaps, after.gaps),
    ...describeList('proposals', before.proposals, after.proposals),
  ];
  return parts.join(', ');
}

function describeList(name: string, before: readonly string[], after: readonly string[]): string[] {
  const added = after.filter((title) => !before.includes(title)).map((title) => `+${title}`);
  const removed = before.filter((title) => !after.includes(title)).map((title) => `−${title}`);
  return added.length + removed.length === 0 ? [] : [`${name} ${[...added, ...removed].join(', ')}`];
}

/** Activities that run a playbook over past alerts. They only read. */
export interface ComparisonActivities {
  /** Runs the plan over the past alerts of its playbook that the caller may see. */
  comparePlan(asked: { playbookId: string; organizationUuid: string | null; plan: Plan }): Promise<PlanEffect>;
}
