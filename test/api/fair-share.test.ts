import { describe, expect, it } from 'vitest';
import { FairShare } from '../../api/fair-share.js';

/** Investigations that begin after these times, one a tenth of a second. */
function begun(share: FairShare, ...waits: number[]): FairShare {
  for (const waitedMs of waits) {
    now += 100;
    share.observe(waitedMs, true, now);
  }
  return share;
}
let now = 1_000_000;
const many = (count: number, waitedMs: number) => Array.from({ length: count }, () => waitedMs);

describe('the share of an organization beside others', () => {
  it('grows while what is handed over begins at once', () => {
    const share = new FairShare();
    const before = share.atMost;
    expect(begun(share, ...many(200, 40)).atMost).toBeGreaterThan(before + 5);
    expect(begun(share, ...many(20_000, 40)).atMost).toBe(64);
  });

  it('shrinks while that takes longer than it has to, and never to nothing', () => {
    const share = begun(new FairShare(), ...many(500, 40));
    const before = share.atMost;
    expect(begun(share, ...many(20, 900)).atMost).toBeLessThan(before / 2);
    expect(begun(share, ...many(500, 900)).atMost).toBe(1);
    expect(begun(share, ...many(100, 40)).atMost).toBeGreaterThan(1);
  });

  it('shrinks for what has not begun at all', () => {
    const share = begun(new FairShare(), ...many(500, 40));
    const before = share.atMost;
    for (let waitedMs = 100; waitedMs < 3_000; waitedMs += 100) {
      now += 100;
      share.observe(waitedMs, false, now);
    }
    expect(share.atMost).toBeLessThan(before / 2);
  });

  it('does not take a server that is far away for a busy one', () => {
    const share = begun(new FairShare(), ...many(200, 400));
    expect(share.atMost).toBeGreaterThan(8);
  });

  it('learns that everything has become slower', () => {
    const share = begun(new FairShare(), ...many(50, 20));
    begun(share, ...many(6_000, 400));
    expect(begun(share, ...many(600, 400)).atMost).toBeGreaterThan(8);
  });
});
