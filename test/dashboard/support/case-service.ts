import type { AlertListItem } from '../../../domain/alert/alert.js';
import type { CaseDetail } from '../../../domain/case/case.js';
import { investigate, proposeIsolation } from '../../api/support/records.js';
import { startTestService } from '../../support/service.js';
import { unreachableEndpoints } from '../../support/unreachable-endpoints.js';
import { createConnection } from '../../support/with-third-parties.js';

export type CaseService = Awaited<ReturnType<typeof startCaseService>>;

/** Starts a service whose cases can have proposals of a connection, and comments that mention people. */
export async function startCaseService() {
  const service = await startTestService({ dashboard: true, worker: false });
  const connectionId = await createConnection(service, {
    ...unreachableEndpoints('Endpoints'),
    credentials: { tenant_id: 'tenant', client_id: 'client', client_secret: 'canary-client-secret' },
  });
  for (const name of ['dana vries', 'robin']) await service.createKey('analyst', 'DEMO', { name });
  return {
    service,
    connectionId,
    async openCase(given: Parameters<typeof investigate>[2] = {}): Promise<{ alert: AlertListItem; caseId: string }> {
      const alert = await service.sendAlert({ alert_type: 'Malware on host' });
      return { alert, caseId: await investigate(service, alert, given) };
    },
    /** Proposes to isolate the machine of the alert, and to scan it. */
    async proposeChanges({ alert_id: alertId }: AlertListItem): Promise<void> {
      await proposeIsolation(service, alertId, connectionId);
      const scan = { verb: 'runAntivirusScan', skillId: 'Run antivirus scan', proposalKey: `scan ${alertId}` };
      await proposeIsolation(service, alertId, connectionId, { ...scan, input: { machine_id: alertId, scan_type: 'Quick' } });
    },
    async read(caseId: string): Promise<CaseDetail> {
      return (await service.request<CaseDetail>('GET', `/platformapi/cases/${caseId}`)).body;
    },
  };
}
