import type { SkillReply } from '../../domain/connection/skill.js';
import { toSkillReply } from '../../domain/connection/skill-call.js';
import { NotApproved, type SkillError, ThirdPartyError, WritesHeld } from '../../domain/connection/skill-errors.js';
import type { PgClient } from '../client.js';
import { type CallableConnection, forgetFailures } from '../connections/connection-calls.js';

import { endWrite, refuseWrite, type SkillCall, type SkillEnd, storeResult } from './skill-results.js';

/** The worker and the API (for remote agents) save the outcome of a skill call with these functions. */
type CalledConnection = Pick<CallableConnection, 'connectionUuid' | 'instanceName' | 'failuresInARow' | 'throttledInARow'>;

export async function saveRead(pg: PgClient, call: SkillCall, end: SkillEnd, connection: CalledConnection): Promise<SkillReply> {
  await storeResult(pg, call, end);
  if (connection.failuresInARow + connection.throttledInARow > 0) await forgetFailures(pg, connection.connectionUuid);
  return toSkillReply(call.resultUuid, end.output, connection.instanceName);
}

export async function saveWrite(pg: PgClient, resultUuid: string, end: SkillEnd, instanceName: string): Promise<SkillReply> {
  await endWrite(pg, resultUuid, end);
  return toSkillReply(resultUuid, end.output, instanceName);
}

/** Frees the reservation if the write certainly had no effect, so that a later attempt can send it. */
export async function releaseRejectedWrite(pg: PgClient, resultUuid: string, error: unknown): Promise<void> {
  if (!isRejected(error)) return;
  await refuseWrite(pg, resultUuid, { code: error.code, message: error.message });
}

/** True if the write certainly had no effect: the third party rejected it, or our rules stopped it before it left. */
export function isRejected(error: unknown): error is SkillError {
  if (error instanceof ThirdPartyError) return !error.mayHaveHappened;
  return error instanceof WritesHeld || error instanceof NotApproved;
}
