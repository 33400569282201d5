import { describe, expect, it } from 'vitest';
import { remedyFor } from '../../../domain/investigation/reconciliation.js';

describe('the remedy for an alert that has not ended', () => {
  it('leaves it alone while its run goes on', () => {
    for (const requeues of [0, 3, 100]) expect(remedyFor({ state: 'running' }, requeues)).toEqual({ do: 'leave' });
  });

  it.each(['gone', 'completed', 'timed-out'] as const)(
    'starts it again when its run is %s, three times, then gives up in words',
    (state) => {
      for (const requeues of [0, 1, 2]) expect(remedyFor({ state }, requeues)).toEqual({ do: 'requeue' });
      expect(remedyFor({ state }, 3)).toEqual({ do: 'fail', reason: expect.stringMatching(new RegExp(`lost 4 times.*${state}`)) });
    },
  );

  it.each(['cancelled', 'terminated', 'failed'] as const)('fails it at once when its run was %s, with the reason', (state) => {
    expect(remedyFor({ state, reason: 'stopped by dana' }, 0)).toEqual({
      do: 'fail',
      reason: expect.stringMatching(new RegExp(`${state}.*: stopped by dana`)),
    });
    expect(remedyFor({ state }, 0)).toEqual({ do: 'fail', reason: expect.stringMatching(/\.$/) });
  });
});
