import type { PgClient } from '../../db/client.js';
import { countFailure, pauseConnection, refuseSkill } from '../../db/connections/connection-calls.js';
import { chooseFailureEffect } from '../../domain/connection/skill-call.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { clip } from '../../domain/text.js';
import type { WorkContext } from '../context.js';
import { markBroken } from './mark-broken.js';

/** Stores the effect of a failed call on every user of the connection. */
export async function recordFailure(
  context: WorkContext & { readonly pg: PgClient },
  call: { readonly connectionUuid: string; readonly generation: number; readonly skillKey: SkillKey; readonly skillId: string },
  error: unknown,
): Promise<void> {
  const { db, pg, now } = context;
  const { connectionUuid, skillKey, skillId } = call;
  const effect = chooseFailureEffect(error);
  switch (effect?.kind) {
    case 'break-connection':
      return markBroken(context, call, effect.reason);
    case 'refuse-skill': {
      const { reason, resolution } = effect;
      return refuseSkill(db, { connectionUuid, skillKey, skillId, reason: clip(reason, 1000), resolution, since: now() });
    }
    case 'pause-connection':
      return pauseConnection(pg, connectionUuid, effect.seconds, clip(effect.reason, 300));
    case 'count-failure':
      return countFailure(pg, connectionUuid);
    case undefined:
  }
}
