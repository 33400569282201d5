import { describe, expect, it } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';
import { plannableSkills } from '../../connectors/kit/define.js';
import { planFor } from '../../domain/playbook/planner.js';
import { Plan } from '../../domain/playbook/playbook.js';
import type { EvidenceDraft } from '../../domain/verdict/evidence.js';
import { generated } from '../../workflows/generated.js';
import { runAuthor } from '../../workflows/lib/author-run.js';
import { EvidenceRecorder } from '../../workflows/lib/evidence-log.js';
import { askEach, weighRepetition } from '../../workflows/lib/plan-steps.js';
import { selectEntities } from '../../workflows/lib/playbook-helpers.js';

const newLog = () => new EvidenceRecorder();
const listPoints = (log: EvidenceRecorder) => log.entries.filter(({ kind }) => kind === 'finding').map(({ points }) => points);

describe('a question about several items', () => {
  const ask = async (item: string) => ({ item });

  it('is asked up to the limit of its step, and a gap says that a part of the alert was left out', async () => {
    const log = newLog();
    const asked = await askEach(log, { id: 'rate-domain', atMost: 2 }, ['a.example', 'b.example', 'c.example'], ask);
    expect(asked.map(({ about, step }) => [about, step])).toEqual([
      ['a.example', 'rate-domain-1'],
      ['b.example', 'rate-domain-2'],
    ]);
    expect(log.entries).toMatchObject([{ kind: 'gap', step: expect.stringMatching(/^left-out-/), reason: 'Checked 2 of 3.' }]);
  });

  it('records no gap for what an answer found: it is not part of the alert', async () => {
    const log = newLog();
    await askEach(log, { id: 'rate-of-alert', atMost: 1, isHop: true }, ['a.example', 'b.example'], ask);
    expect(log.entries).toEqual([]);
  });

  it('returns only the answers', async () => {
    const asked = await askEach(newLog(), { id: 'rate', atMost: 5 }, ['a', 'b'], async (item) => (item === 'a' ? null : { item }));
    expect(asked.map(({ about, step }) => [about, step])).toEqual([['b', 'rate-2']]);
  });

  it('keeps the steps of the evidence apart, however long the name of the question is', async () => {
    const items = Array.from({ length: 20 }, (_, index) => `${index}`);
    const asked = await askEach(newLog(), { id: 'q'.repeat(97), atMost: 20 }, items, ask);
    expect(new Set(asked.map(({ step }) => step)).size).toBe(20);
    expect(asked.every(({ step }) => step.length <= 100)).toBe(true);
  });
});

it('counts repetition once although several entities of the alert repeat', async () => {
  const log = newLog();
  const shared = ['a', 'b', 'c'].map((value) => ({ kind: 'host' as const, value, alertCount: 40, alertIds: ['T-1'] }));
  weighRepetition(log, shared, 30);
  expect(listPoints(log)).toEqual([5]);
});

it('ignores an entity that a large share of the alerts contains', async () => {
  const log = newLog();
  const frequent = { kind: 'domain' as const, value: 'often.example', alertCount: 300, alertIds: ['T-1'], alertsOfWindow: 1000 };
  const rare = { kind: 'ip' as const, value: '203.0.113.1', alertCount: 2, alertIds: ['T-2'], alertsOfWindow: 1000 };
  weighRepetition(log, [rare, frequent], 30);
  expect(log.entries.map(({ title, reason }) => `${title} ${reason}`)).toEqual([expect.stringMatching(/203\.0\.113\.1(?!.*often)/)]);
  const onlyFrequent = newLog();
  weighRepetition(onlyFrequent, [frequent], 30);
  expect(listPoints(onlyFrequent)).toEqual([]);
});

it('saves each step and each entry in exactly one batch', () => {
  const log = new EvidenceRecorder();
  log.finding(15, 'First', 'because', { step: 'same' });
  log.note('Second', 'because', { step: 'same' });
  expect(log.takeUnsaved().map(({ title }) => title)).toEqual(['Second']);
  expect(log.hasUnsaved).toBe(false);
});

it('does not send internal addresses to the intelligence platform', () => {
  const asks = planFor('Anything', plannableSkills(catalogue)).steps.filter((step) => step.do === 'ask');
  const enrichment = asks.find(
    ({ skill, each }) => skill === 'threatIntelligence.getEnrichment' && each.of === 'entity' && each.kind === 'ip',
  );
  if (enrichment?.each.of !== 'entity') throw new Error('no step asks about addresses');
  const entities = ['10.1.2.3', '203.0.113.7', 'fe80::1', '192.168.0.9'].map((value) => ({ kind: 'ip' as const, value }));
  expect(selectEntities(entities, enrichment.each)).toEqual(['203.0.113.7']);
});

describe('a stored plan for a sign-in of a travelling user', () => {
  const place = (city: string) => ({ city, country: null, state: null, airport_code: null });
  const travel = {
    trips: [
      {
        name: 'Port visit',
        start_date: '2026-01-14',
        cancelled: false,
        places: [place('Lisbon'), place('Singapore')],
        destinations: [place('Singapore')],
      },
    ],
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

  let gaps: readonly EvidenceDraft[] = [];

  /** Returns the plan's evidence about trips, without other evidence. */
  async function runPlan(plan: Plan, from: string, cut: string | null = null) {
    const { evidence } = await runAuthor(generated, {
      alert: alertFrom(from),
      entities: [{ kind: 'email', value: 'dana@corp.example' }],
      plan,
      answer: ({ skillKey }) => (skillKey === 'travelBooking.searchUserTravel' ? { ...travel, cut } : null),
      correlate: async () => [],
    });
    gaps = evidence.filter(({ kind }) => kind === 'gap');
    const about = evidence.filter(({ step }) => step === 'travel-booking-search-user-travel-email-1');
    return about.map(({ kind, points, title, reason }) => ({ kind, points, title, reason }));
  }
  const made = planFor('Odd sign-in', plannableSkills(catalogue));

  it('explains a sign-in from the place of a trip', async () => {
    expect(await runPlan(made, 'Singapore')).toMatchObject([
      { kind: 'finding', points: -40, title: 'A booked trip explains the place: dana@corp.example' },
    ]);
  });

  it.each(['Lagos', 'Lisbon'])('finds no trip that explains a sign-in from %s, and shows the trips', async (from) => {
    expect(await runPlan(made, from)).toMatchObject([
      {
        kind: 'finding',
        points: 30,
        title: expect.stringContaining('No booked trip explains'),
        reason: expect.stringContaining('Port visit'),
      },
    ]);
  });

  it('finds no missing trip in an incomplete list, but a gap', async () => {
    expect(await runPlan(made, 'Lagos', 'There are more.')).toMatchObject([{ kind: 'note', points: 0 }]);
    expect(gaps).toContainEqual(
      expect.objectContaining({ title: 'Search User Travel: the list is incomplete', reason: 'There are more.' }),
    );
    expect(await runPlan(made, 'Singapore', 'There are more.')).toMatchObject([{ kind: 'finding', points: -40 }]);
  });

  it('only shows the trips if the sign-in has no place', async () => {
    expect(await runPlan(made, 'an unnamed place')).toMatchObject([
      { kind: 'note', points: 0, reason: expect.stringContaining('Port visit') },
    ]);
  });

  it('asks only connected third parties, and names the others in one gap', async () => {
    const asked = new Set<string>();
    const { evidence } = await runAuthor(generated, {
      alert: alertFrom('Lagos'),
      entities: [{ kind: 'email', value: 'dana@corp.example' }],
      plan: made,
      isConnected: (connector) => connector === 'travelBooking',
      answer: ({ skillKey: name }) => {
        asked.add(name.split('.')[0] ?? '');
        return name === 'travelBooking.searchUserTravel' ? { ...travel } : { items: [], cut: null };
      },
      correlate: async () => [],
    });
    expect([...asked]).toEqual(['travelBooking']);
    expect(evidence.filter(({ kind }) => kind === 'gap')).toMatchObject([
      { step: 'not-connected', reason: expect.stringMatching(/no connection to: .*Threat intelligence/i) },
    ]);
  });

  it('keeps the points of an older plan that does not compare places', async () => {
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
});
