import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { COMPUTERS, type Computer, INDICATORS } from '../../../connectors/kit/stand-in/company.js';
import type { StandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { describeComputer, type MalwareProtectionStandInState, malwareEvent } from '../../../connectors/malware-protection/stand-in.js';
import { deleteUnusedCopies } from '../../../db/copies/list-copies.js';
import type { SkillReply, SkillRequest } from '../../../domain/connection/skill.js';
import { toSkillKey } from '../../../domain/skill-key.js';
import { ago, changeConnections, changeListCopies } from '../../support/rows.js';
import type { TestService } from '../../support/service.js';
import { startSkillKit } from './support.js';

const first = COMPUTERS[0];
const HOUR_SECONDS = 3600;
const now = () => Math.floor(Date.now() / 1000);

let kit: Awaited<ReturnType<typeof startSkillKit<'malwareProtection'>>>;
let service: TestService;
let malware: StandIn<MalwareProtectionStandInState>;

beforeAll(async () => {
  kit = await startSkillKit('malwareProtection');
  ({ service, standIn: malware } = kit);
});
afterAll(() => kit?.stop());

beforeEach(async () => {
  await kit.beginTest();
  malware.state.requestsLeft = 3000;
  malware.state.computers.splice(0, Number.POSITIVE_INFINITY, ...COMPUTERS.map(describeComputer));
  malware.state.events = [report({ age: HOUR_SECONDS })];
});

let eventId = 1_000n;
function report(
  { age, type = 'Threat Detected' }: { age: number; type?: 'Threat Detected' | 'Executed malware' },
  computer: Computer = first,
) {
  eventId += 1n;
  const file = { disposition: 'Malicious', file_name: 'a.exe', identity: { sha256: INDICATORS.malwareSha256.toUpperCase() } };
  return malwareEvent({ id: eventId, type, at: now() - age, computer, more: { detection: 'W32.Test', file } });
}

function startWorker() {
  const ask = kit.startWorker();
  return (verb: 'listComputers' | 'retrieveEvents', input: unknown, more?: Partial<SkillRequest>): Promise<SkillReply> =>
    ask(toSkillKey('malwareProtection', verb), input, more);
}

const eventsOf = (guid: string) => ({ connector_guid: [guid], start_date: new Date((now() - 48 * HOUR_SECONDS) * 1000).toISOString() });
const calls = () => malware.requests.map(({ url }) => url);
const liveCalls = () => calls().filter((url) => /hostname|connector_guid|sha256/.test(url));
const itemsOf = ({ output }: SkillReply) => Reflect.get(Object(output), 'items') as Record<string, unknown>[];
const makeOld = (seconds = 3600) =>
  changeListCopies(service, { connectionUuid: kit.current.connectionId }, { readAt: sql`read_at - make_interval(secs => ${seconds})` });

describe('the copy of a list', () => {
  it('answers like the third party, with its time, and keeps the answer', async () => {
    const ask = startWorker();
    const live = await ask('retrieveEvents', eventsOf(first.connectorGuid), { mayReuse: false });
    const copied = await ask('retrieveEvents', eventsOf(first.connectorGuid));
    expect(copied.output).toEqual(live.output);
    expect(live).not.toHaveProperty('copiedAt');
    expect(copied.copiedAt).toBeGreaterThan(ago({ seconds: 60 }));
    const [row] = await service.database.pg`select output, copied_at from skill_results where result_uuid = ${copied.resultId}`;
    expect(row).toMatchObject({ output: copied.output, copied_at: expect.anything() });
  });

  it('answers every question about single items with one list', async () => {
    const ask = startWorker();
    const names = COMPUTERS.map(({ name }) => name);
    const found = await Promise.all(names.map((name) => ask('listComputers', { hostname: [name.toUpperCase()], max_items: 5 })));
    expect(found.map((reply) => itemsOf(reply)[0]?.['hostname'])).toEqual(names);
    const byAddress = await ask('listComputers', { internal_ip: first.internalIp });
    expect(itemsOf(byAddress)).toMatchObject([{ connector_guid: first.connectorGuid }]);
    expect(itemsOf(await ask('retrieveEvents', { detection_sha256: INDICATORS.malwareSha256.toUpperCase() }))).toHaveLength(1);
    expect(itemsOf(await ask('retrieveEvents', eventsOf(COMPUTERS[1].connectorGuid)))).toEqual([]);
    expect(calls()).toEqual(['/v1/computers?limit=500&offset=0', '/v1/events?limit=500&offset=0']);
  });

  it('is shared by the workers', async () => {
    const workers = [startWorker(), startWorker()];
    malware.faults.next({ latencyMs: 300 });
    const replies = await Promise.all(workers.map((ask) => ask('retrieveEvents', eventsOf(first.connectorGuid))));
    expect(replies.map((reply) => itemsOf(reply).length)).toEqual([1, 1]);
    expect(calls()).toHaveLength(1);
  });

  it('asks the third party for a filter that the copy does not have, and for a question that a person asks', async () => {
    const ask = startWorker();
    await ask('listComputers', { group_guid: ['6c3c2005-4c74-4ba7-8dbb-c4d5b6bafe03'] });
    await ask('listComputers', { hostname: [first.name] }, { mayReuse: false });
    expect(calls().every((url) => /group_guid|hostname/.test(url))).toBe(true);
  });

  it('is not used again after the connection got other settings or credentials', async () => {
    const ask = startWorker();
    await ask('listComputers', { hostname: [first.name] });
    await changeConnections(service, { connectionUuid: kit.current.connectionId }, { generation: sql`generation + 1` });
    malware.state.computers.length = 0;
    expect(itemsOf(await ask('listComputers', { hostname: [first.name] }))).toEqual([]);
  });

  it('is deleted after a week without a question', async () => {
    const ask = startWorker();
    await ask('listComputers', { hostname: [first.name] });
    await changeListCopies(service, { connectionUuid: kit.current.connectionId }, { usedAt: ago({ days: 8 }) });
    await deleteUnusedCopies(service.database.pg);
    const [left] = await service.database
      .pg`select count(*)::int as rows from copied_item_keys where connection_uuid = ${kit.current.connectionId}`;
    expect(left).toEqual({ rows: 0 });
  });
});

describe('a copy that may lack an item', () => {
  /** Fills several pages. */
  const fill = (count: number) => {
    malware.state.events = Array.from({ length: count }, (_, index) => report({ age: HOUR_SECONDS + index }, COMPUTERS[1]));
  };

  it('is read again before it answers: old copies prove no absence', async () => {
    const ask = startWorker();
    await ask('retrieveEvents', eventsOf(first.connectorGuid));
    malware.state.events.unshift(report({ age: 10, type: 'Executed malware' }));
    await makeOld();
    expect(itemsOf(await ask('retrieveEvents', eventsOf(first.connectorGuid)))[0]).toMatchObject({ event_type: 'Executed malware' });
    expect(liveCalls()).toEqual([]);
  });

  it('adds new events with one page, and reads all again if an event came late or was deleted', async () => {
    const ask = startWorker();
    const question = eventsOf(first.connectorGuid);
    fill(1200);
    await ask('retrieveEvents', question);
    expect(calls()).toHaveLength(1 + 3);
    malware.state.events.unshift(report({ age: 5 }));
    await makeOld();
    malware.requests.length = 0;
    expect(itemsOf(await ask('retrieveEvents', question))).toHaveLength(1);
    expect(calls()).toHaveLength(1);
    // A computer that was offline reports an old event: it is not among the newest.
    malware.state.events.push(report({ age: 20 * HOUR_SECONDS, type: 'Executed malware' }));
    await makeOld();
    malware.requests.length = 0;
    expect(itemsOf(await ask('retrieveEvents', question))).toHaveLength(2);
    expect(calls()).toHaveLength(1 + 3);
    malware.state.events.splice(0, 1);
    await makeOld();
    expect(itemsOf(await ask('retrieveEvents', question))).toHaveLength(1);
    expect(liveCalls()).toEqual([]);
  });

  it('does not answer if the third party repeats a page', async () => {
    const ask = startWorker();
    fill(700);
    malware.state.events.push(report({ age: 20 * HOUR_SECONDS, type: 'Executed malware' }));
    const page = malware.state.events.slice(0, 500).map(({ id, ...event }) => ({ ...event, id: String(id) }));
    malware.faults.next({
      match: ({ url }) => url.endsWith('offset=500'),
      body: { version: 'v1.2.0', metadata: { links: {}, results: { total: 701 } }, data: page },
      times: 10,
    });
    expect(itemsOf(await ask('retrieveEvents', eventsOf(first.connectorGuid)))).toMatchObject([{ event_type: 'Executed malware' }]);
    expect(liveCalls()).toHaveLength(1);
  });

  it('does not exist for a list of millions: one page shows that, and questions go to the third party', async () => {
    const ask = startWorker();
    malware.faults.next({
      match: ({ url }) => url === '/v1/computers?limit=500&offset=0',
      body: {
        version: 'v1.2.0',
        metadata: { links: { next: 'https://x.example' }, results: { total: 3_000_000 } },
        data: Array.from({ length: 500 }, () => ({ ...describeComputer(COMPUTERS[1]), connector_guid: randomUUID() })),
      },
      times: 10,
    });
    for (let asked = 0; asked < 3; asked += 1)
      expect(itemsOf(await ask('listComputers', { hostname: [first.name], internal_ip: COMPUTERS[asked]?.internalIp }))).toHaveLength(
        asked === 0 ? 1 : 0,
      );
    expect(calls().filter((url) => !url.includes('hostname'))).toHaveLength(1);
    expect(liveCalls()).toHaveLength(3);
  });

  it('leads to the third party if the list fails', async () => {
    const ask = startWorker();
    malware.faults.next({ match: ({ url }) => url === '/v1/computers?limit=500&offset=0', status: 400, times: 10 });
    expect(itemsOf(await ask('listComputers', { hostname: [first.name] }))).toHaveLength(1);
    expect(itemsOf(await ask('listComputers', { hostname: [COMPUTERS[1].name] }))).toHaveLength(1);
    expect(calls().filter((url) => !url.includes('hostname'))).toHaveLength(1);
  });

  it('does not guess which of several computers a short name means', async () => {
    const ask = startWorker();
    for (const domain of ['a.example', 'b.example'])
      malware.state.computers.push({ ...describeComputer(first), connector_guid: randomUUID(), hostname: `twin-7.${domain}` });
    await ask('listComputers', { hostname: ['twin-7'] });
    expect(liveCalls()).toHaveLength(1);
  });
});
