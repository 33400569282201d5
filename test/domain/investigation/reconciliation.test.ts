import { describe, expect, it } from 'vitest';
import { remedyFor } from '../../../domain/investigation/reconciliation.js';

describe('the remedy for an alert whose investigation has not ended', () => {
  it('is none while its run continues', () => {
    for (const requeues of [0, 3, 100]) expect(remedyFor({ state: 'running' }, requeues)).toEqual({ do: 'leave' });
  });

  it.each(['gone', 'completed', 'timed-out', 'failed'] as const)(
    'is a restart when its run is %s, three times, and then a failure with a reason',
    (state) => {
      for (const requeues of [0, 1, 2]) expect(remedyFor({ state }, requeues)).toEqual({ do: 'requeue' });
      expect(remedyFor({ state }, 3)).toEqual({ do: 'fail', reason: `The run was lost 4 times (last: ${state}).` });
      expect(remedyFor({ state, reason: 'no database' }, 3)).toMatchObject({ reason: expect.stringMatching(/: no database$/) });
    },
  );

  it.each(['cancelled', 'terminated'] as const)('is a failure with a reason when its run was %s', (state) => {
    expect(remedyFor({ state, reason: 'stopped by dana' }, 0)).toEqual({
      do: 'fail',
      reason: expect.stringMatching(new RegExp(`${state}.*: stopped by dana`)),
    });
    expect(remedyFor({ state }, 0)).toEqual({ do: 'fail', reason: expect.stringMatching(/\.$/) });
  });
});
