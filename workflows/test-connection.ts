import { proxyActivities } from '@temporalio/workflow';
import type { ConnectionTestReport } from '../domain/connection/connection.js';
import type { ConnectionTestActivities } from '../domain/connection/skill.js';

/** Asks the third party whether the connection works; one that does wakes every investigation that waits for it. */
export async function testConnection({ connectionId }: { connectionId: string }): Promise<ConnectionTestReport> {
  const once = proxyActivities<ConnectionTestActivities>({
    startToCloseTimeout: '60s',
    retry: { maximumAttempts: 3 },
    summary: 'Call the third party',
  });
  const report = await once.testConnection(connectionId);
  if (report.ok) {
    const surely = proxyActivities<ConnectionTestActivities>({ startToCloseTimeout: '5m', summary: 'Wake who waits for the connection' });
    await surely.wakeWaiters();
  }
  return report;
}
