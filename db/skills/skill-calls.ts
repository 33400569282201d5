import { createHash } from 'node:crypto';
import type { SkillReply, SkillRequest } from '../../domain/connection/skill.js';
import { SkillError, ThirdPartyError } from '../../domain/connection/skill-errors.js';
import { truncateJson } from '../../domain/truncate-json.js';
import type { Db, PgClient } from '../client.js';
import { type CallableConnection, noteFailure, readForCall } from '../connections/connection-calls.js';
import { newUuid } from '../ids.js';
import type { SkillCall, SkillEnd } from './skill-results.js';

/** As much as a workflow's history should carry of one answer; the whole lies in `skill_results`. */
const OUTPUT_IN_HISTORY_BYTES = 32 * 1024;

/** What was sent may still be on its way: a write that is not to be found has surely not happened only after a while. */
const SETTLED_AFTER_SECONDS = 60;

export function settlesInSeconds({ secondsAgo }: { secondsAgo: number }): number {
  return Math.max(0, Math.ceil(SETTLED_AFTER_SECONDS - secondsAgo));
}

/** Which skill of which kind. */
export interface CalledSkill {
  readonly connector: string;
  readonly skillId: string;
}

/** Checked again at every call: a connection may have been taken away, broken or throttled since it was chosen. */
export async function readUsable(pg: PgClient, skill: CalledSkill, request: SkillRequest): Promise<CallableConnection> {
  const { connector, skillId } = skill;
  const connection = await readForCall(pg, {
    connector,
    skillId,
    connectionUuid: request.connectionId,
    alertId: request.alertId,
    runUuid: request.runId,
  });
  return requireUsable(connection);
}

export function requireUsable(connection: CallableConnection | null): CallableConnection {
  if (!connection) throw new ThirdPartyError('NotFound', 'The connection is gone, or belongs to another organization.');
  if (connection.state === 'broken')
    throw new ThirdPartyError('CredentialsRejected', connection.stateReason ?? 'The connection is broken.', {
      resolution: 'Reconnect it with valid credentials.',
    });
  if (connection.refused !== null) {
    const { reason, resolution } = connection.refused;
    throw new ThirdPartyError('NotPermitted', reason, resolution === null ? {} : { resolution });
  }
  if (connection.blockedForSeconds !== null)
    throw new ThirdPartyError('RateLimited', `Nothing is sent yet: ${connection.blockReason ?? 'the third party asked us to wait'}.`, {
      retryAfterSeconds: connection.blockedForSeconds,
    });
  return connection;
}

/** The row of a call. */
export function toSkillCall(
  skill: CalledSkill,
  request: Pick<SkillRequest, 'runId'>,
  connection: Pick<CallableConnection, 'connectionUuid' | 'organizationUuid' | 'alertUuid'>,
  given: { input: unknown; attempt: number },
): SkillCall {
  return {
    resultUuid: newUuid(),
    connector: skill.connector,
    skillId: skill.skillId,
    organizationUuid: connection.organizationUuid,
    connectionUuid: connection.connectionUuid,
    alertUuid: connection.alertUuid,
    runUuid: request.runId,
    input: given.input,
    requestDigest: hashValue(given.input),
    attempts: given.attempt,
  };
}

export function toSkillEnd(output: unknown, durationMs: number): SkillEnd {
  return { output, replyDigest: hashValue(output), durationMs };
}

/** Digests tell later whether the same was asked and the same was answered, without keeping it twice. */
function hashValue(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}

/** What the workflow is told of an answer. */
export function toSkillReply(resultId: string, output: unknown, instanceName: string): SkillReply {
  return { resultId, ...truncateJson(output, OUTPUT_IN_HISTORY_BYTES), instanceName };
}

/** What follows from a call's error for everyone who uses the connection; nothing from one that no third party caused. */
export async function noteError(
  database: { db: Db; pg: PgClient },
  call: { connectionUuid: string; generation: number; skillId: string },
  error: unknown,
): Promise<void> {
  if (!(error instanceof SkillError)) return;
  const facts = error instanceof ThirdPartyError ? error : null;
  await noteFailure(database, call, {
    code: error.code,
    message: error.message,
    resolution: facts?.resolution ?? null,
    retryAfterSeconds: facts?.retryAfterSeconds ?? null,
    fromThirdParty: facts?.status !== undefined,
  });
}
