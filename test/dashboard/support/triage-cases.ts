import { FINDING, investigate } from '../../api/support/records.js';
import type { TestService } from '../../support/service.js';

/** Opens a case of the host for each number of points. Returns the cases, oldest first. */
export async function openCasesOnHost(service: TestService, host: string, points: readonly number[]): Promise<string[]> {
  const caseIds: string[] = [];
  for (const each of points) {
    const alert = await service.sendAlert({ alert_type: 'Malware on host', alert_content: `Malware on ${host}` });
    caseIds.push(
      await investigate(service, alert, { evidence: [{ ...FINDING, points: each }], entities: [{ kind: 'host', value: host }] }),
    );
  }
  return caseIds;
}
