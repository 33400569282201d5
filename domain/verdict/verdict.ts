import { clip } from '../text.js';
import type { EvidenceDraft, Severity, StoredReason, Verdict, VerdictReason } from './evidence.js';
import { COVERAGES, FACT_LINKS, FACT_RULES, type Fact, readSite } from './fact.js';
import { judgeSeverity, moreSevere, type Statements } from './severity.js';

export interface Conclusion {
  readonly verdict: Verdict;
  readonly score: number;
  readonly confidence: number;
  readonly severity: Severity;
  /** Why the case has the severity. Absent in the conclusion of an older workflow build. */
  readonly severityReasons?: readonly string[];
  /** The reasons as text, after a line with the verdict and the score. */
  readonly summary: string;
  /** The findings with the most points, then the gaps. Absent in the conclusion of an older workflow build. */
  readonly reasons?: readonly VerdictReason[];
}

/** The prefix of a gap's step that means: part of the alert was not examined. */
export const LEFT_OUT = 'left-out';

const MALICIOUS_FROM = 70;
const SUSPICIOUS_FROM = 30;
/** Only an alert with a finding of this weight, such as a malicious reputation, can be malicious. */
const SERIOUS_FROM = 45;
/** One finding of this weight against malice, such as a booked trip, is enough for benign. */
const DECISIVE_FROM = 40;
/** A person's conclusion covers what happened up to this time after it: clocks differ. */
const CLOCK_TOLERANCE_SECONDS = 3600;
/** A longer reason would leave no space for the gaps; the evidence has the full text. */
const REASON_LENGTH = 500;
const SUMMARY_LENGTH = 10_000;

type Finding = EvidenceDraft & { readonly fact?: Fact | undefined };

/**
 * A person's recorded conclusion gives the verdict, unless newer or uncovered evidence contradicts it. So does an indicator
 * that the organization allows, if nothing is notable. Otherwise the sum of the points is the score, and the score gives the
 * verdict. The alert's author cannot lower the verdict: harmless indicators never outweigh a notable finding, and an alert
 * with indicators that were left out is never benign by its points.
 */
export function concludeFrom(evidence: readonly EvidenceDraft[], statements: Statements = {}): Conclusion {
  const counted = selectCounted(evidence);
  const gaps = evidence.filter((entry) => entry.kind === 'gap');
  const unknown = evidence.filter(isUnknownSubject);
  const reputations = evidence.filter(isReputation);
  const judgement = chooseJudgement(counted, reputations) ?? chooseAllowance(counted, reputations, gaps);
  const weighed = judgement ?? weighPoints(counted, gaps);
  const isCleared = weighed.verdict !== 'benign' || unknown.every((finding) => isAbout(judgement?.by, finding));
  const { verdict, score } = isCleared ? weighed : { verdict: 'inconclusive' as const, score: 0 };
  const confidence = judgeConfidence(verdict, isCleared ? (judgement?.by ?? null) : null, counted, gaps);
  const { severity, reasons: severityReasons } = judgeSeverity(verdict, evidence, statements);
  const reasons = listReasons(counted, unknown, gaps);
  return { verdict, score, confidence, severity, severityReasons, summary: writeSummary(verdict, score, reasons), reasons };
}

/**
 * The findings that count. Of a group, the strongest finding counts, and findings against malice only if every finding of
 * the group is one: a clean address next to a malicious or unknown one says nothing. Each conclusion of a person counts.
 */
export function selectCounted(evidence: readonly EvidenceDraft[]): Finding[] {
  const findings = withoutBystanders(evidence.filter((entry) => entry.kind === 'finding'));
  const authored = findings.filter(({ fact, points }) => fact === undefined && points !== 0);
  const groups = new Map<string, Finding[]>();
  for (const finding of findings.filter(({ fact }) => fact !== undefined)) {
    const group = readGroup(finding);
    groups.set(group, [...(groups.get(group) ?? []), finding]);
  }
  const counted = [...authored, ...[...groups.values()].flatMap(selectFromGroup)].filter(({ points }) => points !== 0);
  // A test shows the behaviour of an attack.
  const isTest = counted.some(({ fact }) => fact?.name === 'approved-test');
  return isTest ? counted.filter((finding) => !isBehaviour(finding)) : counted;
}

/** What the alert is about, and no third party knows. */
function isUnknownSubject({ kind, fact }: EvidenceDraft): boolean {
  return kind === 'finding' && (fact?.name === 'unknown-subject' || fact?.name === 'missing-reference');
}

/**
 * Whether a person's conclusion names the subject that no third party knows. A conclusion about the same activity is enough if a record
 * does not exist: its number can be that of another product.
 */
function isAbout(by: Finding | undefined, { fact: unknown }: Finding): boolean {
  if (unknown?.name === 'missing-reference' && by?.fact?.covers === 'activity') return true;
  return by !== undefined && (unknown?.about ?? []).some((value) => by.fact?.about?.includes(value));
}

/** If the record that the alert is about does not exist, records about other names in the alert decide nothing. */
function withoutBystanders(findings: readonly Finding[]): Finding[] {
  if (!findings.some(({ fact }) => fact?.name === 'missing-reference')) return [...findings];
  return findings.filter(({ fact }) => !isRecord(fact) || fact?.covers === 'activity' || fact?.link === 'named');
}

function isRecord(fact: Fact | undefined): boolean {
  return fact !== undefined && ['conclusion', 'open-record'].includes(FACT_RULES[fact.name].group);
}

function readGroup({ fact }: Finding): string {
  if (fact === undefined) return '';
  const { group } = FACT_RULES[fact.name];
  return group === 'conclusion' ? `conclusion ${fact.key ?? ''} ${fact.name}` : group;
}

/** Of equal findings the first by step, because answers arrive in any order. */
function selectFromGroup(group: readonly Finding[]): Finding[] {
  const [strongest] = [...group].sort((a, b) => b.points - a.points || compareSteps(a, b));
  if (strongest && strongest.points > 0) return [strongest];
  if (group.some(({ points }) => points >= 0)) return [];
  return [...group].sort((a, b) => a.points - b.points || compareSteps(a, b)).slice(0, 1);
}

export function compareSteps(a: { readonly step: string }, b: { readonly step: string }): number {
  return a.step < b.step ? -1 : Number(a.step > b.step);
}

interface Judgement {
  readonly verdict: Verdict;
  readonly score: number;
  readonly by: Finding;
}

/** The verdict of the person whose conclusion counts; null if there is none, or if other evidence contradicts it. */
function chooseJudgement(counted: readonly Finding[], reputations: readonly Finding[]): Judgement | null {
  const conclusions = counted.filter(isConclusion).sort(compareConclusions);
  const malicious = conclusions.find(({ points }) => points > 0);
  const benign = conclusions.find(({ points }) => points < 0);
  // A benign conclusion wins over a malicious one only if it is newer and at least as close to the alert.
  const isOverruled = malicious && benign && !(readTime(benign) > readTime(malicious) && linkRank(benign) <= linkRank(malicious));
  if (malicious && (!benign || isOverruled)) return { verdict: 'malicious', score: scoreMalicious(counted), by: malicious };
  if (!benign || counted.some((finding) => isNewer(finding, benign))) return null;
  // People often record the same conclusion in several places, and each record names other parts of the alert.
  const covering = conclusions.filter(({ points }) => points < 0).sort((a, b) => coverageRank(a) - coverageRank(b));
  const isCovered = (fact: Fact | undefined) => covering.some((each) => covers(each, fact));
  const [by = benign] = covering;
  const serious = reputations.filter(({ points }) => points >= SERIOUS_FROM);
  const isSeen = serious.every(({ fact }) => isCovered(fact));
  const coverage = by.fact?.covers ?? 'entity';
  if (coverage === 'activity' && isSeen) return { verdict: 'benign', score: 0, by };
  // A person looked at the activity or at the indicator, but perhaps not at both: a second person should look again.
  if (serious.length > 0) return isSeen || coverage !== 'entity' ? { verdict: 'suspicious', score: SERIOUS_FROM, by } : null;
  const isAnswered = (finding: Finding) => {
    // The person saw what the alert describes, unless the conclusion is about another occasion.
    if (isBehaviour(finding) && coverage !== 'entity') return true;
    return isOpenRecord(finding.fact) ? coversEach(covering, finding.fact) : isCovered(finding.fact);
  };
  const isContradicted = counted.some((finding) => !isConclusion(finding) && finding.points >= SUSPICIOUS_FROM && !isAnswered(finding));
  return coversAll(reputations, covering) && !isContradicted ? { verdict: 'benign', score: 0, by } : null;
}

/** Benign if the organization allowed every indicator without a clean reputation, and nothing notable was found. */
function chooseAllowance(counted: readonly Finding[], reputations: readonly Finding[], gaps: readonly EvidenceDraft[]): Judgement | null {
  const allowed = counted.find(({ fact }) => fact?.name === 'allowed-indicator');
  const isNotable = counted.some(({ points }) => points >= SUSPICIOUS_FROM);
  if (!allowed || isNotable || isLeftOut(gaps)) return null;
  return coversAll(reputations, [allowed]) ? { verdict: 'benign', score: 0, by: allowed } : null;
}

/** Whether each indicator has a clean reputation or is named by one of these findings. */
function coversAll(reputations: readonly Finding[], covering: readonly Finding[]): boolean {
  return reputations.every(
    ({ fact, points }) => points < 0 || covering.some((each) => covers(each, fact) || (points === 0 && coversSite(each, fact))),
  );
}

function isConclusion({ fact }: Finding): boolean {
  return fact !== undefined && FACT_RULES[fact.name].group === 'conclusion';
}

function isBehaviour({ fact }: Finding): boolean {
  return fact?.name === 'behaviour';
}

function isOpenRecord(fact: Fact | undefined): boolean {
  return fact !== undefined && FACT_RULES[fact.name].group === 'open-record';
}

function isReputation({ kind, fact }: Finding): boolean {
  return kind === 'finding' && fact !== undefined && FACT_RULES[fact.name].group === 'reputation';
}

/** The closest first, then the newest, then the one that names most of the alert: two answers can hold the same record. */
function compareConclusions(a: Finding, b: Finding): number {
  return linkRank(a) - linkRank(b) || readTime(b) - readTime(a) || countNamed(b) - countNamed(a);
}

function countNamed({ fact }: Finding): number {
  return fact?.about?.length ?? 0;
}

function linkRank({ fact }: Finding): number {
  return FACT_LINKS.indexOf(fact?.link ?? 'asset');
}

function readTime({ fact }: Finding): number {
  return fact?.at ?? 0;
}

function coverageRank({ fact }: Finding): number {
  return COVERAGES.indexOf(fact?.covers ?? 'entity');
}

/** Whether the person's record names the indicator. */
function covers(benign: Finding, fact: Fact | undefined): boolean {
  return (fact?.about ?? []).some((value) => [value, readSite(value)].some((each) => benign.fact?.about?.includes(each)));
}

/** Whether the persons' records name everything that the open record shares with the alert: otherwise it can be about something else. */
function coversEach(covering: readonly Finding[], fact: Fact | undefined): boolean {
  return (fact?.about ?? []).every((value) => covering.some((each) => each.fact?.about?.includes(value)));
}

/** Whether the person's record names a page of the domain: without a reputation, a link and its domain are one indicator. */
function coversSite(benign: Finding, fact: Fact | undefined): boolean {
  const sites = (benign.fact?.about ?? []).map(readSite);
  return (fact?.about ?? []).some((value) => sites.includes(value));
}

/** What happened after the conclusion, the person did not know. A reputation has no time: the person knew the indicator. */
function isNewer(finding: Finding, benign: Finding): boolean {
  const { points, fact } = finding;
  const isTimeless = fact !== undefined && ['reputation', 'contact', 'conclusion'].includes(FACT_RULES[fact.name].group);
  if (points < SERIOUS_FROM || isTimeless) return false;
  return fact?.at == null || fact.at > readTime(benign) + CLOCK_TOLERANCE_SECONDS;
}

function scoreMalicious(counted: readonly Finding[]): number {
  return Math.max(80, Math.min(100, sumPoints(counted.filter(({ points }) => points > 0))));
}

function sumPoints(findings: readonly Finding[]): number {
  return findings.reduce((sum, { points }) => sum + points, 0);
}

function weighPoints(counted: readonly Finding[], gaps: readonly EvidenceDraft[]): { verdict: Verdict; score: number } {
  const findings = counted.filter((finding) => !isConclusion(finding));
  const strongest = Math.max(0, ...findings.filter((finding) => !isExplained(finding, findings)).map(({ points }) => points));
  // Harmless facts count only if there is no notable finding.
  const sum = sumPoints(strongest >= SUSPICIOUS_FROM ? findings.filter(({ points }) => points > 0) : findings);
  const total = Math.min(strongest >= SERIOUS_FROM ? 100 : MALICIOUS_FROM - 1, sum);
  return { verdict: chooseVerdict(total, mayBeBenign(findings, gaps)), score: Math.max(0, total) };
}

/** An open record is only a question. A decisive finding against malice, such as a booked trip, answers it. */
function isExplained({ fact }: Finding, findings: readonly Finding[]): boolean {
  return isOpenRecord(fact) && findings.some(({ points }) => points <= -DECISIVE_FROM);
}

function chooseVerdict(total: number, isBenignAllowed: boolean): Verdict {
  if (total >= MALICIOUS_FROM) return 'malicious';
  if (total >= SUSPICIOUS_FROM) return 'suspicious';
  return total < 0 && isBenignAllowed ? 'benign' : 'inconclusive';
}

/** Needs one decisive finding or two sources (the alert itself counts as one), and no part of the alert left out. */
function mayBeBenign(findings: readonly Finding[], gaps: readonly EvidenceDraft[]): boolean {
  const against = findings.filter(({ points }) => points < 0);
  const isSupported = countSources(against) > 1 || against.some(({ points }) => points <= -DECISIVE_FROM);
  return isSupported && !isLeftOut(gaps);
}

function isLeftOut(gaps: readonly EvidenceDraft[]): boolean {
  return gaps.some(({ step }) => step.startsWith(LEFT_OUT));
}

function countSources(findings: readonly Finding[]): number {
  return new Set(findings.map(({ source }) => source?.connector ?? 'the alert')).size;
}

/** Measured by `npm run quality`: at least 95 % of the verdicts with a confidence of 80 or more are correct. */
const CONFIDENCE: Readonly<Record<Verdict, { readonly oneSource: number; readonly moreSources: number }>> = {
  malicious: { oneSource: 75, moreSources: 90 },
  suspicious: { oneSource: 60, moreSources: 70 },
  benign: { oneSource: 70, moreSources: 80 },
  inconclusive: { oneSource: 40, moreSources: 40 },
};
/** A conclusion about the same activity, or about the same indicator, machine or account on another occasion. */
const CONFIDENCE_OF_PERSON = { sameActivity: 95, otherwise: 75 } as const;
const CONFIDENCE_LOST_PER_GAP = 10;

function judgeConfidence(verdict: Verdict, by: Finding | null, counted: readonly Finding[], gaps: readonly EvidenceDraft[]): number {
  const supporting = counted.filter(({ points }) => (verdict === 'benign' ? points < 0 : points > 0));
  const { oneSource, moreSources } = CONFIDENCE[verdict];
  const byFacts = countSources(supporting) > 1 ? moreSources : oneSource;
  const isPersons = by !== null && verdict !== 'suspicious';
  const base = isPersons ? CONFIDENCE_OF_PERSON[by.fact?.covers === 'activity' ? 'sameActivity' : 'otherwise'] : byFacts;
  const lost = gaps.length * CONFIDENCE_LOST_PER_GAP;
  return counted.length === 0 ? 0 : Math.max(0, base - lost);
}

const HEADLINES: Record<Verdict, string> = {
  malicious: 'Malicious',
  suspicious: 'Suspicious',
  benign: 'Benign',
  inconclusive: 'Inconclusive: no finding decides the verdict',
};

/** The findings with the most points first, then what no third party knows, gaps last. */
function listReasons(
  findings: readonly EvidenceDraft[],
  unknown: readonly EvidenceDraft[],
  gaps: readonly EvidenceDraft[],
): VerdictReason[] {
  const sorted = [...findings].sort((a, b) => Math.abs(b.points) - Math.abs(a.points) || compareSteps(a, b));
  return [
    ...sorted.slice(0, 5).map(({ points, title, reason }) => ({ points, text: `${title}: ${clip(reason, REASON_LENGTH)}` })),
    ...unknown.slice(0, 5).map(({ title, reason }) => ({ points: null, text: `${title}: ${clip(reason, REASON_LENGTH)}` })),
    ...(gaps.length > 0 ? [{ points: null, text: `Not answered: ${gaps.map(({ title }) => title).join('; ')}.` }] : []),
  ].map(({ points, text }) => ({ points, text: clip(text, SUMMARY_LENGTH) }));
}

function writeSummary(verdict: Verdict, score: number, reasons: readonly VerdictReason[]): string {
  const lines = reasons.map(({ points, text }) => (points === null ? text : `${points > 0 ? '+' : ''}${points} ${text}`));
  return clip([`${HEADLINES[verdict]} (score ${score}).`, ...lines].join('\n'), SUMMARY_LENGTH);
}

interface StoredReasons {
  readonly summary: string;
  /** null: an older version wrote the row. */
  readonly reasons: readonly StoredReason[] | null;
}

/** The stored reasons of the verdict. */
export function readReasons({ reasons, summary }: StoredReasons): VerdictReason[] {
  if (reasons === null) return parseSummary(summary);
  return reasons.filter(({ about }) => about === undefined).map(({ points, text }) => ({ points, text }));
}

/** The stored reasons of the severity. */
export function readSeverityReasons({ reasons }: Pick<StoredReasons, 'reasons'>): string[] {
  return (reasons ?? []).flatMap(({ about, text }) => (about === 'severity' ? [text] : []));
}

export function storeReasons(reasons: readonly VerdictReason[], severityReasons: readonly string[]): StoredReason[] {
  return [...reasons, ...severityReasons.map((text) => ({ points: null, text, about: 'severity' as const }))];
}

const FINDING_LINE = /^([+-]\d+) (.*)$/;

/** Only for rows from before verdicts stored their reasons: the reverse of `writeSummary`. */
function parseSummary(summary: string): VerdictReason[] {
  const [, ...lines] = summary.split('\n');
  return lines.map((line) => {
    const [, points, text] = FINDING_LINE.exec(line) ?? [];
    return points === undefined || text === undefined ? { points: null, text: line } : { points: Number(points), text };
  });
}

const MOST_SEVERE_FIRST: readonly (Verdict | null)[] = ['malicious', 'suspicious', 'inconclusive', 'benign', null];

/** The judgements of a case's alerts, the decisive one first. */
export function rankJudgements<Judgement extends { readonly verdict: Verdict | null; readonly score: number | null }>(
  judgements: readonly Judgement[],
): Judgement[] {
  const rank = ({ verdict }: Judgement) => MOST_SEVERE_FIRST.indexOf(verdict);
  return judgements.toSorted((one, other) => rank(one) - rank(other) || (other.score ?? 0) - (one.score ?? 0));
}

interface StoredSeverity {
  readonly alertId: string;
  readonly severity: Severity | null;
  readonly reasons: readonly StoredReason[] | null;
}

/** The highest severity of a case's alerts, and why: an alert with a milder verdict can be the more urgent one. */
export function combineSeverities(judgements: readonly StoredSeverity[]): { severity: Severity | null; severityReasons: string[] } {
  const known = judgements.flatMap(({ severity }) => severity ?? []);
  if (known.length === 0) return { severity: null, severityReasons: [] };
  const severity = known.reduce(moreSevere);
  const deciding = judgements.filter((each) => each.severity === severity);
  const isOne = judgements.length === 1;
  const reasons = deciding.flatMap((each) => readSeverityReasons(each).map((reason) => (isOne ? reason : `${each.alertId}: ${reason}`)));
  return { severity, severityReasons: reasons.slice(0, MAX_SEVERITY_REASONS) };
}

const MAX_SEVERITY_REASONS = 20;

/** The summary and the reasons of a case: those of each alert, the decisive alert first. */
export function combineReasons([decisive, ...others]: readonly (StoredReasons & { readonly alertId: string })[]): {
  summary: string;
  reasons: VerdictReason[];
} {
  if (!decisive) return { summary: '', reasons: [] };
  const lines = others.map(({ alertId, summary }) => `${alertId}: ${summary}`);
  const reasons = others.flatMap((other) => {
    const [headline] = other.summary.split('\n');
    return [{ points: null, text: `${other.alertId}: ${headline}` }, ...readReasons(other)];
  });
  return {
    summary: clip([decisive.summary, ...lines].join('\n'), SUMMARY_LENGTH),
    reasons: limitLength([...readReasons(decisive), ...reasons]),
  };
}

/** A case can have very many alerts. */
function limitLength(reasons: readonly VerdictReason[]): VerdictReason[] {
  let length = 0;
  const end = reasons.findIndex(({ text }) => {
    length += text.length;
    return length > SUMMARY_LENGTH;
  });
  return end === -1 ? [...reasons] : reasons.slice(0, Math.max(1, end));
}
