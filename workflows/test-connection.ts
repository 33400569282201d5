import { proxyActivities } from '@temporalio/workflow';
import type { ConnectionTestReport } from '../domain/connection/connection.js';
import type { ConnectionTestActivities } from '../domain/connection/skill.js';

/** Tests the connection. If it works, resumes every workflow that waits for it. */
export async function testConnection({ connectionId }: { connectionId: string }): Promise<ConnectionTestReport> {
  const tester = proxyActivities<ConnectionTestActivities>({
    startToCloseTimeout: '60s',
    retry: { maximumAttempts: 3 },
    summary: 'Call the third party',
  });
  const report = await tester.testConnection(connectionId);
  if (report.ok) {
    const waker = proxyActivities<ConnectionTestActivities>({
      startToCloseTimeout: '5m',
      summary: 'Resume workflows that wait for the connection',
    });
    await waker.wakeWaiters();
    await waker.askAgainNow(connectionId);
  }
  return report;
}
