import { describe, expect, it } from 'vitest';
import { groupEvidence, PROPOSED, titleWithoutFinding } from '../../../domain/case/evidence-groups.js';
import type { Evidence } from '../../../domain/verdict/evidence.js';

const SOURCE = { connector: 'endpoint-detection', connection: 'main', skill_id: 'List machines' };

const entry = (title: string, more: Partial<Evidence> = {}): Evidence => ({
  evidence_id: title,
  step: 'step',
  kind: 'note',
  source: SOURCE,
  title,
  points: 0,
  reason: 'x',
  techniques: [],
  at: 1,
  alert_id: 'A-1',
  investigation_no: 1,
  attempt: 1,
  ...more,
});

describe('the groups of the evidence', () => {
  it('contain each entry once, without the notes about proposals', () => {
    const groups = groupEvidence([
      entry('small', { kind: 'finding', points: 10 }),
      entry('against', { kind: 'finding', points: -40 }),
      entry('unanswered', { kind: 'gap' }),
      entry('record', { step: 'record-incident-1' }),
      entry('details'),
      entry('stated', { source: null }),
      entry(titleWithoutFinding('List machines')),
      entry(`${PROPOSED} Isolate machine`),
    ]);
    const titles = Object.fromEntries(Object.entries(groups).map(([name, entries]) => [name, entries.map(({ title }: Evidence) => title)]));
    expect(titles).toEqual({
      reasons: ['against', 'small'],
      openQuestions: ['unanswered'],
      records: ['record'],
      answers: ['details'],
      context: ['stated'],
      silent: ['List machines: No finding'],
    });
  });
});
