import type { AlertListItem } from '../../../domain/alert/alert.js';
import type { Entity } from '../../../domain/entity/entity.js';
import { investigate, storeRead } from '../../api/support/records.js';
import { startTestService } from '../../support/service.js';
import { storeConnection } from '../../support/stored-connection.js';

export const HOST = 'hr-ws-014.harbour.example';
export const ENTITIES: Entity[] = [
  { kind: 'host', value: HOST, role: 'victim' },
  { kind: 'user', value: 'dana.vries' },
  { kind: 'ip', value: '203.0.113.66', role: 'destination' },
  { kind: 'url', value: 'https://evil.example/<img src=x onerror=alert(1)>?a=b&c=d' },
  { kind: 'hash', value: '44d88612fea8a8f36de82e1278abb02f44d88612fea8a8f36de82e1278abb02f' },
];

/** Starts a service with three alerts and cases of a host that the endpoint platform knows. Returns the last ones. */
export async function startWithKnownHost() {
  const service = await startTestService({ dashboard: true, worker: false });
  const connectionId = await storeConnection(service.database.db, { name: 'Endpoints' });
  const cases: { alert: AlertListItem; caseId: string }[] = [];
  for (let n = 0; n < 3; n += 1) {
    const alert = await service.sendAlert({ alert_type: 'Malware detected', alert_content: `Malware on ${HOST}, run ${n}` });
    cases.push({ alert, caseId: await investigate(service, alert, { entities: ENTITIES }) });
  }
  const last = cases.at(-1);
  if (last === undefined) throw new Error('There is no case.');
  const machine = { computerDnsName: HOST, osPlatform: 'Windows11', riskScore: 'High', lastSeen: '2026-11-16T08:00:00Z' };
  await storeRead(service, last.alert, {
    connectionId,
    connector: 'endpoint-detection',
    skillId: 'List machines',
    input: { computer_dns_name: HOST },
    output: { items: [machine] },
  });
  await service.request('PATCH', `/platformapi/cases/${last.caseId}`, { body: { comment: 'The platypus did it.' } });
  return { service, ...last };
}
