import type { ConnectionTestReport } from '../../domain/connection/connection.js';
import { CommandError } from '../errors.js';
import type { WorkflowRunner } from '../workflow-runner.js';
import type { ConnectionContext } from './context.js';
import { requireConnection } from './read.js';

const TEST_WAIT_MS = 60_000;

export async function testConnection(context: ConnectionContext, connectionUuid: string): Promise<ConnectionTestReport> {
  const report = await runTest(context.runner, await requireConnection(context, connectionUuid));
  if (report === null) throw new CommandError('unavailable', 'The test is still running. Try again shortly.', { retryAfterSeconds: 10 });
  return report;
}

/** Returns null if the test has not ended within `waitMs`. It continues then. */
export async function runTest(
  runner: WorkflowRunner,
  { connectionUuid, instanceName }: { connectionUuid: string; instanceName: string },
  waitMs = TEST_WAIT_MS,
): Promise<ConnectionTestReport | null> {
  const outcome = await runner.run<ConnectionTestReport>({
    type: 'testConnection',
    workflowId: `test-connection-${connectionUuid}`,
    input: { connectionId: connectionUuid },
    summary: `Test of ${instanceName}`,
    waitMs,
  });
  return outcome.ended ? outcome.result : null;
}
