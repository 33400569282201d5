import type { PgClient } from '../../db/client.js';
import { type CallableConnection, readForCall } from '../../db/connections/connection-calls.js';
import type { SkillRequest } from '../../domain/connection/skill.js';
import { type CalledSkill, requireUsable } from '../../domain/connection/skill-call.js';

/** Read again for every call: the connection may have been deleted, broken or paused since it was chosen. */
export async function requireUsableConnection(pg: PgClient, skill: CalledSkill, request: SkillRequest): Promise<CallableConnection> {
  return requireUsable(await readForCall(pg, skill, request));
}
