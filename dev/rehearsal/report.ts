export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

export interface Timing {
  readonly name: string;
  readonly value: string;
}

/** A check that throws fails with the error as its detail. */
export async function check(name: string, look: () => Promise<{ ok: boolean; detail: string }>): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

export function formatReport(checks: readonly Check[], timings: readonly Timing[]): string {
  const failed = checks.filter(({ ok }) => !ok).length;
  const width = Math.max(...[...checks, ...timings].map(({ name }) => name.length));
  const lines = [
    ...checks.map(({ name, ok, detail }) => `  ${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(width)}  ${detail}`),
    '',
    ...timings.map(({ name, value }) => `          ${name.padEnd(width)}  ${value}`),
    '',
    failed === 0 ? `The rehearsal passed: ${checks.length} checks.` : `The rehearsal FAILED: ${failed} of ${checks.length} checks.`,
  ];
  return lines.join('\n');
}

/** By the nearest-rank method. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
