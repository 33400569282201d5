import type { EvidenceDraft, Severity, Verdict } from './evidence.js';
import type { FactName } from './fact.js';

const ORDER: readonly Severity[] = ['informational', 'low', 'medium', 'high', 'critical'];

/** What the content states or a third party answered about a vulnerability. null: unknown. */
export interface Exposure {
  /** CVSS, 0 to 10. */
  readonly cvss: number | null;
  /** The probability that it is exploited within 30 days, 0 to 1. */
  readonly epss: number | null;
  /** In the list of known exploited vulnerabilities. */
  readonly isExploited: boolean;
}

export const NO_EXPOSURE: Exposure = { cvss: null, epss: null, isExploited: false };

/** What the alert states that has an effect on the severity. It can only raise it: the sender may have forged it. */
export interface Statements {
  readonly sourceSeverity?: Severity | null;
  readonly behaviours?: readonly { readonly title: string; readonly severity: Severity | null }[];
  readonly exposure?: Exposure;
  /** Machines and accounts of the alert that the organization calls important. */
  readonly important?: readonly { readonly reason: string }[];
}

/** A severity, and why the case has it. */
export interface JudgedSeverity {
  readonly severity: Severity;
  readonly reasons: readonly string[];
}

const BY_VERDICT: Readonly<Record<Verdict, Severity>> = {
  malicious: 'high',
  suspicious: 'medium',
  inconclusive: 'low',
  benign: 'informational',
};

interface Raise {
  readonly to: Severity;
  readonly because: string;
}

/** The severity tells people which case comes first. It begins with the verdict, and each reason can only raise it. */
export function judgeSeverity(verdict: Verdict, evidence: readonly EvidenceDraft[], statements: Statements = {}): JudgedSeverity {
  const base = BY_VERDICT[verdict];
  const reasons = [`The verdict is ${verdict}`];
  // Nothing in its content makes a harmless alert urgent.
  if (verdict === 'benign') return { severity: base, reasons };
  const raises = [
    ...raiseBySource(verdict, statements),
    ...raiseByBehaviour(statements),
    ...raiseByDamage(verdict, evidence),
    ...raiseByImportance(verdict, evidence, statements),
    ...raiseByExposure(evidence, statements.exposure ?? NO_EXPOSURE),
  ];
  const severity = raises.reduce((worst, { to }) => moreSevere(worst, to), base);
  // A reason that another one exceeds does not explain the severity.
  const effective = raises.filter(({ to }) => to === severity && severity !== base);
  return { severity, reasons: [...reasons, ...new Set(effective.map(({ because }) => because))].slice(0, MAX_REASONS) };
}

const MAX_REASONS = 10;

export function moreSevere(one: Severity, other: Severity): Severity {
  return ORDER.indexOf(one) >= ORDER.indexOf(other) ? one : other;
}

/** An unexplained alert that its source calls critical needs a person soon. */
const BY_SOURCE: Readonly<Record<Verdict, Partial<Record<Severity, Severity>>>> = {
  malicious: { critical: 'critical' },
  suspicious: { critical: 'high', high: 'high' },
  inconclusive: { critical: 'high', high: 'medium' },
  benign: {},
};

function raiseBySource(verdict: Verdict, { sourceSeverity }: Statements): Raise[] {
  const to = sourceSeverity ? BY_SOURCE[verdict][sourceSeverity] : undefined;
  return to === undefined ? [] : [{ to, because: `The source of the alert calls it ${sourceSeverity}` }];
}

function raiseByBehaviour({ behaviours = [] }: Statements): Raise[] {
  return behaviours.flatMap(({ title, severity }) => (severity === null ? [] : [{ to: severity, because: `Behaviour: ${title}` }]));
}

const DAMAGE: readonly FactName[] = ['malware-ran', 'malware-not-removed'];

function raiseByDamage(verdict: Verdict, evidence: readonly EvidenceDraft[]): Raise[] {
  if (verdict !== 'malicious') return [];
  return findFacts(evidence, DAMAGE).map(({ title }) => ({ to: 'critical', because: title }));
}

const NEXT: Readonly<Record<Verdict, Severity>> = {
  malicious: 'critical',
  suspicious: 'high',
  inconclusive: 'medium',
  benign: 'informational',
};

function raiseByImportance(verdict: Verdict, evidence: readonly EvidenceDraft[], { important = [] }: Statements): Raise[] {
  const answered = findFacts(evidence, ['important-asset']).map(({ title }) => title);
  const known = important.map(({ reason }) => `The alert names the ${reason}`);
  return [...answered, ...known].map((because) => ({ to: NEXT[verdict], because }));
}

const EXPLOITED: readonly FactName[] = ['exploited-vulnerability', 'exploited-in-organization', 'dangerous-vulnerability'];
const CVSS_CRITICAL = 9;
const CVSS_HIGH = 7;
const EPSS_HIGH = 0.5;
const EPSS_MEDIUM = 0.1;

function raiseByExposure(evidence: readonly EvidenceDraft[], { cvss, epss, isExploited }: Exposure): Raise[] {
  const raises = findFacts(evidence, EXPLOITED).map(({ title }): Raise => ({ to: 'high', because: title }));
  // The platform that examined the machine knows better than a score.
  if (findFacts(evidence, ['vulnerability-absent']).length > 0) return raises;
  if (isExploited) raises.push({ to: 'high', because: 'The vulnerability is known to be exploited' });
  if (cvss !== null && cvss >= CVSS_HIGH)
    raises.push({ to: cvss >= CVSS_CRITICAL ? 'high' : 'medium', because: `The vulnerability has a CVSS score of ${cvss}` });
  if (epss !== null && epss >= EPSS_MEDIUM)
    raises.push({ to: epss >= EPSS_HIGH ? 'high' : 'medium', because: `The vulnerability has an EPSS score of ${epss}` });
  return raises;
}

function findFacts(evidence: readonly EvidenceDraft[], names: readonly FactName[]): EvidenceDraft[] {
  return evidence.filter(({ fact }) => fact !== undefined && names.includes(fact.name));
}
