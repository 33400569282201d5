import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../connectors/catalogue.js';
import { implementations } from '../../connectors/implementations.js';
import type { ConnectorContract } from '../../connectors/kit/define.js';
import type { SkillContext } from '../../connectors/kit/implement.js';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { startThirdParties } from '../../connectors/stand-ins.js';
import {
  type CopyQuestion,
  containsPeriod,
  type ListCopy,
  NextQuestion,
  readWholeList,
  WHOLE_LIST,
} from '../../domain/record/list-copy.js';
import { contextFor } from '../support/third-parties.js';

const now = Math.floor(Date.now() / 1000);
const [computer, other] = COMPUTERS;
const [person] = PEOPLE;
const hoursAgo = (hours: number) => new Date((now - hours * 3600) * 1000).toISOString();

type Name = 'endpointDetection' | 'malwareProtection' | 'travelBooking';
type Perform = (input: unknown, context: unknown) => Promise<unknown>;

let thirdParties: Awaited<ReturnType<typeof startThirdParties>>;
beforeAll(async () => {
  thirdParties = await startThirdParties();
});
afterAll(() => thirdParties?.stop());

function createContext(name: Name): SkillContext {
  const { settings, credentials } = thirdParties.connections[name];
  const contract: ConnectorContract = catalogue[name];
  return contextFor(contract, thirdParties, { settings, credentials });
}

/** As the third party answers. */
async function ask(name: Name, verb: string, input: Record<string, unknown>): Promise<unknown> {
  const contract: ConnectorContract = catalogue[name];
  const skill = contract.skills[verb] ?? expect.fail(`no ${verb}`);
  const performs: Record<string, Perform> = implementations[name].skills as never;
  return skill.output.parse(await performs[verb]?.(skill.input.parse(input), createContext(name)));
}

const findCopy = (name: Name, verb: string): ListCopy => {
  const copies: readonly ListCopy[] = implementations[name].copies ?? [];
  return copies.find(({ questions }) => verb in questions) ?? expect.fail(`no copy answers ${verb}`);
};

const Listed = z.object({ items: z.array(z.unknown()), total: z.number().nullable(), cut: z.string().nullable() });

/** As the copy of the same list answers; null: it leaves the question to the third party. */
async function askCopy(name: Name, verb: string, input: Record<string, unknown>): Promise<unknown> {
  const source = findCopy(name, verb);
  const contract: ConnectorContract = catalogue[name];
  const question = source.questions[verb]?.(contract.skills[verb]?.input.parse(input) ?? {}, now) ?? null;
  if (question === null) return null;
  const output = await askList(name, source, question);
  return output === null ? null : contract.skills[verb]?.output.parse(output);
}

async function askList(name: Name, source: ListCopy, question: CopyQuestion): Promise<unknown> {
  const [period = WHOLE_LIST] = source.listPeriods(now);
  expect(containsPeriod(period, question)).toBe(true);
  const listed = Listed.parse(await ask(name, source.verb, { ...source.buildInput(period), max_items: 5000 }));
  const copied = readWholeList(source, listed) ?? expect.fail('the list is not whole');
  const found = copied.filter(({ keys }) => keys.some((key) => question.keys.includes(key)));
  const output = question.answer(found.map(({ item }) => item));
  if (!(output instanceof NextQuestion)) return output;
  const copies: readonly ListCopy[] = implementations[name].copies ?? [];
  return askList(name, copies.find(({ kind }) => kind === output.kind) ?? expect.fail(`no copy ${output.kind}`), output.question);
}

describe('a copy answers as the third party does', () => {
  it.each<[Name, string, Record<string, unknown>]>([
    ['malwareProtection', 'listComputers', { hostname: [computer.name.toUpperCase(), 'unknown'], max_items: 5 }],
    ['malwareProtection', 'listComputers', { hostname: ['unknown'] }],
    ['malwareProtection', 'listComputers', { internal_ip: other.internalIp }],
    ['malwareProtection', 'listComputers', { external_ip: computer.externalIp, max_items: 5 }],
    ['malwareProtection', 'retrieveEvents', { connector_guid: [computer.connectorGuid], start_date: hoursAgo(48) }],
    ['malwareProtection', 'retrieveEvents', { connector_guid: [computer.connectorGuid], start_date: hoursAgo(0.5) }],
    ['malwareProtection', 'retrieveEvents', { connector_guid: ['unknown'] }],
    ['malwareProtection', 'retrieveEvents', { detection_sha256: INDICATORS.malwareSha256.toUpperCase() }],
    ['malwareProtection', 'retrieveEvents', { application_sha256: INDICATORS.benignSha256, event_type: [1_090_519_054] }],
    ['endpointDetection', 'listMachines', { computer_dns_name: computer.dnsName, max_items: 5 }],
    ['endpointDetection', 'listMachines', { computer_dns_name: 'unknown.example' }],
    ['endpointDetection', 'listMachines', { last_ip_address: computer.internalIp }],
    ['endpointDetection', 'getMachine', { machine_id: computer.machineId }],
    ['endpointDetection', 'listRecommendations', { product_name: 'gateway-client', max_items: 5 }],
    ['endpointDetection', 'listRecommendations', { product_name: 'unknown' }],
    ['endpointDetection', 'getAlert', { alert_id: 'da638700000000000001_1364969601' }],
    ['travelBooking', 'searchUserTravel', { email: person.email.toUpperCase(), around: now }],
    ['travelBooking', 'searchUserTravel', { email: 'nobody@example.com', around: now }],
    ['travelBooking', 'searchUserTravel', { traveller: person.email, around: now }],
    ['travelBooking', 'searchUserTravel', { traveller: person.email.split('@')[0], around: now }],
    ['travelBooking', 'searchUserTravel', { traveller: `HARBOUR\\${person.email.split('@')[0]}`, around: now - 15 * 86_400 }],
    ['travelBooking', 'searchUserTravel', { traveller: 'svc-nobody', around: now }],
    ['travelBooking', 'getUsers', { name: person.email.split('@')[0], max_items: 5 }],
    ['travelBooking', 'getUsers', { name: 'svc-nobody' }],
    ['travelBooking', 'getUsers', { email: person.email, max_items: 5 }],
    ['travelBooking', 'getUsers', { email: 'nobody@example.com' }],
  ])('%s %s %j', async (name, verb, input) => {
    const copied = await askCopy(name, verb, input);
    expect(withoutClock(copied)).toEqual(withoutClock(await ask(name, verb, input)));
  });

  it.each<[Name, string, Record<string, unknown>]>([
    ['malwareProtection', 'listComputers', { group_guid: ['x'] }],
    ['malwareProtection', 'retrieveEvents', { event_type: [1] }],
    ['endpointDetection', 'listMachines', { computer_dns_name: computer.dnsName, health_status: 'Active' }],
    ['endpointDetection', 'getMachine', { machine_id: 'unknown' }],
    ['endpointDetection', 'getAlert', { alert_id: 'da000000000000000000_1' }],
    ['endpointDetection', 'listRecommendations', { product_name: 'gateway-client', status: 'Active' }],
    ['travelBooking', 'getUsers', {}],
  ])('but leaves %s %s %j to it', async (name, verb, input) => {
    expect(await askCopy(name, verb, input)).toBeNull();
  });

  it('except for trips outside of the copied period', () => {
    const source = findCopy('travelBooking', 'searchUserTravel');
    const [period = WHOLE_LIST] = source.listPeriods(now);
    const ask = (around: number) =>
      source.questions['searchUserTravel']?.({ email: person.email, around }, now) ?? expect.fail('no question');
    expect(containsPeriod(period, ask(now - 20 * 86_400))).toBe(true);
    expect(containsPeriod(period, ask(now - 90 * 86_400))).toBe(false);
  });
});

describe('a list', () => {
  const source = { read: (item: unknown) => (typeof item === 'string' ? { itemId: item, at: null, keys: [] } : null) };
  it.each([
    ['an item of an unknown form', { items: ['a', 7], total: 2 }],
    ['a repeated item', { items: ['a', 'a'], total: null }],
    ['fewer items than its total', { items: ['a'], total: 2 }],
    ['more items than its total', { items: ['a', 'b'], total: 1 }],
  ])('with %s proves nothing', (_what, listed) => {
    expect(readWholeList(source, { ...listed, cut: null })).toBeNull();
  });

  it('without a total is whole if it repeats nothing', () => {
    expect(readWholeList(source, { items: ['a', 'b'], total: null, cut: null })).toHaveLength(2);
  });
});

/** The stand-ins describe machines of now at each call. */
function withoutClock(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/"(?:last_?[sS]een|total)":(?:"[^"]*"|\d+|null),?/g, ''));
}
