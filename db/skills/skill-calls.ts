import { createHash } from 'node:crypto';
import type { SkillRequest } from '../../domain/connection/skill.js';
import { type CalledSkill, truncateAnswer } from '../../domain/connection/skill-call.js';
import type { CallableConnection } from '../connections/connection-calls.js';
import { newUuid } from '../ids.js';
import { type SkillCall, type SkillEnd, storableJson } from './skill-results.js';

export function toSkillCall(
  { connectorKind, skillKey, skillId }: CalledSkill,
  request: Pick<SkillRequest, 'runId'>,
  connection: Pick<CallableConnection, 'connectionUuid' | 'organizationUuid' | 'alertUuid'>,
  given: { input: unknown; attempt: number },
): SkillCall {
  return {
    resultUuid: newUuid(),
    connectorKind,
    skillKey,
    skillId,
    organizationUuid: connection.organizationUuid,
    connectionUuid: connection.connectionUuid,
    alertUuid: connection.alertUuid,
    runUuid: request.runId,
    input: given.input,
    requestDigest: hashValue(given.input),
    attempts: given.attempt,
  };
}

/** Everything that takes long for a large answer, so that another thread can do it. */
export function toSkillEnd(output: unknown, durationMs: number): SkillEnd {
  return { shown: truncateAnswer(output), json: storableJson(output), replyDigest: hashValue(output), durationMs };
}

/** A digest shows whether two calls had the same input or the same answer. */
function hashValue(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
