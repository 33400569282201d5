import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';
import { investigateSet, type Outcome } from './investigate.js';
import { MAX_MALICIOUS_CALLED_BENIGN, measureQuality, RIGHT_AT_LEAST_PERCENT, renderTable } from './report.js';
import { LABELLED_SET, loadTruths, PARTS } from './set.js';

describe('verdicts of the whole service about the whole set', () => {
  let started: WithThirdParties;
  let outcomes: Outcome[];

  beforeAll(async () => {
    started = await startWithThirdParties();
    loadTruths(started.thirdParties);
    outcomes = await investigateSet(started.service, started.thirdParties);
    // No time limit, because a busy machine is slow. The benchmark measures speed.
  }, 0);
  afterAll(() => started?.stop());

  it('are right often enough in each part', () => {
    const quality = measureQuality(outcomes);
    expect(quality.alerts).toBe(LABELLED_SET.length);
    for (const part of PARTS) {
      const measured = measureQuality(outcomes.filter((outcome) => outcome.part === part));
      expect(measured.rightPercent, renderTable(measured)).toBeGreaterThanOrEqual(RIGHT_AT_LEAST_PERCENT);
    }
  });

  it('are never benign for an attack', () => {
    expect(measureQuality(outcomes).maliciousCalledBenign).toHaveLength(MAX_MALICIOUS_CALLED_BENIGN);
  });
});
