import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Egress } from '../../../connectors/kit/egress.js';
import { HttpClient } from '../../../connectors/kit/http.js';
import { createAuthority, type StandIn, startStandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { defineThreatIntelligenceStandIn } from '../../../connectors/threat-intelligence/stand-in.js';
import { acquireSlot } from '../../../db/connections/connection-calls.js';
import type { Connection } from '../../../services/connections/wire.js';
import { changeRateLimitBuckets } from '../../support/rows.js';
import { startTestService, type TestService } from '../../support/service.js';
import { refused } from '../../support/third-parties.js';

const PER_MINUTE = 10;
let service: TestService;
let standIn: StandIn<unknown>;
/** One limiter for each of two workers. */
let httpClients: HttpClient[];
let connectionId: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  standIn = await startStandIn({ authority: await createAuthority(), define: defineThreatIntelligenceStandIn });
  httpClients = [1, 2].map(
    () =>
      new HttpClient(new Egress({ allow: [standIn.address], ca: standIn.caPem }), {
        acquireSlot: (id, perMinute) => acquireSlot(service.database.pg, id, perMinute),
      }),
  );
});
afterAll(async () => {
  await Promise.all(httpClients.map((httpClient) => httpClient.close()));
  await standIn.stop();
  await service.stop();
});
beforeEach(async () => {
  standIn.requests.length = 0;
  connectionId = await connect();
});

async function connect(): Promise<string> {
  const { body } = await service.request<Connection>('POST', '/platformapi/connections', {
    body: {
      organization_code: 'DEMO',
      connector: 'threat-intelligence',
      instance_name: `Intelligence ${Math.random()}`,
      settings: { api_host: 'https://intelligence.example' },
      credentials: { api_key: 'x' },
    },
  });
  return body.connection_id;
}

/** Sends from the workers alternately. */
async function send(count: number): Promise<PromiseSettledResult<unknown>[]> {
  const { signal } = new AbortController();
  const requests = Array.from({ length: count }, (_, n) =>
    httpClients[n % httpClients.length]
      ?.forConnection({ connectionId, organization: null, requestsPerMinute: PER_MINUTE, signal })
      .request({ method: 'GET', url: `${standIn.url}/` }),
  );
  return Promise.allSettled(requests);
}

const advanceTime = (seconds: number) => changeRateLimitBuckets(service, {}, { second: sql`second - ${seconds}` });

it('limits all workers together in a sliding minute', async () => {
  const sent = await send(2 * PER_MINUTE - 4);
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(PER_MINUTE);
  expect(standIn.requests).toHaveLength(PER_MINUTE);
  const [failed] = sent.filter((each) => each.status === 'rejected');
  const error = await refused(Promise.reject(failed?.reason));
  expect(error).toMatchObject({ code: 'RateLimited', mayHaveHappened: false });
  expect(error.retryAfterSeconds).toBeGreaterThan(50);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(61);
});

it('frees capacity after a minute', async () => {
  const { pg } = service.database;
  for (let n = 0; n < PER_MINUTE; n += 1) expect(await acquireSlot(pg, connectionId, PER_MINUTE)).toBe(0);
  expect(await acquireSlot(pg, connectionId, PER_MINUTE)).toBeGreaterThan(50);
  await advanceTime(59);
  // The call waits instead of failing, because capacity is free within seconds.
  expect((await send(1)).map(({ status }) => status)).toEqual(['fulfilled']);
});

it('is separate for each connection', async () => {
  const { pg } = service.database;
  for (let n = 0; n < PER_MINUTE; n += 1) await acquireSlot(pg, connectionId, PER_MINUTE);
  expect(await acquireSlot(pg, await connect(), PER_MINUTE)).toBe(0);
  expect(await acquireSlot(pg, connectionId, PER_MINUTE)).toBeGreaterThan(50);
});
