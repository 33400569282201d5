import { describe, expect, it } from 'vitest';
import { AdaptiveConcurrencyLimiter } from '../../../api/dispatch/adaptive-concurrency-limiter.js';

/** Observes investigations that begin after these waits, one every 100 ms. */
function begun(share: AdaptiveConcurrencyLimiter, ...waits: number[]): AdaptiveConcurrencyLimiter {
  for (const waitedMs of waits) {
    now += 100;
    share.observe(waitedMs, true, now);
  }
  return share;
}
let now = 1_000_000;
const many = (count: number, waitedMs: number) => Array.from({ length: count }, () => waitedMs);

describe('the concurrency limit of an organization', () => {
  it('grows while investigations begin without delay', () => {
    const share = new AdaptiveConcurrencyLimiter();
    const before = share.atMost;
    expect(begun(share, ...many(200, 40)).atMost).toBeGreaterThan(before + 5);
    expect(begun(share, ...many(20_000, 40)).atMost).toBe(128);
  });

  it('shrinks while investigations begin late, and never below 1', () => {
    const share = begun(new AdaptiveConcurrencyLimiter(), ...many(500, 40));
    const before = share.atMost;
    expect(begun(share, ...many(20, 900)).atMost).toBeLessThan(before / 2);
    expect(begun(share, ...many(500, 900)).atMost).toBe(1);
    expect(begun(share, ...many(100, 40)).atMost).toBeGreaterThan(1);
  });

  it('shrinks while investigations do not begin', () => {
    const share = begun(new AdaptiveConcurrencyLimiter(), ...many(500, 40));
    const before = share.atMost;
    for (let waitedMs = 100; waitedMs < 3_000; waitedMs += 100) {
      now += 100;
      share.observe(waitedMs, false, now);
    }
    expect(share.atMost).toBeLessThan(before / 2);
  });

  it('tolerates the latency of a distant server', () => {
    const share = begun(new AdaptiveConcurrencyLimiter(), ...many(200, 400));
    expect(share.atMost).toBeGreaterThan(8);
  });

  it('adapts when every start becomes slower', () => {
    const share = begun(new AdaptiveConcurrencyLimiter(), ...many(50, 20));
    begun(share, ...many(6_000, 400));
    expect(begun(share, ...many(600, 400)).atMost).toBeGreaterThan(8);
  });
});

describe('the allowance of each organization', () => {
  const serve = (share: AdaptiveConcurrencyLimiter, organizationUuid: string, times: number) => {
    for (let n = 0; n < times; n += 1) share.serve(organizationUuid, now);
  };
  const underWay = (organizationUuid: string, sinceMs: number) => ({ organizationUuid, sinceMs });

  it('is the limit minus the pending starts, and never negative', () => {
    const share = new AdaptiveConcurrencyLimiter();
    serve(share, 'flood', 3);
    const beside = (count: number) =>
      share.allowance(
        Array.from({ length: count }, () => underWay('flood', now)),
        now,
      );
    expect(beside(3)).toEqual({ byOrganization: new Map([['flood', share.atMost - 3]]), forOthers: share.atMost });
    expect(beside(50).byOrganization.get('flood')).toBe(0);
  });

  it('is lower for the organization with more starts while an investigation of another one has just begun', () => {
    const share = begun(new AdaptiveConcurrencyLimiter(), ...many(500, 40));
    serve(share, 'flood', 10);
    serve(share, 'quiet', 1);
    const rooms = (sinceMs: number) => share.allowance([underWay('quiet', sinceMs)], now).byOrganization;
    expect(rooms(now).get('flood')).toBe(Math.floor(share.atMost / 4));
    expect(rooms(now).get('quiet')).toBe(share.atMost - 1);
    expect(rooms(now - 300).get('flood')).toBe(share.atMost);
  });

  it('is restored after a while, even when another investigation has just begun', () => {
    const share = new AdaptiveConcurrencyLimiter();
    begun(share, ...many(50, 40), ...many(50, 900));
    serve(share, 'flood', 10);
    const from = now;
    expect(share.allowance([underWay('quiet', from)], from).byOrganization.get('flood')).toBe(0);
    expect(share.allowance([underWay('quiet', from + 1_500)], from + 1_500).byOrganization.get('flood')).toBe(1);
  });

  it('is delayed for a flooding organization when the limit is 1, and immediate for the others', () => {
    const share = new AdaptiveConcurrencyLimiter();
    begun(share, ...many(50, 40), ...many(50, 900));
    serve(share, 'flood', 10);
    serve(share, 'quiet', 1);
    const from = now;
    const roomAfter = (ms: number) => share.allowance([], from + ms).byOrganization;
    expect(roomAfter(100)).toEqual(
      new Map([
        ['flood', 0],
        ['quiet', 1],
      ]),
    );
    expect(roomAfter(300)).toEqual(
      new Map([
        ['flood', 1],
        ['quiet', 1],
      ]),
    );
  });

  it('forgets organizations without recent starts', () => {
    const share = new AdaptiveConcurrencyLimiter();
    serve(share, 'once', 1);
    share.allowance([], now + 60_000);
    expect(share.allowance([], now + 60_000).byOrganization.size).toBe(0);
  });
});
