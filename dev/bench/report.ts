import { round } from './measures.js';

/** A target for a measured value, with one of the two bounds. */
export interface Bar {
  readonly name: string;
  readonly measured: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Part {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<ReadonlyArray<string | number>>;
  readonly bars: readonly Bar[];
  /** How the values were measured, in addition to the table. */
  readonly notes?: readonly string[];
  /** The single measurements. */
  readonly details?: unknown;
}

export function isMet({ measured, atLeast = -Infinity, atMost = Infinity }: Bar): boolean {
  return measured >= atLeast && measured <= atMost;
}

export function renderMarkdown(parts: readonly Part[]): string {
  const tables = parts.map((part) =>
    [`### ${part.title}`, '', renderTable(part.columns, part.rows), ...(part.notes ?? []).flatMap((note) => ['', note])].join('\n'),
  );
  const bars = parts.flatMap((part) => part.bars);
  const verdicts = bars.map((bar) => [
    bar.name,
    `${round(bar.measured)}`,
    bar.atLeast === undefined ? `≤ ${bar.atMost}` : `≥ ${bar.atLeast}`,
    isMet(bar) ? 'met' : '**missed**',
  ]);
  return [...tables, ['### Targets', '', renderTable(['target', 'measured', 'bound', ''], verdicts)].join('\n')].join('\n\n');
}

function renderTable(columns: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const line = (cells: ReadonlyArray<string | number>) => `| ${cells.join(' | ')} |`;
  const ruler = `|${columns.map((_, index) => (index === 0 ? '---' : '---:')).join('|')}|`;
  return [line(columns), ruler, ...rows.map(line)].join('\n');
}
