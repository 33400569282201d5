import { expect, it } from 'vitest';
import { addGapsOfParts, createAnswerReader } from '../../workflows/lib/answer-reader.js';
import { noteRead, rememberAnswer } from '../../workflows/lib/answer-source.js';
import { EvidenceRecorder } from '../../workflows/lib/evidence-log.js';

const alert = { places: [], at: 0, text: '', entities: [] };
const source = { connector: 'c', connection: 'main', skill_id: 'List things', result_id: 'r-1' };
const proves = [{ when: [{ path: 'items[].id', is: 'absent' as const }], points: -10, says: 'Nothing', techniques: [] }];

function answered<Output extends object>(output: Output, isTruncated = false): Output {
  rememberAnswer(output, source, isTruncated);
  return output;
}

function listGaps(log: EvidenceRecorder) {
  return log.entries.map(({ kind, title, reason }) => [kind, title, reason]);
}

it('reads the stored answer if the history holds a part', async () => {
  const evidence = new EvidenceRecorder();
  const stored = { proof: null, shown: 'id: 20', taken: {} };
  const asked: string[] = [];
  const read = createAnswerReader({
    alert,
    evidence,
    readStored: async ({ resultId }) => {
      asked.push(resultId);
      return stored;
    },
  });
  expect(await read(answered({ items: [] }, true), { proves })).toBe(stored);
  expect(read(answered({ items: [] }), { proves })).toMatchObject({ proof: { index: 0 } });
  expect(asked).toEqual(['r-1']);
  expect(listGaps(evidence)).toEqual([]);
});

it('concludes no absence from the part of a deleted answer, and leaves a gap', async () => {
  const evidence = new EvidenceRecorder();
  const read = createAnswerReader({ alert, evidence, readStored: async () => null });
  expect(await read(answered({ items: [] }, true), { proves })).toMatchObject({ proof: null });
  expect(listGaps(evidence)).toMatchObject([['gap', 'List things: the list is incomplete', expect.stringContaining('deleted')]]);
});

it('leaves a gap for a list that the third party did not end, unless the playbook only shows it', async () => {
  const evidence = new EvidenceRecorder();
  const read = createAnswerReader({ alert, evidence });
  await read(answered({ items: [], cut: 'There are more.' }), { shows: ['items[].id'] });
  expect(listGaps(evidence)).toEqual([]);
  await read(answered({ items: [], cut: 'There are more.' }), { proves });
  await read(answered({ items: [], cut: 'There are more.' }), { takes: [{ path: 'items[].id' }] });
  expect(listGaps(evidence)).toEqual([['gap', 'List things: the list is incomplete', 'There are more.']]);
});

it('leaves a gap for each part that the code of a playbook judged as the whole', () => {
  const evidence = new EvidenceRecorder();
  const whole = answered({ items: [1], cut: null });
  const read = answered({ items: [2], cut: null }, true);
  noteRead(read);
  const outputs = [whole, read, answered({ items: [3], cut: null }, true), answered({ items: [4], cut: 'There are more.' })];
  const answers = outputs.map((output) => ({ source, input: {}, output }));
  addGapsOfParts(answers, evidence);
  expect(listGaps(evidence).map(([, , reason]) => reason)).toEqual([expect.stringContaining('first part'), 'There are more.']);
});
