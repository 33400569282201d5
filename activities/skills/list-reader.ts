import { type CallableConnection, forgetFailures } from '../../db/connections/connection-calls.js';
import { requireUsable } from '../../domain/connection/skill-call.js';
import { parseSkillInput } from '../../domain/connection/skill-io.js';
import { recordFailure } from '../../services/connections/record-failure.js';
import { asService } from '../../services/context.js';
import { createOpener } from './open-connection.js';
import { performSkill, type RunnableSkill } from './perform-skill.js';
import type { SkillDeps } from './skill-deps.js';

/** Calls a list skill like an investigation does, so that rate limits and failures count for all callers of the connection. */
export async function readList(
  { skillKey, contract, connector, perform }: RunnableSkill,
  given: CallableConnection | null,
  rawInput: Record<string, unknown>,
  deps: SkillDeps,
  call: { operationKey: string; signal: AbortSignal },
): Promise<unknown> {
  const connection = requireUsable(given);
  const connectionId = connection.connectionUuid;
  try {
    const http = deps.httpClient.forConnection({
      connectionId,
      organization: connection.organizationCode,
      requestsPerMinute: connector.requestsPerMinute,
      signal: call.signal,
    });
    const context = createOpener(deps).contextFor(connector, connection, { http, ...call });
    const output = await performSkill(contract, perform, parseSkillInput(contract, rawInput), context, call.signal);
    if (connection.failuresInARow + connection.throttledInARow > 0) await forgetFailures(deps.pg, connectionId);
    return output;
  } catch (error) {
    await recordFailure({ ...asService(deps.db), pg: deps.pg }, { ...connection, skillKey, skillId: contract.title }, error);
    throw error;
  }
}
