import type { RunDescription } from '../processes/bounded-run.js';
import type { Outcome } from './outcome.js';

export interface Result extends Outcome {
  readonly part: string;
  readonly name: string;
  /** The reason why the scenario did not run. */
  readonly skipped: string | null;
  readonly faults: number;
  /** Investigations that were open 60 seconds after the cause was gone. */
  readonly openAfterLimit: number;
  /** From the end of the cause to the end of the last investigation. null: some are still open. */
  readonly secondsUntilLast: number | null;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly tookSeconds: number;
}

type Named = Pick<Result, 'part' | 'name'>;

/** A check that is not a scenario: nothing failed on purpose, and no alert was sent. */
export function writesResult(writes: Pick<Result, 'writes' | 'doubledWrites' | 'problems'>): Result {
  return { ...NOTHING, part: 'writes', name: 'all writes, at the end of the run', secondsUntilLast: 0, ...writes };
}

export function skippedResult({ part, name }: Named, reason: string): Result {
  return { ...NOTHING, part, name, skipped: reason };
}

/** The scenario itself ended with an error. */
export function failedResult({ part, name }: Named, problem: string): Result {
  return { ...NOTHING, part, name, problems: [problem] };
}

const NOTHING = {
  skipped: null,
  faults: 0,
  alerts: 0,
  lost: [],
  doubled: [],
  open: [],
  failed: [],
  failedWithoutReason: [],
  writes: 0,
  lostWrites: [],
  doubledWrites: [],
  openAfterLimit: 0,
  secondsUntilLast: null,
  problems: [],
  notes: [],
  tookSeconds: 0,
} satisfies Partial<Result>;

/** Every violation as text. Empty: the scenario met its targets. */
export function listViolations(result: Result): string[] {
  const counted: [string, readonly string[]][] = [
    ['alerts lost', result.lost],
    ['alerts doubled', result.doubled],
    ['alerts failed without a reason', result.failedWithoutReason],
    ['writes lost', result.lostWrites],
    ['writes doubled', result.doubledWrites],
  ];
  return [
    ...counted.filter(([, found]) => found.length > 0).map(([what, found]) => `${found.length} ${what} (${found.slice(0, 3).join(', ')})`),
    ...(result.openAfterLimit > 0 ? [`${result.openAfterLimit} investigations open after 60 s`] : []),
    ...result.problems,
  ];
}

const COLUMNS = [
  'Fault',
  'Times',
  'Alerts',
  'Lost',
  'Doubled',
  'Open after 60 s',
  'Failed',
  'Last ended after',
  'Writes',
  'Lost',
  'Doubled',
  '',
];

export function renderTable(results: readonly Result[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rows = results.map((result) => {
    if (result.skipped !== null) return [result.name, ...Array<string>(COLUMNS.length - 2).fill(''), 'skipped'];
    const last = result.secondsUntilLast === null ? 'not yet' : `${result.secondsUntilLast} s`;
    const alerts = [result.alerts, result.lost.length, result.doubled.length, result.openAfterLimit, result.failed.length, last];
    const writes = [result.writes, result.lostWrites.length, result.doubledWrites.length];
    return [result.name, result.faults, ...alerts, ...writes, listViolations(result).length === 0 ? 'met' : '**missed**'];
  });
  const ruler = `|---|${'---:|'.repeat(COLUMNS.length - 2)}---|`;
  return [line(COLUMNS), ruler, ...rows.map(line)].join('\n');
}

/** The table with the notes and violations below it. */
export function renderReport(results: readonly Result[], facts: RunDescription & { readonly seed: number }): string {
  const details = results.flatMap((result) => [
    ...(result.skipped === null ? [] : [`- ${result.name}: skipped. ${result.skipped}`]),
    ...listViolations(result).map((text) => `- ${result.name}: **missed**: ${text}`),
    ...result.notes.map((note) => `- ${result.name}: ${note}`),
  ]);
  const origin = `Run of ${facts.date}: ${facts.minutes} minutes, seed ${facts.seed}, ${facts.machine}.`;
  return [origin, '', renderTable(results), ...(details.length > 0 ? ['', ...details] : [])].join('\n');
}
