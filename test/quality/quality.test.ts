import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';
import { investigateSet, type Outcome } from './investigate.js';
import { MALICIOUS_CALLED_BENIGN_AT_MOST, measureQuality, RIGHT_AT_LEAST_PERCENT, renderTable } from './report.js';
import { LABELLED_SET } from './set.js';
import { loadTruth } from './truth/load.js';

describe('the labelled set', () => {
  it('is large and varied enough for a meaningful measurement', () => {
    const heldOut = LABELLED_SET.filter(({ part }) => part === 'held out');
    expect(LABELLED_SET.length).toBeGreaterThanOrEqual(120);
    expect(heldOut.length).toBeGreaterThanOrEqual(LABELLED_SET.length / 3);
    expect(new Set(LABELLED_SET.map(({ alert }) => alert.type)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(LABELLED_SET.map(({ alert }) => `${alert.type}: ${alert.name}`)).size).toBe(LABELLED_SET.length);
  });

  it('never accepts benign for an attack, and rarely accepts two verdicts', () => {
    const benignAttacks = LABELLED_SET.filter(({ alert }) => alert.isAttack && alert.right.includes('benign'));
    expect(benignAttacks.map(({ alert }) => alert.name)).toEqual([]);
    const undecided = LABELLED_SET.filter(({ alert }) => alert.right.length > 1);
    expect(undecided.length).toBeLessThanOrEqual(LABELLED_SET.length / 3);
  });
});

describe('verdicts of the whole service', () => {
  let started: WithThirdParties;
  let outcomes: Outcome[];

  beforeAll(async () => {
    started = await startWithThirdParties();
    loadTruth(started.thirdParties);
    outcomes = await investigateSet(started.service, started.thirdParties);
    // No time limit, because a busy machine is slow. The benchmark measures speed.
  }, 0);
  afterAll(() => started?.stop());

  it('are right often enough, in the held-out part too', () => {
    const quality = measureQuality(outcomes);
    expect(quality.alerts).toBe(LABELLED_SET.length);
    expect(quality.rightPercent, renderTable(quality)).toBeGreaterThanOrEqual(RIGHT_AT_LEAST_PERCENT);
    const heldOut = measureQuality(outcomes.filter(({ part }) => part === 'held out'));
    expect(heldOut.rightPercent, renderTable(heldOut)).toBeGreaterThanOrEqual(RIGHT_AT_LEAST_PERCENT);
  });

  it('are never benign for an attack', () => {
    expect(measureQuality(outcomes).maliciousCalledBenign).toHaveLength(MALICIOUS_CALLED_BENIGN_AT_MOST);
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
