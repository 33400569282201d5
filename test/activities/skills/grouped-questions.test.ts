import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { catalogue } from '../../../connectors/catalogue.js';
import { INDICATORS } from '../../../connectors/kit/stand-in/company.js';
import type { StandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import type { ThreatIntelligenceStandInState } from '../../../connectors/threat-intelligence/stand-in.js';
import type { SkillReply, SkillRequest } from '../../../domain/connection/skill.js';
import { toSkillKey } from '../../../domain/skill-key.js';
import type { TestService } from '../../support/service.js';
import { startSkillKit } from './support.js';

let kit: Awaited<ReturnType<typeof startSkillKit<'threatIntelligence'>>>;
let service: TestService;
let platform: StandIn<ThreatIntelligenceStandInState>;

beforeAll(async () => {
  kit = await startSkillKit('threatIntelligence');
  ({ service, standIn: platform } = kit);
});
afterAll(() => kit?.stop());

beforeEach(async () => {
  await kit.beginTest();
  platform.state.modules.lookupOfSeveral = true;
});

function startWorker() {
  const ask = kit.startWorker();
  return (value: string, more?: Partial<SkillRequest>): Promise<SkillReply> =>
    ask(toSkillKey('threatIntelligence', 'getEnrichment'), { kind: 'ip', value }, more);
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
  >`select count(*)::int as refusals from connection_refusals where connection_uuid = ${kit.current.connectionId}`;
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
  const [connection] = await service.database
    .pg`select throttled_in_a_row from connections where connection_uuid = ${kit.current.connectionId}`;
  expect(connection).toEqual({ throttled_in_a_row: 1 });
});
