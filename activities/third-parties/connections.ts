import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Egress } from '../../connectors/kit/egress.js';
import { findSkillKey } from '../../connectors/skill-index.js';
import type { Topic } from '../../db/changes.js';
import { readForTest, resolveConnection } from '../../db/connections/connection-calls.js';
import { addWaiter, removeWaiter } from '../../db/connections/connection-waiters.js';
import { readSkillRun } from '../../db/skills/skill-runs.js';
import { CONNECTION_TEST } from '../../domain/connection/remote-agent.js';
import type { ConnectionActivities, ConnectionTestActivities, SkillRunActivities } from '../../domain/connection/skill.js';
import { recordTest } from '../../services/connections/record-test.js';
import { wakeWaiters } from '../../services/connections/wake-waiters.js';
import { asService, type ServiceContext } from '../../services/context.js';
import { beginFollowUpsOf } from '../../services/follow-ups/begin-early.js';
import { endRun } from '../../services/skill-runs/end.js';
import { serviceContext } from '../service-context.js';
import { createOpener } from '../skills/open-connection.js';
import type { SkillSet } from '../skills/perform-skill.js';
import { handToAgent } from '../skills/skill-activity.js';
import type { SkillDeps } from '../skills/skill-deps.js';
import { testConnection } from '../skills/test-connection.js';

export interface ConnectionDeps extends SkillDeps {
  readonly client: Client;
  readonly runner: ServiceContext['runner'];
  readonly egress: Egress;
  readonly reconnectWaitSeconds: number;
}

type Activities = ConnectionActivities & SkillRunActivities & ConnectionTestActivities;

export const CONNECTION_ACTIVITY_TOPICS = {
  resolveConnection: [],
  parkOnConnection: ['alerts', 'connections'],
  leaveConnection: ['alerts', 'connections'],
  readSkillRun: [],
  guardSkillRun: [],
  holdSkillRun: [],
  endSkillRun: ['proposals', 'cases'],
  testConnection: ['connections'],
  wakeWaiters: ['alerts', 'connections'],
  askAgainNow: ['alerts', 'cases'],
} as const satisfies Record<keyof Activities, readonly Topic[]>;

export function createConnectionActivities({ catalogue, implementations }: SkillSet, deps: ConnectionDeps): Activities {
  const kinds = new Map(
    Object.entries(catalogue).map(([name, contract]) => [
      contract.kind,
      { connectorKey: name, contract, implementation: implementations[name] },
    ]),
  );
  const { reconnectWaitSeconds } = deps;
  const context = serviceContext(deps);
  return {
    async resolveConnection(question) {
      const resolved = await resolveConnection(deps.pg, question);
      return resolved && { ...resolved, reconnectWaitSeconds };
    },

    parkOnConnection: ({ connectionId: connectionUuid, skillKey, ...waiter }) =>
      addWaiter(deps.pg, { ...waiter, connectionUuid, skillKey: skillKey ?? findSkillKey(waiter.skillId) }),

    leaveConnection: ({ connectionId, workflowId }) => removeWaiter(deps.db, connectionId, workflowId),

    async readSkillRun(runId) {
      const run = await readSkillRun(deps.db, runId);
      return run && { ...run, isGuarded: false, connection: { ...run.connection, reconnectWaitSeconds } };
    },

    // An open workflow of an earlier version ends without sending its write, which is a proposal now.
    guardSkillRun: async () => false,
    holdSkillRun: async () => false,
    endSkillRun: (runId, end) => endRun(context, runId, end),

    async testConnection(connectionId) {
      const connection = await readForTest(deps.pg, connectionId);
      const kind = connection ? kinds.get(connection.connectorKind) : undefined;
      if (!connection || !kind?.implementation) throw ApplicationFailure.nonRetryable('The connection does not exist.', 'NotFound');
      const operationKey = `test ${connectionId}`;
      if (connection.remoteAgentUuid !== null) {
        const request = { connectionId, operationKey, alertId: null, runId: null, input: {} };
        throw await handToAgent(deps.db, CONNECTION_TEST, request, connection, connection.remoteAgentUuid);
      }
      const { contract, implementation, connectorKey } = kind;
      const subject = { connectorKey, contract, implementation, connectionId, organization: connection.organizationCode };
      const report = await testConnection(subject, deps, Context.current().cancellationSignal, (call) =>
        createOpener(deps).contextFor(contract, connection, { ...call, operationKey }),
      );
      const { ok, summary, broken } = report;
      await recordTest(asService(deps.db), connection, ok ? { ok } : { ok, reason: summary, broken });
      const { broken: _broken, ...shown } = report;
      return shown;
    },

    wakeWaiters: () => wakeWaiters(deps),

    askAgainNow: (connectionId) => beginFollowUpsOf(context, connectionId),
  };
}
