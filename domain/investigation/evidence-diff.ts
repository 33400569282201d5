import { z } from 'zod';
import { clip } from '../text.js';
import type { EvidenceDraft, Verdict } from '../verdict/evidence.js';

/** One difference between the evidence of two investigations of an alert. */
export const EvidenceChange = z.object({
  change: z
    // prose-allow: clients compare with this value.
    .enum(['new', 'gone', 'weighs differently', 'answered', 'unanswered'])
    .describe('`answered`: the earlier investigation had a gap here; `unanswered`: this one has a gap here.'),
  title: z.string(),
  points_before: z.int().nullable(),
  points_now: z.int().nullable(),
});
export type EvidenceChange = z.infer<typeof EvidenceChange>;

export const InvestigationChange = z.object({
  since_investigation_no: z.int(),
  verdict_before: z.string().nullable(),
  verdict_now: z.string().nullable(),
  evidence: z.array(EvidenceChange).describe('Largest change of points first.'),
});
export type InvestigationChange = z.infer<typeof InvestigationChange>;

type Entry = Pick<EvidenceDraft, 'step' | 'kind' | 'title' | 'points' | 'source'>;

export interface Investigated {
  readonly investigationNo: number;
  readonly verdict: Verdict | null;
  readonly evidence: readonly Entry[];
}

export function changeSince(before: Investigated, now: Investigated): InvestigationChange {
  return {
    since_investigation_no: before.investigationNo,
    verdict_before: before.verdict,
    verdict_now: now.verdict,
    evidence: changesBetween(before.evidence, now.evidence),
  };
}

/**
 * Two findings are the same if their titles are the same, because titles name the value. Another finding of the same step is a
 * change of points. A gap is answered when new evidence comes from the skill that did not answer. Notes have no points.
 */
export function changesBetween(before: readonly Entry[], now: readonly Entry[]): EvidenceChange[] {
  const changes = [...findingChanges(indexFindings(before), indexFindings(now)), ...gapChanges(before, now)];
  return changes.sort((one, other) => measureChange(other) - measureChange(one));
}

/** By title. A second finding with the same title is a finding of its own. */
function indexFindings(entries: readonly Entry[]): Map<string, Entry> {
  const findings = new Map<string, Entry>();
  for (const entry of entries.filter(({ kind, points }) => kind === 'finding' && points !== 0)) {
    let key = entry.title;
    while (findings.has(key)) key += ' again';
    findings.set(key, entry);
  }
  return findings;
}

function findingChanges(before: ReadonlyMap<string, Entry>, now: ReadonlyMap<string, Entry>): EvidenceChange[] {
  const gone = new Map([...before].filter(([key]) => !now.has(key)).map(([, entry]) => [entry.step, entry]));
  const found = [...now].flatMap(([key, { title, step, points }]): EvidenceChange[] => {
    const was = before.get(key) ?? takeMatching(gone, step, (other) => other.points !== points);
    if (!was) return [{ change: 'new', title, points_before: null, points_now: points }];
    // prose-allow: clients compare with this value.
    return was.points === points ? [] : [{ change: 'weighs differently', title, points_before: was.points, points_now: points }];
  });
  const vanished = [...gone.values()].map(
    ({ title, points }): EvidenceChange => ({ change: 'gone', title, points_before: points, points_now: null }),
  );
  return [...found, ...vanished];
}

function takeMatching(entries: Map<string, Entry>, step: string, fits: (entry: Entry) => boolean): Entry | undefined {
  const entry = entries.get(step);
  if (!entry || !fits(entry)) return undefined;
  entries.delete(step);
  return entry;
}

function gapChanges(before: readonly Entry[], now: readonly Entry[]): EvidenceChange[] {
  const earlier = indexGaps(before);
  const later = indexGaps(now);
  const answering = new Set(now.filter(({ kind }) => kind !== 'gap').flatMap(({ source }) => (source ? [describeSkill(source)] : [])));
  const opened = [...later.keys()].filter((title) => !earlier.has(title));
  const closed = [...earlier].filter(([title]) => !later.has(title));
  const weightless = { points_before: null, points_now: null };
  return [
    ...opened.map((title): EvidenceChange => ({ change: 'unanswered', title, ...weightless })),
    ...closed.map(([title, { source }]): EvidenceChange => {
      const isAnswered = source !== null && answering.has(describeSkill(source));
      return { change: isAnswered ? 'answered' : 'gone', title, ...weightless };
    }),
  ];
}

function indexGaps(entries: readonly Entry[]): Map<string, Entry> {
  return new Map(entries.filter(({ kind }) => kind === 'gap').map((entry) => [entry.title, entry]));
}

function describeSkill({ connector, skill_id, skill_key }: NonNullable<Entry['source']>): string {
  return skill_key ?? `${connector} ${skill_id}`;
}

function measureChange({ points_before, points_now }: EvidenceChange): number {
  return Math.abs((points_now ?? 0) - (points_before ?? 0));
}

const MAX_CHANGES_LISTED = 5;
const TITLE_LENGTH = 150;

const CHANGE_LABELS: Record<EvidenceChange['change'], string> = {
  new: 'new',
  gone: 'no longer found',
  'weighs differently': 'points changed', // prose-allow: clients compare with this value.
  answered: 'now answered',
  unanswered: 'no longer answered',
};

/** The text for the case's timeline. */
export function describeChange({
  since_investigation_no: since,
  verdict_before: before,
  verdict_now: now,
  evidence,
}: InvestigationChange): string {
  const verdict = before === now ? `still ${now}` : `${before ?? 'no verdict'} → ${now}`;
  const named = evidence
    .slice(0, MAX_CHANGES_LISTED)
    .map((each) => `${CHANGE_LABELS[each.change]}${formatPoints(each)}: ${clip(each.title, TITLE_LENGTH)}`);
  const rest = evidence.length > named.length ? [`${evidence.length - named.length} more`] : [];
  const found = evidence.length === 0 ? 'no other changes' : [...named, ...rest].join('; ');
  return `Compared with investigation ${since}: ${verdict}; ${found}`;
}

function formatPoints({ points_before: before, points_now: now }: EvidenceChange): string {
  const points = [before, now].filter((each) => each !== null).map((each) => (each > 0 ? `+${each}` : `${each}`));
  return points.length === 0 ? '' : ` (${points.join(' → ')})`;
}
