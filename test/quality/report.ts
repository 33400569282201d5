import type { Outcome } from './investigate.js';
import { PARTS, type Part } from './set.js';

/** Quality thresholds that every change must meet, in each part. */
export const RIGHT_AT_LEAST_PERCENT = 95;
export const MAX_MALICIOUS_CALLED_BENIGN = 0;

export interface Quality {
  readonly alerts: number;
  readonly right: number;
  readonly rightPercent: number;
  /** Like right, but counts only the first of several right verdicts. */
  readonly best: number;
  readonly bestPercent: number;
  readonly byPart: readonly Share[];
  readonly byType: readonly Share[];
  /** Of the alerts that state their format. */
  readonly byFormat: readonly Share[];
  /** Of the alerts that state the kinds of the deciding facts. An alert counts for each of its kinds. */
  readonly byFact: readonly Share[];
  readonly calibration: readonly Share[];
  readonly maliciousCalledBenign: readonly string[];
  readonly harmlessCalledMalicious: readonly string[];
  readonly medianMs: number;
  readonly gapsPerCase: number;
  readonly mostFrequentGaps: readonly { readonly title: string; readonly cases: number }[];
  /** The number of cases with an analyst verdict, and how many of them differ. */
  readonly analystDiffers: { readonly judged: number; readonly differ: number };
  readonly wrong: readonly WrongVerdict[];
  readonly missed: readonly string[];
}

interface Share {
  readonly of: string;
  readonly alerts: number;
  readonly right: number;
  /** Only the first of several right verdicts. */
  readonly best: number;
}

interface WrongVerdict {
  readonly alert: string;
  readonly caseId: string;
  readonly said: string;
  readonly right: string;
  readonly why: string;
  readonly decidedBy: string;
}

const isRight = ({ verdict, alert }: Outcome) => verdict !== null && alert.right.includes(verdict);
const isHarmlessCalledMalicious = ({ verdict, alert }: Outcome) =>
  verdict === 'malicious' && !alert.isAttack && !alert.right.includes('malicious');
const isBest = ({ verdict, alert }: Outcome) => verdict === alert.right[0];
/** The bands of confidence, each with its lowest and highest value. */
const BANDS = [
  [0, 39],
  [40, 59],
  [60, 79],
  [80, 100],
] as const;
const describeOutcome = ({ part, alert }: Outcome) => `${alert.type}: ${alert.name} (${part})`;

export function measureQuality(outcomes: readonly Outcome[]): Quality {
  const right = outcomes.filter(isRight).length;
  const best = outcomes.filter(isBest).length;
  const toPercent = (count: number) => (outcomes.length === 0 ? 0 : (100 * count) / outcomes.length);
  const rightPercent = toPercent(right);
  const maliciousCalledBenign = outcomes.filter(({ alert, verdict }) => alert.isAttack && verdict === 'benign').map(describeOutcome);
  const judged = outcomes.filter(({ analystVerdict }) => analystVerdict !== null);
  const gaps = outcomes.flatMap((outcome) => [...new Set(outcome.gaps)]);
  return {
    alerts: outcomes.length,
    right,
    rightPercent,
    best,
    bestPercent: toPercent(best),
    byPart: PARTS.map((name) =>
      measureShare(
        name,
        outcomes.filter(({ part }) => part === name),
      ),
    ),
    byType: shareBy(outcomes, ({ alert }) => [alert.type]),
    byFormat: shareBy(outcomes, ({ alert }) => (alert.format === undefined ? [] : [alert.format])),
    byFact: shareBy(outcomes, ({ alert }) => alert.facts ?? []),
    calibration: BANDS.map(([from, to]) =>
      measureShare(
        `${from}–${to}`,
        outcomes.filter(({ confidence }) => confidence !== null && confidence >= from && confidence <= to),
      ),
    ),
    maliciousCalledBenign,
    harmlessCalledMalicious: outcomes.filter(isHarmlessCalledMalicious).map(describeOutcome),
    medianMs: Math.round(median(outcomes.map(({ elapsedMs }) => elapsedMs))),
    gapsPerCase: gaps.length / Math.max(1, outcomes.length),
    mostFrequentGaps: [...new Set(gaps)]
      .map((title) => ({ title, cases: gaps.filter((gap) => gap === title).length }))
      .sort((a, b) => b.cases - a.cases)
      .slice(0, 5),
    analystDiffers: { judged: judged.length, differ: judged.filter(({ verdict, analystVerdict }) => verdict !== analystVerdict).length },
    wrong: outcomes.filter((outcome) => !isRight(outcome)).map(wrongVerdict),
    missed: [
      ...PARTS.flatMap((part) => {
        const share = percentRight(outcomes, part);
        const isMissed = share !== null && share < RIGHT_AT_LEAST_PERCENT;
        return isMissed ? [`${part}: ${share.toFixed(1)} % right, at least ${RIGHT_AT_LEAST_PERCENT} %`] : [];
      }),
      ...(maliciousCalledBenign.length > MAX_MALICIOUS_CALLED_BENIGN ? [`${maliciousCalledBenign.length} malicious called benign`] : []),
    ],
  };
}

/** null: no alert of this part was measured. */
function percentRight(outcomes: readonly Outcome[], part: Part): number | null {
  const some = outcomes.filter((outcome) => outcome.part === part);
  return some.length === 0 ? null : (100 * some.filter(isRight).length) / some.length;
}

function measureShare(of: string, some: readonly Outcome[]): Share {
  return { of, alerts: some.length, right: some.filter(isRight).length, best: some.filter(isBest).length };
}

/** One share for each value, in the order of the alerts. An outcome counts for each of its values. */
function shareBy(outcomes: readonly Outcome[], read: (outcome: Outcome) => readonly string[]): Share[] {
  const values = [...new Set(outcomes.flatMap(read))];
  return values.map((value) =>
    measureShare(
      value,
      outcomes.filter((outcome) => read(outcome).includes(value)),
    ),
  );
}

function wrongVerdict(outcome: Outcome): WrongVerdict {
  const { alert, caseId, verdict, summary } = outcome;
  return {
    alert: describeOutcome(outcome),
    caseId,
    said: verdict ?? 'failed',
    right: alert.right.join(' or '),
    why: alert.why,
    decidedBy: summary.split('\n').slice(0, 6).join(' | '),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function renderTable(quality: Quality): string {
  const { analystDiffers } = quality;
  return [
    ...table('alerts', [
      { of: 'all', alerts: quality.alerts, right: quality.right, best: quality.best },
      ...quality.byPart,
      ...quality.byType,
    ]),
    ...table('format', quality.byFormat),
    ...table('kind of fact', quality.byFact),
    ...table('confidence', quality.calibration),
    '| measure | value | bar |',
    '|---|---|---|',
    `| right | ${quality.rightPercent.toFixed(1)} % | ≥ ${RIGHT_AT_LEAST_PERCENT} % in each part |`,
    `| right, only the best of several right verdicts counted | ${quality.bestPercent.toFixed(1)} % | |`,
    `| malicious called benign | ${quality.maliciousCalledBenign.length} | ${MAX_MALICIOUS_CALLED_BENIGN} |`,
    `| harmless called malicious | ${quality.harmlessCalledMalicious.length} | |`,
    `| median time to verdict | ${quality.medianMs} ms | |`,
    `| gaps a case | ${quality.gapsPerCase.toFixed(2)} | |`,
    ...quality.mostFrequentGaps.map(({ title, cases }) => `| gap: ${title} | ${cases} cases | |`),
    `| analyst's verdict differs | ${analystDiffers.judged === 0 ? 'no case was judged' : `${analystDiffers.differ} of ${analystDiffers.judged}`} | |`,
    ...quality.wrong.map(({ alert, said, right, why, decidedBy }) => `\n**${alert}**: ${said}, right is ${right}. ${why}\n  ${decidedBy}`),
  ].join('\n');
}

function table(of: string, shares: readonly Share[]): string[] {
  const row = ({ of, alerts, right, best }: Share) =>
    `| ${of} | ${alerts} | ${right} | ${percent(right, alerts)} | ${percent(best, alerts)} |`;
  return [`| ${of} | alerts | right | | best |`, '|---|---:|---:|---:|---:|', ...shares.map(row), ''];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
