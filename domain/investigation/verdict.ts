import type { EvidenceDraft, Severity, Verdict, VerdictReason } from '../case/evidence.js';
import { clip } from '../text.js';

export interface Conclusion {
  readonly verdict: Verdict;
  readonly score: number;
  readonly confidence: number;
  readonly severity: Severity;
  readonly summary: string;
}

/** The prefix of a gap's step that means: part of the alert was not examined. */
export const LEFT_OUT = 'left-out';

const MALICIOUS_FROM = 70;
const SUSPICIOUS_FROM = 30;
/** One finding of this weight, such as a known malicious file, makes the alert at least suspicious. */
const SERIOUS_FROM = 45;
/** One finding of this weight against malice, such as a person's judgement, is enough for benign. */
const DECISIVE_FROM = 40;
const CONFIDENCE_LOST_PER_GAP = 15;
/** A longer reason would leave no space for the gaps; the evidence has the full text. */
const REASON_LENGTH = 500;

/**
 * The sum of the points is the score, and the score gives the verdict. Benign needs positive evidence; no evidence is
 * inconclusive. The alert's author cannot lower the verdict: harmless indicators never outweigh a serious finding, and an
 * alert with indicators that were left out is never benign.
 */
export function concludeFrom(evidence: readonly EvidenceDraft[]): Conclusion {
  const findings = evidence.filter((entry) => entry.kind === 'finding' && entry.points !== 0);
  const gaps = evidence.filter((entry) => entry.kind === 'gap');
  const sum = findings.reduce((points, entry) => points + entry.points, 0);
  const total = findings.some(({ points }) => points >= SERIOUS_FROM) ? Math.max(SUSPICIOUS_FROM, sum) : sum;
  const score = Math.max(0, Math.min(100, total));
  const verdict = chooseVerdict(total, mayBeBenign(findings, gaps));
  const weight = findings.reduce((sum, entry) => sum + Math.abs(entry.points), 0);
  const confidence = Math.max(0, Math.min(100, weight) - gaps.length * CONFIDENCE_LOST_PER_GAP);
  return { verdict, score, confidence, severity: chooseSeverity(verdict, score), summary: writeSummary(verdict, score, findings, gaps) };
}

function chooseVerdict(total: number, isBenignAllowed: boolean): Verdict {
  if (total >= MALICIOUS_FROM) return 'malicious';
  if (total >= SUSPICIOUS_FROM) return 'suspicious';
  return total < 0 && isBenignAllowed ? 'benign' : 'inconclusive';
}

/** Needs one decisive finding or two sources (the alert itself counts as one), and no part of the alert left out. */
function mayBeBenign(findings: readonly EvidenceDraft[], gaps: readonly EvidenceDraft[]): boolean {
  const against = findings.filter(({ points }) => points < 0);
  const sources = new Set(against.map(({ source }) => source?.connector ?? 'the alert'));
  const isSupported = sources.size > 1 || against.some(({ points }) => points <= -DECISIVE_FROM);
  return isSupported && !gaps.some(({ step }) => step.startsWith(LEFT_OUT));
}

function chooseSeverity(verdict: Verdict, score: number): Severity {
  if (verdict === 'malicious') return score >= 90 ? 'critical' : 'high';
  if (verdict === 'suspicious') return 'medium';
  return verdict === 'inconclusive' ? 'low' : 'informational';
}

const HEADLINES: Record<Verdict, string> = {
  malicious: 'Malicious',
  suspicious: 'Suspicious',
  benign: 'Benign',
  inconclusive: 'Inconclusive: no finding decides the verdict',
};

/** The findings with the most points first, gaps last. */
function writeSummary(verdict: Verdict, score: number, findings: readonly EvidenceDraft[], gaps: readonly EvidenceDraft[]): string {
  const sorted = [...findings].sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const lines = [
    `${HEADLINES[verdict]} (score ${score}).`,
    ...sorted
      .slice(0, 5)
      .map((entry) => `${entry.points > 0 ? '+' : ''}${entry.points} ${entry.title}: ${clip(entry.reason, REASON_LENGTH)}`),
    ...(gaps.length > 0 ? [`Not answered: ${gaps.map((gap) => gap.title).join('; ')}.`] : []),
  ];
  return clip(lines.join('\n'), 10_000);
}

const FINDING_LINE = /^([+-]\d+) (.*)$/;

/** The reverse of `summarise`: cases store their summary as text. The first line names the verdict and the score. */
export function readReasons(summary: string): VerdictReason[] {
  const [, ...lines] = summary.split('\n');
  return lines.map((line) => {
    const [, points, text] = FINDING_LINE.exec(line) ?? [];
    return points === undefined || text === undefined ? { points: null, text: line } : { points: Number(points), text };
  });
}
