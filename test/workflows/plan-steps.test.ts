import { describe, expect, it } from 'vitest';
import { catalogue } from '../../activities/connectors/catalogue.js';
import { plannableSkills } from '../../activities/connectors/kit/define.js';
import { planFor } from '../../domain/playbook/planner.js';
import { Plan } from '../../domain/playbook/playbook.js';
import { runAuthor } from '../../tools/playbooks/author-run.js';
import { generated } from '../../workflows/generated.js';
import { EvidenceLog } from '../../workflows/lib/evidence-log.js';
import {
  type Asked,
  askEach,
  fitsAlert,
  has,
  hasOne,
  readAlertFacts,
  weighRepetition,
  weighTogether,
} from '../../workflows/lib/plan-steps.js';
import { selectEntities } from '../../workflows/lib/playbook-helpers.js';

const newBook = () => new EvidenceLog();
const listPoints = (book: EvidenceLog) => book.entries.filter(({ kind }) => kind === 'finding').map(({ points }) => points);

/** Asks about each, and finds what the points say; null where nothing weighs. */
async function question(book: EvidenceLog, id: string, points: Readonly<Record<string, number | null>>, atMost = 10): Promise<Asked[]> {
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
    expect(listPoints(book)).toEqual([45]);
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
    expect(listPoints(book)).toEqual([-15]);
  });

  it.each([
    ['something unknown beside it', { 'a.example': -15, 'b.example': -15 }, { f00: null }],
    ['something bad beside it', { 'a.example': -15 }, { f00: 55 }],
  ])('does not count what is good with %s', async (_, domains, hashes) => {
    const book = newBook();
    weighTogether(book, await question(book, 'domain', domains), await question(book, 'hash', hashes));
    expect(listPoints(book).filter((points) => points < 0)).toEqual([]);
  });

  it('does not count what is good where some were left out', async () => {
    const book = newBook();
    weighTogether(book, await question(book, 'domain', { 'a.example': -15, 'b.example': -15, 'c.example': -15 }, 2));
    expect(listPoints(book)).toEqual([]);
    expect(book.entries.filter(({ kind }) => kind === 'gap').map(({ step }) => step)).toEqual([expect.stringMatching(/^left-out-/)]);
  });
});

it('weighs a repetition once, however much of the alert is repeated', async () => {
  const book = newBook();
  const shared = ['a', 'b', 'c'].map((value) => ({ kind: 'host' as const, value, alertCount: 40, alertIds: ['T-1'] }));
  await weighRepetition({ evidence: book, correlate: async () => shared }, { by: ['host'], withinDays: 30 });
  expect(listPoints(book)).toEqual([15]);
});

it('saves each step once in a batch, and each entry in one batch', () => {
  const log = new EvidenceLog();
  log.finding(15, 'First', 'because', { step: 'same' });
  log.note('Second', 'because', { step: 'same' });
  expect(log.takeUnsaved().map(({ title }) => title)).toEqual(['Second']);
  expect(log.hasUnsaved).toBe(false);
});

it('tells the intelligence platform nothing of our own networks', () => {
  const asks = planFor('Anything', plannableSkills(catalogue)).steps.filter((step) => step.do === 'ask');
  const enrichment = asks.find(
    ({ skill, each }) => skill === 'threatIntelligence.getEnrichment' && each.of === 'entity' && each.kind === 'ip',
  );
  if (enrichment?.each.of !== 'entity') throw new Error('nothing asks about addresses');
  const entities = ['10.1.2.3', '203.0.113.7', 'fe80::1', '192.168.0.9'].map((value) => ({ kind: 'ip' as const, value }));
  expect(selectEntities(entities, enrichment.each)).toEqual(['203.0.113.7']);
});

describe('a stored plan about a sign-in of somebody who travels', () => {
  const place = (city: string) => ({ city, country: null, state: null, airport_code: null });
  const booking = { cancelled: false, start_date: '2026-01-14', origin: place('Lisbon'), destination: place('Singapore'), segments: [] };
  const journeys = {
    trips: [{ name: 'Port visit', start_date: '2026-01-14', cancelled: false, places: [place('Lisbon')], bookings: [booking] }],
  };

  const alertFrom = (from: string) => ({
    id: 'TEST-1',
    type: 'Odd sign-in',
    provider: 'test',
    organization: 'TEST',
    createdAt: Date.parse('2026-01-15T12:00:00Z') / 1000,
    createdAtSource: null,
    content: `dana@corp.example signed in from ${from}`,
    contentTruncated: false,
  });

  /** What the plan says of the journeys, when nothing else is known. */
  async function runPlan(plan: Plan, from: string) {
    const { evidence } = await runAuthor(generated, {
      alert: alertFrom(from),
      entities: [{ kind: 'email', value: 'dana@corp.example' }],
      plan,
      answer: ({ name }) => (name === 'travelBooking.searchUserTravel' ? { ...journeys } : null),
      correlate: async () => [],
    });
    const about = evidence.filter(({ step }) => step === 'travel-booking-search-user-travel-email-1');
    return about.map(({ kind, points, title, reason }) => ({ kind, points, title, reason }));
  }
  const made = planFor('Odd sign-in', plannableSkills(catalogue));

  it('is relieved by a journey to where it happened', async () => {
    expect(await runPlan(made, 'Singapore')).toMatchObject([
      { kind: 'finding', points: -35, title: 'A booked trip explains the place: dana@corp.example' },
    ]);
  });

  it.each(['Lagos', 'Lisbon', 'an unnamed place'])('is not relieved by it for a sign-in from %s, in words', async (from) => {
    expect(await runPlan(made, from)).toMatchObject([
      {
        kind: 'note',
        points: 0,
        title: expect.stringContaining('do not lead to the places in the alert'),
        reason: expect.stringContaining('Port visit'),
      },
    ]);
  });

  it('weighs as it always did where the plan is of the form that compares no places', async () => {
    const steps = made.steps.map((step) => {
      if (step.do !== 'ask' || step.skill !== 'travelBooking.searchUserTravel') return step;
      const when = [
        { path: 'trips[].places[].city', is: 'present' },
        { path: 'trips[].cancelled', is: 'equals', value: 'false' },
      ];
      return { ...step, proves: [{ when, points: -35, says: 'The person is booked to travel at that time', techniques: [] }] };
    });
    expect(await runPlan(Plan.parse({ steps }), 'Lagos')).toMatchObject([{ kind: 'finding', points: -35 }]);
  });

  it('is asked of the same way by the words of a playbook that was ejected from it', () => {
    const leadsTo = (from: string) => {
      const facts = readAlertFacts(alertFrom(from));
      return hasOne(
        journeys,
        'trips[].bookings[]',
        (item) =>
          has(item, 'cancelled', 'equals', 'false') &&
          fitsAlert(item, 'start_date', 'by-alert-time', facts) &&
          fitsAlert(item, ['destination', 'segments[].arrival'], 'alert-place', facts),
      );
    };
    expect(['Singapore', 'Lagos', 'Lisbon'].map(leadsTo)).toEqual([true, false, false]);
  });
});
