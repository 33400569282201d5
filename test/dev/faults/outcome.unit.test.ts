import { describe, expect, it } from 'vitest';
import { judgeOutcome, type StoredAlert } from '../../../dev/faults/outcome.js';
import { between, createRandom } from '../../../dev/faults/random.js';
import { failedResult, listViolations, type Result, renderTable, skippedResult } from '../../../dev/faults/report.js';

const completed = (number: number, changes: Partial<StoredAlert> = {}): StoredAlert => ({
  alertId: `DEMO-SIEM-${number}`,
  content: `content ${number}`,
  status: 15,
  investigationNo: 1,
  openedCases: 1,
  inCases: 1,
  ends: 1,
  summary: 'Benign.',
  ...changes,
});
const write = (comment: string) => ({ requestorComment: `${comment} [alert-investigator ${comment}-key]` });

function judge(given: Partial<Parameters<typeof judgeOutcome>[0]>) {
  const stored = given.stored ?? [];
  return judgeOutcome({ acknowledged: stored, stored, requested: [], performed: [], ...given });
}

describe('the check of a fault run', () => {
  it('finds nothing if each alert exists once, with one case and one end', () => {
    const outcome = judge({
      stored: [completed(1), completed(2, { status: 20, summary: 'The investigation failed: no answer' })],
      requested: [{ comment: 'write 1', isDone: true }],
      performed: [write('write 1')],
    });
    expect(outcome).toEqual({
      alerts: 2,
      lost: [],
      doubled: [],
      open: [],
      failed: ['DEMO-SIEM-2'],
      failedWithoutReason: [],
      writes: 1,
      lostWrites: [],
      doubledWrites: [],
    });
  });

  it('finds alerts that are missing, have the content of another one, or have no case', () => {
    const acknowledged = [completed(1), completed(2), completed(3)];
    const stored = [completed(2, { content: 'content 9' }), completed(3, { openedCases: 0, inCases: 0 })];
    expect(judge({ acknowledged, stored }).lost).toEqual(['DEMO-SIEM-1', 'DEMO-SIEM-2', 'DEMO-SIEM-3']);
  });

  it('finds alerts that exist twice, or have a second case or a second end', () => {
    expect(judge({ stored: [completed(1), completed(2, { content: 'content 1' })] }).doubled).toEqual(['content 1']);
    expect(judge({ stored: [completed(1, { openedCases: 2 })] }).doubled).toEqual(['DEMO-SIEM-1']);
    expect(judge({ stored: [completed(1, { ends: 2 })] }).doubled).toEqual(['DEMO-SIEM-1']);
    expect(judge({ stored: [completed(1, { ends: 2, investigationNo: 2 })] }).doubled).toEqual([]);
    expect(judge({ acknowledged: [completed(1), completed(1)], stored: [completed(1)] }).doubled).toEqual(['DEMO-SIEM-1']);
  });

  it('finds open investigations, which have no case yet, and failures without a reason', () => {
    const stored = [completed(1, { status: 5, openedCases: 0, inCases: 0, ends: 0 }), completed(2, { status: 20, summary: '' })];
    expect(judge({ stored })).toMatchObject({ lost: [], open: ['DEMO-SIEM-1'], failedWithoutReason: ['DEMO-SIEM-2'] });
  });

  it('finds writes that are at the third party twice, and done writes that are not there', () => {
    const requested = [
      { comment: 'write 1', isDone: true },
      { comment: 'write 2', isDone: true },
      { comment: 'write 3', isDone: false },
    ];
    expect(judge({ requested, performed: [write('write 1'), write('write 1')] })).toMatchObject({
      doubledWrites: ['write 1'],
      lostWrites: ['write 2'],
    });
  });
});

describe('the report of a fault run', () => {
  const scenario = { part: 'kills', name: 'kill -9 of the API' };
  const met: Result = { ...skippedResult(scenario, ''), skipped: null, faults: 10, alerts: 50, secondsUntilLast: 4.2 };

  it('counts a violation of each target', () => {
    expect(listViolations(met)).toEqual([]);
    const missed = { ...met, lost: ['a'], doubled: ['b'], doubledWrites: ['c'], openAfterLimit: 2, problems: ['odd'] };
    expect(listViolations(missed)).toEqual([
      '1 alerts lost (a)',
      '1 alerts doubled (b)',
      '1 writes doubled (c)',
      '2 investigations open after 60 s',
      'odd',
    ]);
    expect(listViolations(failedResult(scenario, 'worker ended'))).toEqual(['worker ended']);
  });

  it('shows the result of each scenario', () => {
    const table = renderTable([met, { ...met, openAfterLimit: 1, secondsUntilLast: null }, skippedResult(scenario, 'no root')]);
    expect(table.split('\n').slice(2)).toEqual([
      '| kill -9 of the API | 10 | 50 | 0 | 0 | 0 | 0 | 4.2 s | 0 | 0 | 0 | met |',
      '| kill -9 of the API | 10 | 50 | 0 | 0 | 1 | 0 | not yet | 0 | 0 | 0 | **missed** |',
      '| kill -9 of the API |  |  |  |  |  |  |  |  |  |  | skipped |',
    ]);
  });
});

it('has the same random moments for the same seed', () => {
  const [one, same, other] = [1, 1, 2].map((seed) => Array.from({ length: 5 }, createRandom(seed)));
  expect(one).toEqual(same);
  expect(one).not.toEqual(other);
  const random = createRandom(3);
  for (let count = 0; count < 100; count += 1) expect(Math.abs(between(random, 200, 4_000) - 2_100)).toBeLessThanOrEqual(1_900);
});
