import type { EvidenceDraft, Severity, Verdict } from './case.js';
import { clip } from './text.js';

export interface Conclusion {
  readonly verdict: Verdict;
  readonly score: number;
  readonly confidence: number;
  readonly severity: Severity;
  readonly summary: string;
}

const MALICIOUS_FROM = 70;
const SUSPICIOUS_FROM = 30;
/** What each unanswered question takes from our confidence. */
const CONFIDENCE_LOST_PER_GAP = 15;
/** Long reasons are read in the evidence; in the summary they would push out the gaps. */
const REASON_LENGTH = 500;

/**
 * The one rule set: points add up to a score, the score names the verdict.
 * Benign has to be earned by evidence that outweighs what speaks for malice; silence is inconclusive.
 */
export function concludeFrom(evidence: readonly EvidenceDraft[]): Conclusion {
  const findings = evidence.filter((entry) => entry.kind === 'finding' && entry.points !== 0);
  const gaps = evidence.filter((entry) => entry.kind === 'gap');
  const total = findings.reduce((sum, entry) => sum + entry.points, 0);
  const score = Math.max(0, Math.min(100, total));
  const verdict = verdictOf(total);
  const weight = findings.reduce((sum, entry) => sum + Math.abs(entry.points), 0);
  const confidence = Math.max(0, Math.min(100, weight) - gaps.length * CONFIDENCE_LOST_PER_GAP);
  return { verdict, score, confidence, severity: severityOf(verdict, score), summary: summarise(verdict, score, findings, gaps) };
}

function verdictOf(total: number): Verdict {
  if (total >= MALICIOUS_FROM) return 'malicious';
  if (total >= SUSPICIOUS_FROM) return 'suspicious';
  return total < 0 ? 'benign' : 'inconclusive';
}

function severityOf(verdict: Verdict, score: number): Severity {
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
