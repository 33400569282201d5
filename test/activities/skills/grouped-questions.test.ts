import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSkillActivities } from '../../../activities/skills/skill-activity.js';
import { catalogue } from '../../../connectors/catalogue.js';
import { implementations } from '../../../connectors/implementations.js';
import { Egress } from '../../../connectors/kit/egress.js';
import { HttpClient } from '../../../connectors/kit/http.js';
import { INDICATORS } from '../../../connectors/kit/stand-in/company.js';
import type { StandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import type { ThreatIntelligenceStandInState } from '../../../connectors/threat-intelligence/stand-in.js';
import { acquireSlot } from '../../../db/connections/connection-calls.js';
import type { SkillReply, SkillRequest } from '../../../domain/connection/skill.js';
import { createMetrics } from '../../../platform/metrics.js';
import { createOrganization } from '../../api/support/records.js';
import type { TestService } from '../../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../../support/with-third-parties.js';

let started: WithThirdParties;
let service: TestService;
let platform: StandIn<ThreatIntelligenceStandInState>;
let httpClient: HttpClient;
let connectionId: string;
let alertId: string;

beforeAll(async () => {
  started = await startWithThirdParties({ worker: false });
  ({ service } = started);
  platform = started.thirdParties.standIns.threatIntelligence;
  httpClient = new HttpClient(new Egress({ allow: started.thirdParties.allow, ca: started.thirdParties.caPem }), {
    acquireSlot: (id) => acquireSlot(service.database.pg, id, 10_000),
  });
});
afterAll(async () => {
  await httpClient?.close();
  await started?.stop();
});

beforeEach(async () => {
  const organization = `G${randomUUID().slice(0, 8).toUpperCase()}`;
  await createOrganization(service, organization);
  connectionId = await createConnection(service, {
    ...started.thirdParties.connections.threatIntelligence,
    organization_code: organization,
    instance_name: `Intelligence ${organization}`,
  });
  ({ alert_id: alertId } = await service.sendAlert({ organization_code: organization }));
  platform.faults.clear();
  platform.requests.length = 0;
  platform.state.modules.lookupOfSeveral = true;
});

/** One worker. Its questions share their calls. */
function startWorker() {
  const { pg, db } = service.database;
  const activities = createSkillActivities(
    { catalogue, implementations },
    { pg, db, httpClient, keyring: service.keyring, metrics: createMetrics() },
  );
  return async (value: string, more: Partial<SkillRequest> = {}): Promise<SkillReply> => {
    const activity = activities['threatIntelligence.getEnrichment'] ?? expect.fail('no activity');
    const operationKey = `${alertId}/1/enrichment/${randomUUID()}`;
    const input = { kind: 'ip', value };
    const request: SkillRequest = { connectionId, operationKey, alertId, runId: null, input, mayReuse: true, ...more };
    return new MockActivityEnvironment({ workflowExecution: { workflowId: alertId, runId: randomUUID() } }).run(activity, request);
  };
}

const SINGLE = Math.ceil(catalogue.threatIntelligence.requestsPerMinute / 10);
const addresses = (from: number, count: number) => Array.from({ length: count }, (_, index) => `198.51.100.${from + index}`);
const isGroup = ({ url }: { url: string }) => url === '/soar/v3/enrichment';
const countCalls = () => ({
  groups: platform.requests.filter(isGroup).length,
  single: platform.requests.filter(({ url }) => url.startsWith('/v2/')).length,
});

/** As many questions as may be asked one by one in a minute. */
async function askMany(ask: ReturnType<typeof startWorker>): Promise<void> {
  await Promise.all(addresses(1, SINGLE).map((address) => ask(address)));
}

it('asks each question alone while the connection has requests to spare', async () => {
  const ask = startWorker();
  await askMany(ask);
  expect(countCalls()).toEqual({ groups: 0, single: SINGLE });
});

it('asks many questions of different alerts with one call, and stores the answer of each', async () => {
  const ask = startWorker();
  await askMany(ask);
  platform.requests.length = 0;
  const asked = [INDICATORS.maliciousIp, INDICATORS.maliciousIp, ...addresses(101, 20)];
  const replies = await Promise.all(asked.map((address) => ask(address)));
  expect(countCalls()).toEqual({ groups: 1, single: 0 });
  expect(replies.map(({ output }) => Reflect.get(Object(output), 'score'))).toEqual([89, 89, ...addresses(101, 20).map(() => null)]);
  const [row] = await service.database.pg`select input, output from skill_results where result_uuid = ${replies[0]?.resultId ?? ''}`;
  expect(row).toMatchObject({ input: { value: INDICATORS.maliciousIp }, output: { found: true, score: 89 } });
});

it('asks a person’s question alone', async () => {
  const ask = startWorker();
  await askMany(ask);
  platform.requests.length = 0;
  await Promise.all(addresses(101, 3).map((address) => ask(address, { mayReuse: false })));
  expect(countCalls()).toEqual({ groups: 0, single: 3 });
});

it('asks alone what the call of several cannot answer, and does not try a call that the subscription lacks again', async () => {
  platform.state.modules.lookupOfSeveral = false;
  const ask = startWorker();
  await askMany(ask);
  platform.requests.length = 0;
  for (const from of [101, 111]) {
    const replies = await Promise.all(addresses(from, 5).map((address) => ask(address)));
    expect(replies.map(({ output }) => Reflect.get(Object(output), 'found'))).toEqual([false, false, false, false, false]);
  }
  expect(countCalls()).toEqual({ groups: 1, single: 10 });
  const [{ refusals }] = await service.database.pg<
    [{ refusals: number }]
  >`select count(*)::int as refusals from connection_refusals where connection_uuid = ${connectionId}`;
  expect(refusals).toBe(0);
});

it('lets every question of a group wait if the third party asks for it, because each alone would have to wait too', async () => {
  const ask = startWorker();
  await askMany(ask);
  platform.requests.length = 0;
  platform.faults.next({ match: isGroup, status: 429, headers: { 'retry-after': '7' } });
  const failures = await Promise.all(addresses(101, 5).map((address) => ask(address).catch((error: unknown) => error)));
  expect(failures).toEqual(failures.map(() => expect.objectContaining({ type: 'RateLimited' })));
  expect(countCalls()).toEqual({ groups: 1, single: 0 });
  const [connection] = await service.database.pg`select throttled_in_a_row from connections where connection_uuid = ${connectionId}`;
  expect(connection).toEqual({ throttled_in_a_row: 1 });
});
