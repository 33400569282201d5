import type { TLSSocket } from 'node:tls';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type CallableConnection, leave, listResumable, park, readForTest, recordTest, resolveConnection } from '../db/connections.js';
import { endSkillRun, readSkillRun } from '../db/skill-runs.js';
import type { ConnectionTestReport } from '../domain/connection.js';
import { SkillError, ThirdPartyError } from '../domain/errors.js';
import { CONNECTION_RESTORED, type ConnectionActivities, type ConnectionTestActivities, type SkillRunActivities } from '../domain/skill.js';
import type { ConnectorContract } from './connectors/define.js';
import type { Egress } from './connectors/egress.js';
import { openerOf } from './open-connection.js';
import { type SkillSet, scrubbed, scrubText } from './perform.js';
import type { SkillDeps } from './skill.js';

export interface ConnectionDeps extends SkillDeps {
  readonly client: Client;
  readonly egress: Egress;
  readonly reconnectWaitSeconds: number;
}

const TEST_LIMIT_MS = 45_000;
const WOKEN_AT_ONCE = 200;

export function createConnectionActivities(
  { catalogue, implementations }: SkillSet,
  deps: ConnectionDeps,
): ConnectionActivities & SkillRunActivities & ConnectionTestActivities {
  const kinds = new Map(
    Object.entries(catalogue).map(([name, contract]) => [contract.kind, { contract, implementation: implementations[name] }]),
  );
  const { reconnectWaitSeconds } = deps;
  return {
    async resolveConnection(question) {
      const resolved = await resolveConnection(deps.sql, question);
      return resolved && { ...resolved, reconnectWaitSeconds };
    },

    parkOnConnection: ({ connectionId, ...waiter }) => park(deps.sql, { connectionUuid: connectionId, ...waiter }),

    leaveConnection: ({ connectionId, workflowId }) => leave(deps.db, connectionId, workflowId),

    async readSkillRun(runId) {
      const run = await readSkillRun(deps.db, runId);
      return run && { ...run, connection: { ...run.connection, reconnectWaitSeconds } };
    },

    endSkillRun: (runId, end) => endSkillRun(deps.db, runId, end),

    async testConnection(connectionId) {
      const connection = await readForTest(deps.sql, connectionId);
      const kind = connection ? kinds.get(connection.connector) : undefined;
      if (!connection || !kind?.implementation) throw ApplicationFailure.nonRetryable('There is no such connection.', 'NotFound');
      const report = await testConnection(kind.contract, kind.implementation, connection, deps);
      const { ok, detail } = report.credentials;
      await recordTest(deps.db, connectionId, connection.generation, ok ? { ok } : { ok, reason: detail, broken: report.broken });
      const { broken: _, ...told } = report;
      return told;
    },

    wakeWaiters: () => wakeWaiters(deps),
  };
}

/** Each is told once: its row goes when Temporal has taken the signal, which it then never loses. */
export async function wakeWaiters({ db, client }: Pick<ConnectionDeps, 'db' | 'client'>): Promise<number> {
  let woken = 0;
  for (;;) {
    const waiters = await listResumable(db, WOKEN_AT_ONCE);
    for (const { connectionUuid, workflowId, currentGeneration } of waiters) {
      try {
        await client.workflow
          .getHandle(workflowId)
          .signal(CONNECTION_RESTORED, { connectionId: connectionUuid, generation: currentGeneration });
        woken += 1;
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      await leave(db, connectionUuid, workflowId);
    }
    if (waiters.length < WOKEN_AT_ONCE) return woken;
  }
}

async function testConnection(
  contract: ConnectorContract,
  implementation: NonNullable<SkillSet['implementations'][string]>,
  connection: CallableConnection,
  deps: ConnectionDeps,
): Promise<ConnectionTestReport & { broken: boolean }> {
  const signal = AbortSignal.any([Context.current().cancellationSignal, AbortSignal.timeout(TEST_LIMIT_MS)]);
  const empty = { hosts: [], permissions: [], clock_skew_seconds: null };
  let hosts: ConnectionTestReport['hosts'] = [];
  try {
    const context = openerOf(deps).contextFor(contract, connection, {
      http: deps.gate.forConnection({ connectionId: connection.connectionUuid, requestsPerMinute: contract.requestsPerMinute, signal }),
      signal,
      operationKey: `test ${connection.connectionUuid}`,
    });
    // biome-ignore lint/nursery/noUnsafeTypeAssertion: the contract's own schema has just parsed the settings.
    const known = contract.hosts(context.connection.settings as never);
    hosts = await Promise.all(known.map(({ purpose, url }) => reach(deps.egress, purpose, url, signal)));
    try {
      // biome-ignore lint/nursery/noUnsafeTypeAssertion: the same, for the whole connection.
      const found = await implementation.test(context as never);
      const detail = scrubText(found.credentials.detail, context.connection.credentials);
      const permissions = found.permissions.map((permission) => ({ ...permission }));
      const missing = permissions.filter(({ granted }) => granted === false).map(({ skill_id }) => skill_id);
      const skew = clockSkew(found.date);
      const summary = [
        found.credentials.ok ? 'The third party accepts the credentials.' : detail,
        ...(missing.length > 0 ? [`Not permitted: ${missing.join(', ')}.`] : []),
        ...(skew !== null && Math.abs(skew) > 60 ? [`The clocks are ${skew} seconds apart.`] : []),
      ].join(' ');
      return {
        ok: found.credentials.ok,
        broken: !found.credentials.ok,
        summary,
        hosts,
        credentials: { ok: found.credentials.ok, detail },
        permissions,
        clock_skew_seconds: skew,
      };
    } catch (error) {
      throw scrubbed(error, context.connection);
    }
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const resolution = error instanceof ThirdPartyError ? error.resolution : undefined;
    const detail = resolution === undefined ? error.message : `${error.message} ${resolution}`;
    return {
      ...empty,
      hosts,
      ok: false,
      broken: error.code === 'CredentialsRejected',
      summary: detail,
      credentials: { ok: false, detail },
    };
  }
}

async function reach(
  egress: Egress,
  purpose: string,
  url: string | null,
  signal: AbortSignal,
): Promise<ConnectionTestReport['hosts'][number]> {
  if (url === null) return { purpose, host: null, reachable: null, detail: 'Not configured.' };
  const { hostname, port } = new URL(url);
  const host = port === '' ? hostname : `${hostname}:${port}`;
  try {
    const socket: TLSSocket = await egress.connectTls({ host: hostname, port: port === '' ? 443 : Number(port), signal });
    const protocol = socket.getProtocol();
    socket.destroy();
    return { purpose, host, reachable: true, detail: `Reached over ${protocol ?? 'TLS'}.` };
  } catch (error) {
    return { purpose, host, reachable: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

function clockSkew(date: string | null): number | null {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? null : Math.round((Date.now() - theirs) / 1000);
}
