import { expect, it } from 'vitest';
import { sweep, sweepAll } from '../../../services/reconciler/sweep.js';

const ROWS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(4, '0'));

/** As a list of the database: some rows leave it when they are handled. */
function createRows({ fails = [] as string[], stays = (): boolean => true, onHandle = () => {} } = {}) {
  const left = new Set(ROWS);
  const handled: string[] = [];
  const rows = {
    list: async (after: string | null, limit: number) => [...left].filter((row) => after === null || row > after).slice(0, limit),
    keyOf: (row: string) => row,
    async handle(row: string) {
      onHandle();
      handled.push(row);
      if (fails.includes(row)) throw new Error(`row ${row}`);
      if (!stays()) left.delete(row);
    },
  };
  return { rows, handled };
}

function run(given: { after?: string | null; untilMs?: number } = {}) {
  const errors: string[] = [];
  const heartbeats = { count: 0 };
  return {
    errors,
    heartbeats,
    after: null,
    untilMs: Number.POSITIVE_INFINITY,
    heartbeat: () => {
      heartbeats.count += 1;
    },
    onError: (key: string) => void errors.push(key),
    ...given,
  };
}

it.each([
  ['stay', () => true],
  ['leave the list', () => false],
])('handles each row once, in pages, when rows %s', async (_, stays) => {
  const { rows, handled } = createRows({ stays });
  const whole = run();
  expect(await sweep(whole, rows)).toBeNull();
  expect(handled.toSorted()).toEqual(ROWS);
  expect(whole.heartbeats.count).toBe(ROWS.length / 4);
});

it('goes on after rows that throw, and reports each', async () => {
  const { rows, handled } = createRows({ fails: ['0000', '0500'] });
  const whole = run();
  expect(await sweep(whole, rows)).toBeNull();
  expect(handled).toHaveLength(ROWS.length);
  expect(whole.errors).toEqual(['0000', '0500']);
});

it('stops when its time is over, and continues at the next row', async () => {
  const { rows, handled } = createRows();
  let after: string | null = null;
  let calls = 0;
  do {
    // Each call has time for one step.
    after = await sweep(run({ after, untilMs: 0 }), rows);
    calls += 1;
  } while (after !== null);
  expect(handled).toEqual(ROWS);
  expect(calls).toBeGreaterThan(ROWS.length / 4 - 1);
});

it('fails in one call only after all rows had their turn', async () => {
  const { rows, handled } = createRows({ fails: ['0001'] });
  await expect(sweepAll(rows)).rejects.toThrow('row 0001');
  expect(handled).toHaveLength(ROWS.length);
});
