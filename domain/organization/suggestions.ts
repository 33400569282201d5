import type { EntityKind } from '../entity/entity.js';
import type { SharedValue } from '../verdict/evidence.js';
import { canonicalDomain, canonicalKnowledge, type KnowledgeEntry, type KnowledgeKind, type KnowledgeSuggestion } from './knowledge.js';
import { classifyOwn, indexKnowledge } from './own-entities.js';

/** What stored alerts and answers show about the organization. */
export interface StoredSigns extends OwnNames {
  /** Values that investigations found in records and alerts of many people or machines, those of most subjects first. */
  readonly shared: readonly (KnowledgeEntry & Omit<SharedValue, 'kind' | 'value'>)[];
  /** The number of the newest alerts that were counted. */
  readonly alerts: number;
  /** Domains and addresses, each with the number of these alerts that contain it. */
  readonly prevalence: readonly { readonly kind: 'ip' | 'domain'; readonly value: string; readonly alerts: number }[];
}

export interface OwnNames {
  /** Full names of machines that the organization's platforms answered. */
  readonly machineNames: readonly string[];
  /** Addresses of people that the organization's directories answered. */
  readonly directoryAddresses: readonly string[];
}

/** Where the answers of a connector name the organization's own machines and people, as JSON paths of Postgres. */
export interface OwnNameSource {
  readonly connectorKind: string;
  readonly machines?: readonly string[];
  readonly people?: readonly string[];
}

/** Fewer alerts show a coincidence, not a habit. */
const PREVALENT_FROM_ALERTS = 20;
const PREVALENT_FROM_SHARE = 0.2;
/** The number of machines or people that must share a domain. */
const SHARED_BY_AT_LEAST = 3;
const MAX_SUGGESTED = 50;

/** The strongest sources first. Leaves out what the organization knows or rejected. */
export function suggestKnowledge(
  { alerts, prevalence, shared, machineNames, directoryAddresses }: StoredSigns,
  known: readonly KnowledgeEntry[],
  rejected: readonly KnowledgeEntry[],
): KnowledgeSuggestion[] {
  const machines = countMachineDomains(machineNames);
  const people = countMailDomains(directoryAddresses);
  const all: KnowledgeSuggestion[] = [
    ...shared.map(
      ({ kind, value, ...spread }): KnowledgeSuggestion => ({ kind, value, source: 'shared-values', reason: describeSpread(spread) }),
    ),
    ...machines.map(
      ([value, count]): KnowledgeSuggestion => ({
        kind: 'domain',
        value,
        source: 'machine-names',
        reason: `The names of ${count} machines of a connected platform end with it.`,
      }),
    ),
    ...people.map(
      ([value, count]): KnowledgeSuggestion => ({
        kind: 'domain',
        value,
        source: 'directory',
        reason: `${count} users of a connected directory have an address at it.`,
      }),
    ),
    ...prevalence
      .filter((each) => each.alerts >= PREVALENT_FROM_ALERTS && each.alerts >= PREVALENT_FROM_SHARE * alerts)
      .map(
        (each): KnowledgeSuggestion => ({
          kind: each.kind === 'ip' ? 'network' : 'domain',
          value: each.value,
          source: 'prevalence',
          reason: `${each.alerts} of the newest ${alerts} alerts contain it.`,
        }),
      ),
  ];
  const index = indexKnowledge(known);
  const refused = new Set(rejected.map(({ kind, value }) => `${kind} ${value}`));
  const seen = new Set<string>();
  const isNew = ({ kind, value, source }: KnowledgeSuggestion) => {
    const key = `${kind} ${value}`;
    if (seen.has(key) || refused.has(key)) return false;
    seen.add(key);
    const own = classifyOwn({ kind: ENTITY_OF[kind] ?? 'domain', value }, index);
    // A single own computer or account that many share is not known as shared yet.
    const isKnown = own !== null && !(source === 'shared-values' && own.individual);
    return canonicalKnowledge(kind, value) === value && !isKnown;
  };
  return all.filter(isNew).slice(0, MAX_SUGGESTED);
}

const ENTITY_OF: Partial<Record<KnowledgeKind, EntityKind>> = { network: 'ip', 'shared-host': 'host', 'service-account': 'user' };
const KNOWLEDGE_OF: Readonly<Record<string, KnowledgeKind>> = {
  ip: 'network',
  host: 'shared-host',
  user: 'service-account',
  email: 'service-account',
  domain: 'domain',
};

/** The entry that a shared entity can become; null where own knowledge has no such kind. */
export function toKnowledge({ kind, value }: Pick<SharedValue, 'kind' | 'value'>): KnowledgeEntry | null {
  const known = KNOWLEDGE_OF[kind];
  const canonical = known === undefined ? null : canonicalKnowledge(known, value);
  return known === undefined || canonical === null ? null : { kind: known, value: canonical };
}

function describeSpread({ records, people, machines, cases, days }: Omit<SharedValue, 'kind' | 'value'>): string {
  const parts = [count(people, 'person', 'people'), count(machines, 'machine', 'machines'), count(cases, 'own case', 'own cases')];
  const named = parts.filter((part) => part !== null).join(', ');
  return `${count(records, 'record or alert', 'records and alerts') ?? 'Records'} of ${named || 'different subjects'} on ${count(days, 'day', 'days') ?? 'unknown days'} name it, so it identifies none of them.`;
}

function count(number: number, one: string, several: string): string | null {
  return number === 0 ? null : `${number} ${number === 1 ? one : several}`;
}

/** The domains that several machines or people of the organization use. */
export function listLikelyDomains({ machineNames, directoryAddresses }: OwnNames): string[] {
  const counted = [...countMachineDomains(machineNames), ...countMailDomains(directoryAddresses)];
  return [...new Set(counted.map(([domain]) => domain))].slice(0, MAX_SUGGESTED);
}

/** The domains of machines and people that the organization's own platforms know. Their answers prove more than text of an alert. */
export function listOwnDomains({ machineNames, directoryAddresses }: OwnNames): KnowledgeEntry[] {
  const domains = [...machineNames.map(readMachineDomain), ...directoryAddresses.map(readMailDomain)];
  const known = new Set(domains.flatMap((domain) => canonicalDomain(domain) ?? []));
  return [...known].slice(0, MAX_SUGGESTED).map((value) => ({ kind: 'domain', value }));
}

function readMachineDomain(name: string): string {
  return name.slice(name.indexOf('.') + 1 || name.length);
}

function readMailDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function countMachineDomains(names: readonly string[]): [string, number][] {
  return countDomains(names.map(readMachineDomain));
}

function countMailDomains(addresses: readonly string[]): [string, number][] {
  return countDomains(addresses.map(readMailDomain));
}

/** Domains with the number of distinct owners, the most frequent first. */
function countDomains(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const domain = canonicalDomain(name);
    if (domain !== null) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= SHARED_BY_AT_LEAST).sort((one, other) => other[1] - one[1]);
}
