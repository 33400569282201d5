import type { EvidenceDraft, Severity, Verdict } from '../case/evidence.js';
import { clip } from '../text.js';

export interface Conclusion {
  readonly verdict: Verdict;
  readonly score: number;
  readonly confidence: number;
  readonly severity: Severity;
  readonly summary: string;
}

/** How the step of a gap begins that says: part of the alert was not looked at. */
export const LEFT_OUT = 'left-out';

const MALICIOUS_FROM = 70;
const SUSPICIOUS_FROM = 30;
/** A known malicious file, a detection: whatever else is good, such an alert is suspicious at least. */
const GRAVE_FROM = 45;
/** A person's judgement, a check that was complete: enough for benign without a second voice. */
const DECISIVE_FROM = 40;
/** What each unanswered question takes from our confidence. */
const CONFIDENCE_LOST_PER_GAP = 15;
/** Long reasons are read in the evidence; in the summary they would push out the gaps. */
const REASON_LENGTH = 500;

/**
 * The one rule set: points add up to a score, the score names the verdict. Benign has to be earned by evidence that outweighs
 * what speaks for malice; silence is inconclusive. Who writes the alert cannot talk it down: good things added to it outweigh
 * nothing grave, and what was left out for their number rules out benign.
 */
export function concludeFrom(evidence: readonly EvidenceDraft[]): Conclusion {
  const findings = evidence.filter((entry) => entry.kind === 'finding' && entry.points !== 0);
  const gaps = evidence.filter((entry) => entry.kind === 'gap');
  const sum = findings.reduce((points, entry) => points + entry.points, 0);
  const total = findings.some(({ points }) => points >= GRAVE_FROM) ? Math.max(SUSPICIOUS_FROM, sum) : sum;
  const score = Math.max(0, Math.min(100, total));
  const verdict = chooseVerdict(total, mayBeBenign(findings, gaps));
  const weight = findings.reduce((sum, entry) => sum + Math.abs(entry.points), 0);
  const confidence = Math.max(0, Math.min(100, weight) - gaps.length * CONFIDENCE_LOST_PER_GAP);
  return { verdict, score, confidence, severity: chooseSeverity(verdict, score), summary: summarise(verdict, score, findings, gaps) };
}

function chooseVerdict(total: number, isBenignEarned: boolean): Verdict {
  if (total >= MALICIOUS_FROM) return 'malicious';
  if (total >= SUSPICIOUS_FROM) return 'suspicious';
  return total < 0 && isBenignEarned ? 'benign' : 'inconclusive';
}

/** One decisive finding, or two third parties (the alert itself counts as one), and nothing of the alert left unseen. */
function mayBeBenign(findings: readonly EvidenceDraft[], gaps: readonly EvidenceDraft[]): boolean {
  const against = findings.filter(({ points }) => points < 0);
  const voices = new Set(against.map(({ source }) => source?.connector ?? 'the alert'));
  const isHeard = voices.size > 1 || against.some(({ points }) => points <= -DECISIVE_FROM);
  return isHeard && !gaps.some(({ step }) => step.startsWith(LEFT_OUT));
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
  inconclusive: 'Inconclusive: nothing found that decides it',
};

/** Deciding evidence first, gaps last. */
function summarise(verdict: Verdict, score: number, findings: readonly EvidenceDraft[], gaps: readonly EvidenceDraft[]): string {
  const deciding = [...findings].sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const lines = [
    `${HEADLINES[verdict]} (score ${score}).`,
    ...deciding
      .slice(0, 5)
      .map((entry) => `${entry.points > 0 ? '+' : ''}${entry.points} ${entry.title}: ${clip(entry.reason, REASON_LENGTH)}`),
    ...(gaps.length > 0 ? [`Not answered: ${gaps.map((gap) => gap.title).join('; ')}.`] : []),
  ];
  return clip(lines.join('\n'), 10_000);
}
