import { describe, expect, it } from 'vitest';
import { catalogue } from '../../activities/connectors/catalogue.js';
import { plannableSkills } from '../../activities/connectors/define.js';
import type { EvidenceDraft } from '../../domain/case.js';
import { planFor } from '../../domain/planner.js';
import { EvidenceBook } from '../../workflows/evidence.js';
import { type Asked, askEach, weighRepetition, weighTogether } from '../../workflows/plan-steps.js';
import { entitiesOf } from '../../workflows/questions.js';

const newBook = () => new EvidenceBook(async () => {});
const pointsOf = (book: EvidenceBook) => book.entries.filter(({ kind }) => kind === 'finding').map(({ points }) => points);

/** Asks about each, and finds what the points say; null where nothing weighs. */
async function question(book: EvidenceBook, id: string, points: Readonly<Record<string, number | null>>, atMost = 10): Promise<Asked[]> {
  const asked = await askEach(book, { id, atMost }, Object.keys(points), async (item) => ({ item }));
  for (const { about, step } of asked) {
    const weight = points[about] ?? null;
    if (weight !== null) book.finding(weight, `About ${about}`, 'because', { step });
  }
  return asked;
}

describe('what one skill answered, weighed together', () => {
  it('counts the gravest of a question once, and the rest stays to be read', async () => {
    const book = newBook();
    weighTogether(book, await question(book, 'ip', { '203.0.113.1': 15, '203.0.113.2': 45, '203.0.113.3': 45 }));
    expect(pointsOf(book)).toEqual([45]);
    expect(book.entries.filter(({ kind }) => kind === 'note').map(({ title }) => title)).toEqual([
      'About 203.0.113.1',
      'About 203.0.113.3',
    ]);
  });

  it('counts what is good once, where everything is', async () => {
    const book = newBook();
    weighTogether(
      book,
      await question(book, 'ip', { '192.0.2.1': -15, '10.0.0.1': null }),
      await question(book, 'domain', { 'a.example': -15 }),
    );
    expect(pointsOf(book)).toEqual([-15]);
  });

  it.each([
    ['something unknown beside it', { 'a.example': -15, 'b.example': -15 }, { f00: null }],
    ['something bad beside it', { 'a.example': -15 }, { f00: 55 }],
  ])('does not count what is good with %s', async (_, domains, hashes) => {
    const book = newBook();
    weighTogether(book, await question(book, 'domain', domains), await question(book, 'hash', hashes));
    expect(pointsOf(book).filter((points) => points < 0)).toEqual([]);
  });

  it('does not count what is good where some were left out', async () => {
    const book = newBook();
    weighTogether(book, await question(book, 'domain', { 'a.example': -15, 'b.example': -15, 'c.example': -15 }, 2));
    expect(pointsOf(book)).toEqual([]);
    expect(book.entries.filter(({ kind }) => kind === 'gap').map(({ step }) => step)).toEqual([expect.stringMatching(/^left-out-/)]);
  });
});

it('weighs a repetition once, however much of the alert is repeated', async () => {
  const book = newBook();
  const shared = ['a', 'b', 'c'].map((value) => ({ kind: 'host' as const, value, alertCount: 40, alertIds: ['T-1'] }));
  await weighRepetition({ evidence: book, correlate: async () => shared }, { by: ['host'], withinDays: 30 });
  expect(pointsOf(book)).toEqual([15]);
});

it('saves a step that was said twice only once in a batch', async () => {
  const batches: EvidenceDraft[][] = [];
  const book = new EvidenceBook(async (entries) => void batches.push(entries));
  book.finding(15, 'First', 'because', { step: 'same' });
  book.note('Second', 'because', { step: 'same' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches.map((batch) => batch.map(({ title }) => title))).toEqual([['Second']]);
});

it('tells the intelligence platform nothing of our own networks', () => {
  const asks = planFor('Anything', plannableSkills(catalogue)).steps.filter((step) => step.do === 'ask');
  const enrichment = asks.find(
    ({ skill, each }) => skill === 'threatIntelligence.getEnrichment' && each.of === 'entity' && each.kind === 'ip',
  );
  if (enrichment?.each.of !== 'entity') throw new Error('nothing asks about addresses');
  const entities = ['10.1.2.3', '203.0.113.7', 'fe80::1', '192.168.0.9'].map((value) => ({ kind: 'ip' as const, value }));
  expect(entitiesOf(entities, enrichment.each)).toEqual(['203.0.113.7']);
});
