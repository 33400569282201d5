import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import type { TestService } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

let started: WithThirdParties;
let service: TestService;

beforeAll(async () => {
  started = await startWithThirdParties();
  ({ service } = started);
  await createConnection(service, { ...started.thirdParties.connections.incidentSource, instance_name: 'Incidents' });
});
afterAll(() => started?.stop());

it('finds the incident of a machine for each of many alerts with the list calls of one', async () => {
  const [computer] = COMPUTERS;
  const { requests } = started.thirdParties.standIns.incidentSource;
  const lists = () => requests.filter(({ url }) => url.startsWith('/api/incidents?')).length;
  const investigate = async (index: number) => {
    const content = `Odd process ${index} on ${computer.dnsName}`;
    const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Odd process', alert_content: content });
    await service.waitForStatus(alertId, 15);
    return alertId;
  };
  const first = await investigate(0);
  const asked = lists();
  expect(asked).toBeGreaterThan(0);
  const others = await Promise.all(Array.from({ length: 10 }, (_, index) => investigate(index + 1)));
  for (const alertId of [first, ...others]) {
    const { evidence } = await service.readCase(alertId);
    const sources = evidence.filter(({ reason }) => reason.includes('The incident 2041 '));
    expect(sources).toMatchObject([{ source: { connector: 'incident-source', connection: 'Incidents', skill_id: 'List Incidents' } }]);
  }
  expect(lists()).toBe(asked);
});

it('learns from records which names are one account', async () => {
  const address = (kind: string, value: string) =>
    `/platformapi/entity?organization_code=DEMO&kind=${kind}&value=${encodeURIComponent(value)}`;
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Odd process', alert_content: 'user=dana.vries' });
  await service.waitForStatus(alertId, 15);
  const found = await service.request('GET', address('email', 'dana.vries@harbour-reed.example'));
  expect(found.body).toMatchObject({ alert_count: 1, spellings: [{ kind: 'user', value: 'dana.vries' }] });
});
