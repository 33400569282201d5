import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';
import { investigateSet, type Outcome, sampleByOrganization } from './investigate.js';
import { MAX_MALICIOUS_CALLED_BENIGN, measureQuality, RIGHT_AT_LEAST_PERCENT, renderTable } from './report.js';
import { LABELLED_SET, loadTruths, PARTS } from './set.js';

describe('the labelled set', () => {
  it('is large and varied enough for a meaningful measurement', () => {
    const count = (...parts: string[]) => LABELLED_SET.filter(({ part }) => parts.includes(part)).length;
    expect(count('tuned', 'held out')).toBeGreaterThanOrEqual(120);
    expect(count('held out')).toBeGreaterThanOrEqual(count('tuned', 'held out') / 3);
    expect(new Set(LABELLED_SET.map(({ alert }) => alert.type)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(LABELLED_SET.map(({ alert }) => `${alert.type}: ${alert.name}`)).size).toBe(LABELLED_SET.length);
  });

  it('has a third part of another company, in many types, formats and kinds of facts', () => {
    const third = LABELLED_SET.flatMap(({ part, alert }) => (part === 'third' ? [alert] : []));
    expect(third.length).toBeGreaterThanOrEqual(120);
    expect(new Set(third.map(({ type }) => type)).size).toBeGreaterThanOrEqual(20);
    expect(new Set(third.map(({ format }) => format)).size).toBeGreaterThanOrEqual(20);
    expect(new Set(third.flatMap(({ facts = [] }) => facts)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(third.map(({ right }) => right[0]))).toEqual(new Set(['malicious', 'suspicious', 'benign', 'inconclusive']));
    expect(third.filter(({ right }) => right.length > 1).length).toBeLessThanOrEqual(third.length / 3);
  });

  it('has a sixth part of another company, a third of it with infrastructure that nobody declared', () => {
    const sixth = LABELLED_SET.flatMap(({ part, alert }) => (part === 'sixth' ? [alert] : []));
    expect(sixth.length).toBeGreaterThanOrEqual(150);
    expect(sixth.filter(({ facts }) => facts?.includes('shared infrastructure')).length).toBeGreaterThanOrEqual(sixth.length / 3);
    expect(new Set(sixth.map(({ type }) => type)).size).toBeGreaterThanOrEqual(35);
    expect(new Set(sixth.map(({ format }) => format)).size).toBeGreaterThanOrEqual(30);
    expect(new Set(sixth.flatMap(({ facts = [] }) => facts)).size).toBeGreaterThanOrEqual(20);
    expect(new Set(sixth.map(({ right }) => right[0]))).toEqual(new Set(['malicious', 'suspicious', 'benign', 'inconclusive']));
    expect(sixth.filter(({ right }) => right.length > 1).length).toBeLessThanOrEqual(sixth.length / 3);
  });

  it('never accepts benign for an attack, and rarely accepts two verdicts', () => {
    const benignAttacks = LABELLED_SET.filter(({ alert }) => alert.isAttack && alert.right.includes('benign'));
    expect(benignAttacks.map(({ alert }) => alert.name)).toEqual([]);
    const undecided = LABELLED_SET.filter(({ alert }) => alert.right.length > 1);
    expect(undecided.length).toBeLessThanOrEqual(LABELLED_SET.length / 3);
  });
});

/** `npm run test:full` investigates the whole set. */
const SAMPLED = 40;
/** The sixth part has larger organizations, which are too much for a sample. */
const SAMPLED_PARTS = PARTS.filter((part) => part !== 'sixth');

describe('verdicts of the whole service about a sample', () => {
  let started: WithThirdParties;
  let outcomes: Outcome[];

  beforeAll(async () => {
    started = await startWithThirdParties();
    loadTruths(started.thirdParties);
    outcomes = await investigateSet(started.service, started.thirdParties, sampleByOrganization(SAMPLED, SAMPLED_PARTS));
    // No time limit, because a busy machine is slow. The benchmark measures speed.
  }, 0);
  afterAll(() => started?.stop());

  it('are of alerts from each sampled part', () => {
    expect(outcomes).toHaveLength(SAMPLED);
    expect(new Set(outcomes.map(({ part }) => part))).toEqual(new Set(SAMPLED_PARTS));
  });

  it('are right often enough', () => {
    const quality = measureQuality(outcomes);
    expect(quality.rightPercent, renderTable(quality)).toBeGreaterThanOrEqual(RIGHT_AT_LEAST_PERCENT);
  });

  it('are never benign for an attack', () => {
    expect(measureQuality(outcomes).maliciousCalledBenign).toHaveLength(MAX_MALICIOUS_CALLED_BENIGN);
  });

  it('are compared with the verdicts of analysts', async () => {
    const [judged] = outcomes.filter(({ verdict }) => verdict === 'malicious');
    const analystVerdict = 'benign';
    const body = { analyst_verdict: { verdict: analystVerdict, reason: 'It was a drill.' } };
    expect(await started.service.request('PATCH', `/platformapi/cases/${judged?.caseId}`, { body })).toMatchObject({ status: 200 });
    const again = outcomes.map((outcome) => (outcome === judged ? ({ ...outcome, analystVerdict } as const) : outcome));
    expect(measureQuality(again).analystDiffers).toEqual({ judged: 1, differ: 1 });
  });
});
