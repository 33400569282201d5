import type { catalogue } from '../../connectors/catalogue.js';
import type { SkillOutput } from '../../connectors/kit/define.js';
import { toAccountName } from '../../domain/entity/account-name.js';
import type { Entity, EntityKind, EntityRole } from '../../domain/entity/entity.js';
import type { AskStep } from '../../domain/playbook/playbook.js';
import type { PlaybookContext } from '../playbook.js';
import type { EvidenceLog } from './evidence-log.js';

type Context = PlaybookContext<typeof catalogue>;
type Machine = SkillOutput<typeof catalogue.endpointDetection.skills.getMachine>;

/** More calls of one kind rarely change the verdict. */
const MAX_ITEMS = 10;

export function listValues(entities: readonly Entity[], kind: EntityKind): string[] {
  return entities.filter((entity) => entity.kind === kind).map((entity) => entity.value);
}

/** Third parties know nothing about private addresses and must not learn them. */
const PRIVATE_ADDRESS = /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:|fe80:)/;

export function isPublicAddress(ip: string): boolean {
  return !PRIVATE_ADDRESS.test(ip);
}

type EntityStep = Extract<AskStep['each'], { of: 'entity' }>;

/** Returns the values of the entities that a plan step selects. */
export function selectEntities(entities: readonly Entity[], { kind, only }: Pick<EntityStep, 'kind' | 'only'>): string[] {
  if (only === 'without-machine' && entities.some((entity) => entity.kind === 'host' || entity.kind === 'machine-id')) return [];
  const among = only === 'person' || only === 'account' ? listPeople(entities) : entities;
  const values = kind === 'email' ? listAddresses(among) : listValues(among, kind);
  return onlySome(values, only);
}

const ADDRESS = /^[^\s@\\]+@[^\s@]+\.[^\s@]+$/;

/** An account may be named by its address only. */
function listAddresses(entities: readonly Entity[]): string[] {
  const accounts = listValues(entities, 'user').filter((user) => ADDRESS.test(user));
  return [...new Set([...listValues(entities, 'email'), ...accounts])];
}

const PASSED_ON: readonly (EntityRole | undefined)[] = ['reporter', 'sender', 'recipient'];
const ACTED: readonly (EntityRole | undefined)[] = ['actor', 'victim'];

/**
 * The accounts and addresses of the people that an alert is about. If the alert has an account, a mailbox that passed the alert on and
 * the address of a service desk belong to other people.
 */
export function listPeople(entities: readonly Entity[]): Entity[] {
  const names = entities.filter(({ kind }) => kind === 'user' || kind === 'email');
  const people = names.filter(({ role }) => !PASSED_ON.includes(role));
  const accounts = new Set(people.flatMap(({ kind, value }) => (kind === 'user' ? [toAccountName(value)] : [])));
  if (people.length === 0) return preferSome(names, ({ role }) => role !== 'reporter');
  if (accounts.size === 0) return people;
  return people.filter(({ kind, value, role }) => kind === 'user' || ACTED.includes(role) || accounts.has(toAccountName(value)));
}

function preferSome<Item>(items: readonly Item[], isPreferred: (item: Item) => boolean): Item[] {
  const preferred = items.filter(isPreferred);
  return preferred.length === 0 ? [...items] : preferred;
}

/** Leaves out the values that a question does not take. */
export function onlySome(values: readonly string[], only: EntityStep['only']): string[] {
  switch (only) {
    case 'public':
      return values.filter(isPublicAddress);
    case 'private':
      return values.filter((value) => !isPublicAddress(value));
    case 'sha256':
      return values.filter((value) => value.length === SHA256_LENGTH);
    case 'account':
      return values.filter((value) => !ADDRESS.test(value));
    case 'machine-like':
      return values.filter((value) => MACHINE_LIKE.test(value));
    default:
      return [...values];
  }
}

const SHA256_LENGTH = 64;
/** A full name with at least three labels, the first with a digit: a text without field names does not say that it is a machine. */
const MACHINE_LIKE = /^(?=[a-z-]*\d)[a-z0-9-]+(?:\.[a-z0-9-]+){2,}$/i;

/** Removes duplicates and limits the number of items. A gap records how many were left out. */
export function limitItems<Item>(evidence: EvidenceLog, what: string, items: readonly Item[], max = MAX_ITEMS): Item[] {
  const distinct = [...new Set(items)];
  if (distinct.length > max) evidence.leftOut(`Not every ${what} was checked`, `Checked ${max} of ${distinct.length}.`);
  return distinct.slice(0, max);
}

/** The standard questions ask for as many, so the service can use their answer again. */
const MAX_NAMESAKES = 5;
const MACHINE_ID = /^[0-9a-f]{40}$/;

/** Finds the devices that the alert names. `from` is the answer that each came from. */
export async function findMachines({ entities, skills, evidence }: Context): Promise<{ machine: Machine; from: object }[]> {
  const hosts = limitItems(evidence, 'host', listValues(entities, 'host'));
  const ids = limitItems(
    evidence,
    'device ID',
    listValues(entities, 'machine-id').filter((id) => MACHINE_ID.test(id)),
  );
  const [byName, byId] = await Promise.all([
    Promise.all(hosts.map((host) => skills.endpointDetection.listMachines({ computer_dns_name: host, max_items: MAX_NAMESAKES }))),
    Promise.all(ids.map((id) => skills.endpointDetection.getMachine({ machine_id: id }))),
  ]);
  for (const [index, answer] of byName.entries()) {
    const isUnknown = answer !== null && answer.items.length === 0;
    if (isUnknown)
      evidence.note(`Unknown device: ${hosts[index]}`, 'The endpoint platform has no device with this name.', { from: answer });
  }
  const found = [
    ...byName.flatMap((answer) => (answer?.items ?? []).map((machine) => ({ machine, from: answer ?? machine }))),
    ...byId.flatMap((machine) => (machine ? [{ machine, from: machine }] : [])),
  ];
  return [...new Map(found.map((each) => [each.machine.id, each])).values()];
}

/** Returns `hr-ws-014` for `hr-ws-014.harbour-reed.example`. A short first label, as in `nb.ana.souza`, is part of the name. */
export function toShortHostName(host: string): string {
  const [first = host] = host.split('.');
  return first.length >= SHORTEST_HOST_NAME ? first : host;
}

const SHORTEST_HOST_NAME = 4;

export function toIsoString(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString();
}

const DAY_SECONDS = 86_400;
export function daysBefore(epochSeconds: number, days: number): number {
  return Math.max(0, epochSeconds - days * DAY_SECONDS);
}
