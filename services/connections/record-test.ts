import { deleteRefusals, lockGeneration } from '../../db/connections/connection-calls.js';
import { updateConnectionRow } from '../../db/connections/connections.js';
import { findLastEvent } from '../../db/notifications/events.js';
import { CIRCUIT_BREAKER } from '../../domain/connection/skill-call.js';
import { clip } from '../../domain/text.js';
import { inTransaction, type WorkContext } from '../context.js';
import { announceConnection } from './announce.js';

type TestOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly broken: boolean };

/** A passed test deletes the refusals of skills; a connection that was broken gets a new generation. */
export function recordTest(
  context: WorkContext,
  tested: { readonly connectionUuid: string; readonly generation: number },
  outcome: TestOutcome,
): Promise<void> {
  return inTransaction(context, async ({ db, now }) => {
    const { connectionUuid } = tested;
    const at = now();
    const before = await lockGeneration(db, tested);
    if (!outcome.ok) {
      const broken = outcome.broken ? { state: 'broken' as const, stateReason: clip(outcome.reason, 1000), stateSince: at } : {};
      if (before === null) return;
      await updateConnectionRow(db, connectionUuid, { ...broken, testedAt: at });
      if (outcome.broken && before.state !== 'broken') await announceConnection(db, 'connection.broken', before);
      return;
    }
    if (before !== null)
      await updateConnectionRow(
        db,
        connectionUuid,
        {
          state: 'working',
          stateReason: null,
          ...(before.state === 'working' ? {} : { stateSince: at }),
          // A pause after failures ends. A pause that the third party asked for does not.
          ...(before.failuresInARow >= CIRCUIT_BREAKER.opensAfterFailures ? { blockedUntil: null } : {}),
          failuresInARow: 0,
          throttledInARow: 0,
          testedAt: at,
        },
        { isNewGeneration: before.state === 'broken' },
      );
    await deleteRefusals(db, connectionUuid);
    // New credentials make a broken connection untested first, so the last event tells whether it was broken.
    if (before !== null && before.state !== 'working' && (await findLastEvent(db, connectionUuid)) === 'connection.broken')
      await announceConnection(db, 'connection.restored', before);
  });
}
