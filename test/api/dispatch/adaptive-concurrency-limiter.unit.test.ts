import { describe, expect, it } from 'vitest';
import { AdaptiveConcurrencyLimiter } from '../../../api/dispatch/adaptive-concurrency-limiter.js';

/** Observes investigations that begin after these waits, one every 100 ms. */
function observeStarts(limiter: AdaptiveConcurrencyLimiter, ...waits: number[]): AdaptiveConcurrencyLimiter {
  for (const waitedMs of waits) {
    now += 100;
    limiter.observe(waitedMs, true, now);
  }
  return limiter;
}
let now = 1_000_000;
const repeat = (count: number, waitedMs: number) => Array.from({ length: count }, () => waitedMs);

describe('the concurrency limit of an organization', () => {
  it('grows while investigations begin without delay', () => {
    const limiter = new AdaptiveConcurrencyLimiter();
    const before = limiter.atMost;
    expect(observeStarts(limiter, ...repeat(200, 40)).atMost).toBeGreaterThan(before + 5);
    expect(observeStarts(limiter, ...repeat(20_000, 40)).atMost).toBe(128);
  });

  it('shrinks while investigations begin late, and never below 1', () => {
    const limiter = observeStarts(new AdaptiveConcurrencyLimiter(), ...repeat(500, 40));
    const before = limiter.atMost;
    expect(observeStarts(limiter, ...repeat(20, 900)).atMost).toBeLessThan(before / 2);
    expect(observeStarts(limiter, ...repeat(500, 900)).atMost).toBe(1);
    expect(observeStarts(limiter, ...repeat(100, 40)).atMost).toBeGreaterThan(1);
  });

  it('shrinks while investigations do not begin', () => {
    const limiter = observeStarts(new AdaptiveConcurrencyLimiter(), ...repeat(500, 40));
    const before = limiter.atMost;
    for (let waitedMs = 100; waitedMs < 3_000; waitedMs += 100) {
      now += 100;
      limiter.observe(waitedMs, false, now);
    }
    expect(limiter.atMost).toBeLessThan(before / 2);
  });

  it('tolerates the latency of a distant server', () => {
    const limiter = observeStarts(new AdaptiveConcurrencyLimiter(), ...repeat(200, 400));
    expect(limiter.atMost).toBeGreaterThan(8);
  });

  it('adapts when every start becomes slower', () => {
    const limiter = observeStarts(new AdaptiveConcurrencyLimiter(), ...repeat(50, 20));
    observeStarts(limiter, ...repeat(6_000, 400));
    expect(observeStarts(limiter, ...repeat(600, 400)).atMost).toBeGreaterThan(8);
  });
});

describe('the allowance of each organization', () => {
  const serve = (limiter: AdaptiveConcurrencyLimiter, organizationUuid: string, times: number) => {
    for (let n = 0; n < times; n += 1) limiter.serve(organizationUuid, now);
  };
  const pendingStart = (organizationUuid: string, sinceMs: number) => ({ organizationUuid, sinceMs });

  it('is the limit minus the pending starts, and never negative', () => {
    const limiter = new AdaptiveConcurrencyLimiter();
    serve(limiter, 'flood', 3);
    const allowanceWith = (count: number) =>
      limiter.allowance(
        Array.from({ length: count }, () => pendingStart('flood', now)),
        now,
      );
    expect(allowanceWith(3)).toEqual({ byOrganization: new Map([['flood', limiter.atMost - 3]]), forOthers: limiter.atMost });
    expect(allowanceWith(50).byOrganization.get('flood')).toBe(0);
  });

  it('is lower for the organization with more starts while an investigation of another one has just begun', () => {
    const limiter = observeStarts(new AdaptiveConcurrencyLimiter(), ...repeat(500, 40));
    serve(limiter, 'flood', 10);
    serve(limiter, 'quiet', 1);
    const allowances = (sinceMs: number) => limiter.allowance([pendingStart('quiet', sinceMs)], now).byOrganization;
    expect(allowances(now).get('flood')).toBe(Math.floor(limiter.atMost / 4));
    expect(allowances(now).get('quiet')).toBe(limiter.atMost - 1);
    expect(allowances(now - 300).get('flood')).toBe(limiter.atMost);
  });

  it('is restored after a while, even when another investigation has just begun', () => {
    const limiter = new AdaptiveConcurrencyLimiter();
    observeStarts(limiter, ...repeat(50, 40), ...repeat(50, 900));
    serve(limiter, 'flood', 10);
    const from = now;
    expect(limiter.allowance([pendingStart('quiet', from)], from).byOrganization.get('flood')).toBe(0);
    expect(limiter.allowance([pendingStart('quiet', from + 1_500)], from + 1_500).byOrganization.get('flood')).toBe(1);
  });

  it('is delayed for a flooding organization when the limit is 1, and immediate for the others', () => {
    const limiter = new AdaptiveConcurrencyLimiter();
    observeStarts(limiter, ...repeat(50, 40), ...repeat(50, 900));
    serve(limiter, 'flood', 10);
    serve(limiter, 'quiet', 1);
    const from = now;
    const allowanceAfter = (ms: number) => limiter.allowance([], from + ms).byOrganization;
    expect(allowanceAfter(100)).toEqual(
      new Map([
        ['flood', 0],
        ['quiet', 1],
      ]),
    );
    expect(allowanceAfter(300)).toEqual(
      new Map([
        ['flood', 1],
        ['quiet', 1],
      ]),
    );
  });

  it('forgets organizations without recent starts', () => {
    const limiter = new AdaptiveConcurrencyLimiter();
    serve(limiter, 'once', 1);
    limiter.allowance([], now + 60_000);
    expect(limiter.allowance([], now + 60_000).byOrganization.size).toBe(0);
  });
});
