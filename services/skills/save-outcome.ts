import type { PgClient } from '../../db/client.js';
import { type CallableConnection, forgetFailures } from '../../db/connections/connection-calls.js';
import { endWrite, refuseWrite, type SkillCall, type SkillEnd, storeResult } from '../../db/skills/skill-results.js';
import type { SkillReply } from '../../domain/connection/skill.js';
import { isRejected } from '../../domain/connection/skill-call.js';

/** The worker and the API (for remote agents) save the outcome of a skill call with these functions. */
type CalledConnection = Pick<CallableConnection, 'connectionUuid' | 'instanceName' | 'failuresInARow' | 'throttledInARow'>;

export async function saveRead(pg: PgClient, call: SkillCall, end: SkillEnd, connection: CalledConnection): Promise<SkillReply> {
  await storeResult(pg, call, end);
  if (connection.failuresInARow + connection.throttledInARow > 0) await forgetFailures(pg, connection.connectionUuid);
  return { resultId: call.resultUuid, ...end.shown, instanceName: connection.instanceName };
}

export async function saveWrite(pg: PgClient, resultUuid: string, end: SkillEnd, instanceName: string): Promise<SkillReply> {
  await endWrite(pg, resultUuid, end);
  return { resultId: resultUuid, ...end.shown, instanceName };
}

/** Frees the reservation if the write certainly had no effect, so that a later attempt can send it. */
export async function releaseRejectedWrite(pg: PgClient, resultUuid: string, error: unknown): Promise<void> {
  if (!isRejected(error)) return;
  await refuseWrite(pg, resultUuid, { code: error.code, message: error.message });
}
