import { until } from '../processes/waiting.js';
import type { Installation } from './installation.js';
import { judgeOutcome } from './outcome.js';
import { type Result, writesResult } from './report.js';

/** The reconciler starts a lost run after two to three minutes, and a lost write settles for a minute. */
const ENDED_LIMIT_MS = 300_000;

/** Waits for the writes that a fault interrupted, which can end after their scenario, and counts all writes again. */
export async function checkLastWrites({ pg, endpoints, signal }: Installation): Promise<Result> {
  const problems: string[] = [];
  try {
    await until(
      async () => {
        const [row] = await pg<
          { running: number }[]
        >`select count(*)::int as running from proposals where alert_uuid is null and ended_at is null`;
        return { seen: row?.running === 0, instead: `${row?.running} writes have no end` };
      },
      { limitMs: ENDED_LIMIT_MS, signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    problems.push(error instanceof Error ? error.message : String(error));
  }
  const performed = endpoints.flatMap(({ state }) => state.actions);
  const { doubledWrites } = judgeOutcome({ acknowledged: [], stored: [], requested: [], performed });
  return writesResult({ writes: performed.length, doubledWrites, problems });
}
