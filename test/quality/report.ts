import type { Outcome } from './investigate.js';
import { PARTS } from './set.js';

/** Quality thresholds that every change must meet. */
export const RIGHT_AT_LEAST_PERCENT = 95;
export const MALICIOUS_CALLED_BENIGN_AT_MOST = 0;

export interface Quality {
  readonly alerts: number;
  readonly right: number;
  readonly rightPercent: number;
  /** Like rightPercent, but counts only the first of several right verdicts. */
  readonly bestPercent: number;
  readonly byPart: readonly Share[];
  readonly byType: readonly Share[];
  readonly maliciousCalledBenign: readonly string[];
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
const isBest = ({ verdict, alert }: Outcome) => verdict === alert.right[0];
const describeOutcome = ({ part, alert }: Outcome) => `${alert.type}: ${alert.name} (${part})`;

export function measureQuality(outcomes: readonly Outcome[]): Quality {
  const right = outcomes.filter(isRight).length;
  const toPercent = (count: number) => (outcomes.length === 0 ? 0 : (100 * count) / outcomes.length);
  const rightPercent = toPercent(right);
  const maliciousCalledBenign = outcomes.filter(({ alert, verdict }) => alert.isAttack && verdict === 'benign').map(describeOutcome);
  const judged = outcomes.filter(({ analystVerdict }) => analystVerdict !== null);
  const types = [...new Set(outcomes.map(({ alert }) => alert.type))];
  const gaps = outcomes.flatMap((outcome) => [...new Set(outcome.gaps)]);
  const measureShare = (of: string, some: readonly Outcome[]): Share => ({ of, alerts: some.length, right: some.filter(isRight).length });
  return {
    alerts: outcomes.length,
    right,
    rightPercent,
    bestPercent: toPercent(outcomes.filter(isBest).length),
    byPart: PARTS.map((part) =>
      measureShare(
        part,
        outcomes.filter((outcome) => outcome.part === part),
      ),
    ),
    byType: types.map((type) =>
      measureShare(
        type,
        outcomes.filter(({ alert }) => alert.type === type),
      ),
    ),
    maliciousCalledBenign,
    medianMs: Math.round(median(outcomes.map(({ elapsedMs }) => elapsedMs))),
    gapsPerCase: gaps.length / Math.max(1, outcomes.length),
    mostFrequentGaps: [...new Set(gaps)]
      .map((title) => ({ title, cases: gaps.filter((gap) => gap === title).length }))
      .sort((a, b) => b.cases - a.cases)
      .slice(0, 5),
    analystDiffers: { judged: judged.length, differ: judged.filter(({ verdict, analystVerdict }) => verdict !== analystVerdict).length },
    wrong: outcomes.filter((outcome) => !isRight(outcome)).map(wrongVerdict),
    missed: [
      ...(rightPercent < RIGHT_AT_LEAST_PERCENT ? [`${rightPercent.toFixed(1)} % right, at least ${RIGHT_AT_LEAST_PERCENT} %`] : []),
      ...(maliciousCalledBenign.length > MALICIOUS_CALLED_BENIGN_AT_MOST
        ? [`${maliciousCalledBenign.length} malicious called benign`]
        : []),
    ],
  };
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
  const share = ({ of, alerts, right }: Share) => `| ${of} | ${alerts} | ${right} | ${percent(right, alerts)} |`;
  return [
    '| alerts | of them | right | |',
    '|---|---|---|---|',
    share({ of: 'all', alerts: quality.alerts, right: quality.right }),
    ...quality.byPart.map(share),
    ...quality.byType.map(share),
    '',
    '| measure | value | bar |',
    '|---|---|---|',
    `| right | ${quality.rightPercent.toFixed(1)} % | ≥ ${RIGHT_AT_LEAST_PERCENT} % |`,
    `| right, only the best of several right verdicts counted | ${quality.bestPercent.toFixed(1)} % | |`,
    `| malicious called benign | ${quality.maliciousCalledBenign.length} | ${MALICIOUS_CALLED_BENIGN_AT_MOST} |`,
    `| median time to verdict | ${quality.medianMs} ms | |`,
    `| gaps a case | ${quality.gapsPerCase.toFixed(2)} | |`,
    ...quality.mostFrequentGaps.map(({ title, cases }) => `| gap: ${title} | ${cases} cases | |`),
    `| analyst's verdict differs | ${analystDiffers.judged === 0 ? 'no case was judged' : `${analystDiffers.differ} of ${analystDiffers.judged}`} | |`,
    ...quality.wrong.map(({ alert, said, right, why, decidedBy }) => `\n**${alert}**: ${said}, right is ${right}. ${why}\n  ${decidedBy}`),
  ].join('\n');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
