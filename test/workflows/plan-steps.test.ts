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

const newLog = () => new EvidenceLog();
const listPoints = (log: EvidenceLog) => log.entries.filter(({ kind }) => kind === 'finding').map(({ points }) => points);

/** Asks about each item and records a finding with its points. null: no finding. */
async function question(log: EvidenceLog, id: string, points: Readonly<Record<string, number | null>>, atMost = 10): Promise<Asked[]> {
  const asked = await askEach(log, { id, atMost }, Object.keys(points), async (item) => ({ item }));
  for (const { about, step } of asked) {
    const weight = points[about] ?? null;
    if (weight !== null) log.finding(weight, `About ${about}`, 'because', { step });
  }
  return asked;
}

describe('the combined findings of one skill', () => {
  it('count the most severe finding of a question once, and the others become notes', async () => {
    const log = newLog();
    weighTogether(log, await question(log, 'ip', { '203.0.113.1': 15, '203.0.113.2': 45, '203.0.113.3': 45 }));
    expect(listPoints(log)).toEqual([45]);
    expect(log.entries.filter(({ kind }) => kind === 'note').map(({ title }) => title)).toEqual(['About 203.0.113.1', 'About 203.0.113.3']);
  });

  it('count benign findings once if all findings are benign', async () => {
    const log = newLog();
    weighTogether(
      log,
      await question(log, 'ip', { '192.0.2.1': -15, '10.0.0.1': null }),
      await question(log, 'domain', { 'a.example': -15 }),
    );
    expect(listPoints(log)).toEqual([-15]);
  });

  it.each([
    ['an unknown item', { 'a.example': -15, 'b.example': -15 }, { f00: null }],
    ['a malicious finding', { 'a.example': -15 }, { f00: 55 }],
  ])('do not count benign findings together with %s', async (_, domains, hashes) => {
    const log = newLog();
    weighTogether(log, await question(log, 'domain', domains), await question(log, 'hash', hashes));
    expect(listPoints(log).filter((points) => points < 0)).toEqual([]);
  });

  it('do not count benign findings if items were left out', async () => {
    const log = newLog();
    weighTogether(log, await question(log, 'domain', { 'a.example': -15, 'b.example': -15, 'c.example': -15 }, 2));
    expect(listPoints(log)).toEqual([]);
    expect(log.entries.filter(({ kind }) => kind === 'gap').map(({ step }) => step)).toEqual([expect.stringMatching(/^left-out-/)]);
  });
});

it('counts repetition once although several entities of the alert repeat', async () => {
  const log = newLog();
  const shared = ['a', 'b', 'c'].map((value) => ({ kind: 'host' as const, value, alertCount: 40, alertIds: ['T-1'] }));
  await weighRepetition({ evidence: log, correlate: async () => shared }, { by: ['host'], withinDays: 30 });
  expect(listPoints(log)).toEqual([15]);
});

it('ignores an entity that a large share of the alerts contains', async () => {
  const log = newLog();
  const frequent = { kind: 'domain' as const, value: 'often.example', alertCount: 300, alertIds: ['T-1'], alertsOfWindow: 1000 };
  const rare = { kind: 'ip' as const, value: '203.0.113.1', alertCount: 2, alertIds: ['T-2'], alertsOfWindow: 1000 };
  await weighRepetition({ evidence: log, correlate: async () => [rare, frequent] }, { by: ['ip', 'domain'], withinDays: 30 });
  expect(log.entries.map(({ title, reason }) => `${title} ${reason}`)).toEqual([expect.stringMatching(/203\.0\.113\.1(?!.*often)/)]);
  const onlyFrequent = newLog();
  await weighRepetition({ evidence: onlyFrequent, correlate: async () => [frequent] }, { by: ['domain'], withinDays: 30 });
  expect(listPoints(onlyFrequent)).toEqual([]);
});

it('saves each step and each entry in exactly one batch', () => {
  const log = new EvidenceLog();
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
  const booking = { cancelled: false, start_date: '2026-01-14', origin: place('Lisbon'), destination: place('Singapore'), segments: [] };
  const travel = {
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

  /** Returns the plan's evidence about trips, without other evidence. */
  async function runPlan(plan: Plan, from: string) {
    const { evidence } = await runAuthor(generated, {
      alert: alertFrom(from),
      entities: [{ kind: 'email', value: 'dana@corp.example' }],
      plan,
      answer: ({ name }) => (name === 'travelBooking.searchUserTravel' ? { ...travel } : null),
      correlate: async () => [],
    });
    const about = evidence.filter(({ step }) => step === 'travel-booking-search-user-travel-email-1');
    return about.map(({ kind, points, title, reason }) => ({ kind, points, title, reason }));
  }
  const made = planFor('Odd sign-in', plannableSkills(catalogue));

  it('lowers the score for a trip to the place of the sign-in', async () => {
    expect(await runPlan(made, 'Singapore')).toMatchObject([
      { kind: 'finding', points: -35, title: 'A booked trip explains the place: dana@corp.example' },
    ]);
  });

  it.each(['Lagos', 'Lisbon', 'an unnamed place'])('does not lower the score for a sign-in from %s and explains why', async (from) => {
    expect(await runPlan(made, from)).toMatchObject([
      {
        kind: 'note',
        points: 0,
        title: expect.stringContaining('do not lead to the places in the alert'),
        reason: expect.stringContaining('Port visit'),
      },
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

  it('compares places in the same way as a playbook that was ejected from it', () => {
    const leadsTo = (from: string) => {
      const facts = readAlertFacts(alertFrom(from));
      return hasOne(
        travel,
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
