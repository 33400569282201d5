import type { Entity } from '../entity/entity.js';
import { parseIp } from '../entity/ip.js';
import { canonicalDomain, type KnowledgeEntry, type KnowledgeKind, type OwnEntity } from './knowledge.js';
import { countBits, findFirst, parseOwnNetwork } from './network.js';

/** Knowledge in maps, so that the cost of an entity does not grow with the number of entries. */
export interface KnowledgeIndex {
  /** By `kind/prefix`, then by the first address. */
  readonly networks: ReadonlyMap<string, ReadonlyMap<string, KnowledgeEntry>>;
  /** A domain and its subdomains. */
  readonly domains: ReadonlyMap<string, KnowledgeEntry>;
  /** Exact names of hosts. */
  readonly names: ReadonlyMap<string, KnowledgeEntry>;
  readonly accounts: ReadonlyMap<string, KnowledgeEntry>;
  /** Important machines by their first label, and important accounts by their name. */
  readonly importantMachines: ReadonlyMap<string, readonly string[]>;
  readonly importantAccounts: ReadonlyMap<string, readonly string[]>;
}

/** Of two entries with one value, the one that says more stays. */
const GENERAL: readonly KnowledgeKind[] = ['domain', 'network'];

export function indexKnowledge(entries: readonly KnowledgeEntry[]): KnowledgeIndex {
  const networks = new Map<string, Map<string, KnowledgeEntry>>();
  const domains = new Map<string, KnowledgeEntry>();
  const names = new Map<string, KnowledgeEntry>();
  const accounts = new Map<string, KnowledgeEntry>();
  const importantMachines = new Map<string, string[]>();
  const importantAccounts = new Map<string, string[]>();
  for (const entry of entries) {
    const network = parseOwnNetwork(entry.value);
    if (entry.kind === 'important-machine') append(importantMachines, firstLabel(entry.value), entry.value);
    else if (entry.kind === 'important-account') append(importantAccounts, readAccount(entry.value).name, entry.value);
    else if (entry.kind === 'test-account' || entry.kind === 'service-account') put(accounts, entry.value, entry);
    else if (entry.kind === 'domain' || entry.kind === 'drill-provider') put(domains, entry.value, entry);
    else if (network === null) put(names, entry.value, entry);
    else {
      const length = `${network.first.kind()}/${network.prefix}`;
      const sameLength = networks.get(length) ?? new Map<string, KnowledgeEntry>();
      networks.set(length, sameLength);
      put(sameLength, network.first.toString(), entry);
    }
  }
  return { networks, domains, names, accounts, importantMachines, importantAccounts };
}

function append(map: Map<string, string[]>, key: string, value: string): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

function firstLabel(name: string): string {
  return name.split('.', 1)[0] ?? '';
}

/** The name and the domain of `tester`, `acme\\tester` or `tester@acme.example`. */
function readAccount(account: string): { name: string; domain: string | null } {
  const at = account.lastIndexOf('@');
  if (at !== -1) return { name: account.slice(0, at), domain: account.slice(at + 1) };
  const [first = '', second] = account.split('\\');
  return second === undefined ? { name: first, domain: null } : { name: second, domain: first };
}

/** The organization's entry for the machine or account. A foreign domain makes no name important: an attacker can write any name in front of it. */
function findImportant({ kind, value }: Entity, isOwn: boolean, { importantMachines, importantAccounts }: KnowledgeIndex): string | null {
  const name = value.toLowerCase().replace(/\.$/, '');
  if (kind === 'host') {
    const isSame = (known: string) => known === name || !name.includes('.') || (isOwn && !known.includes('.'));
    return importantMachines.get(firstLabel(name))?.find(isSame) ?? null;
  }
  if (kind !== 'user' && kind !== 'email') return null;
  const account = readAccount(name);
  const isSame = (known: string) => {
    const { domain } = readAccount(known);
    if (known === name || account.domain === null) return true;
    if (name.includes('@')) return domain === null && isOwn;
    return domain === null || firstLabel(domain) === account.domain;
  };
  return importantAccounts.get(account.name)?.find(isSame) ?? null;
}

function put(map: Map<string, KnowledgeEntry>, key: string, entry: KnowledgeEntry): void {
  const present = map.get(key);
  if (!present || GENERAL.includes(present.kind)) map.set(key, entry);
}

/** Says why the entity belongs to the organization; null where the organization does not know it. */
export function classifyOwn(entity: Entity, index: KnowledgeIndex): OwnEntity | null {
  const own = CLASSIFIERS[entity.kind]?.(entity.value, index) ?? null;
  const important = findImportant(entity, own !== null, index);
  const { kind, value } = entity;
  if (important === null) return own && { kind, value, ...own };
  const what = kind === 'host' ? 'important machine' : 'important account';
  return { kind, value, individual: true, ...own, reason: `${what} ${important}`, important: true };
}

/** The own entities among these. */
export function listOwn(entities: readonly Entity[], entries: readonly KnowledgeEntry[]): OwnEntity[] {
  if (entries.length === 0) return [];
  const index = indexKnowledge(entries);
  return entities.flatMap((entity) => classifyOwn(entity, index) ?? []);
}

type Found = Omit<OwnEntity, 'kind' | 'value'>;
type Classifier = (value: string, index: KnowledgeIndex) => Found | null;

const CLASSIFIERS: Partial<Record<Entity['kind'], Classifier>> = {
  ip: classifyAddress,
  domain: (value, index) => classifyName(value, index, false),
  host: (value, index) => classifyAddress(value, index) ?? classifyName(value, index, true),
  url: classifyUrl,
  email: classifyAccount,
  user: classifyAccount,
};

const ADDRESS_TITLES: Partial<Record<KnowledgeKind, string>> = {
  network: 'own network',
  'mail-relay': 'mail relay',
  'syslog-relay': 'syslog relay',
  'vpn-exit': 'VPN exit',
  nat: 'NAT address',
  scanner: 'scanner',
  'shared-host': 'shared machine',
};

/** The smallest network that contains the address decides. */
function classifyAddress(value: string, { networks }: KnowledgeIndex): Found | null {
  const ip = networks.size === 0 ? null : parseIp(value);
  if (ip === null) return null;
  const bits = countBits(ip);
  for (let prefix = bits; prefix > 0; prefix -= 1) {
    const entry = networks.get(`${ip.kind()}/${prefix}`)?.get(findFirst(ip, prefix).toString());
    if (entry) return found(entry, ADDRESS_TITLES[entry.kind], entry.kind === 'network' && prefix < bits);
  }
  return null;
}

/** The name itself as a relay or scanner, or the longest domain that contains it. */
function classifyName(value: string, { names, domains }: KnowledgeIndex, isHost: boolean): Found | null {
  const name = value.toLowerCase().replace(/\.$/, '');
  const named = names.get(name);
  if (named) return found(named, ADDRESS_TITLES[named.kind], false);
  const entry = findDomain(name, domains);
  if (!entry) return null;
  const isDrill = entry.kind === 'drill-provider';
  return found(entry, isDrill ? 'drill provider' : 'own domain', isHost && !isDrill && name !== entry.value);
}

function findDomain(name: string, domains: KnowledgeIndex['domains']): KnowledgeEntry | null {
  if (domains.size === 0 || name.length > 253) return null;
  for (let start = 0; start !== -1; ) {
    const entry = domains.get(start === 0 ? name : name.slice(start));
    if (entry) return entry;
    const dot = name.indexOf('.', start);
    start = dot === -1 ? -1 : dot + 1;
  }
  return null;
}

function classifyUrl(value: string, index: KnowledgeIndex): Found | null {
  if (!URL.canParse(value)) return null;
  const host = new URL(value).hostname.replace(/^\[(.*)\]$/, '$1');
  const site = classifyAddress(host, index) ?? classifyName(host, index, false);
  return site && { ...site, individual: false };
}

/** `tester`, `ACME\tester` and `tester@acme.example`. A foreign domain never makes an own account. */
function classifyAccount(value: string, index: KnowledgeIndex): Found | null {
  const account = value.toLowerCase();
  const at = account.lastIndexOf('@');
  const domain = at === -1 ? null : canonicalDomain(account.slice(at + 1));
  const owner = domain === null ? null : findDomain(domain, index.domains);
  const name = at === -1 ? account.slice(account.lastIndexOf('\\') + 1) : account.slice(0, at);
  const isForeign = at !== -1 && owner?.kind !== 'domain';
  const test = index.accounts.get(account) ?? (isForeign ? undefined : index.accounts.get(name));
  if (test) return found(test, test.kind === 'test-account' ? 'test account' : 'service account', false);
  if (!owner) return null;
  const isDrill = owner.kind === 'drill-provider';
  return found(owner, isDrill ? 'drill provider' : 'account of the own domain', !isDrill);
}

const APPROVED_TESTS: readonly KnowledgeKind[] = ['scanner', 'test-account', 'drill-provider'];

function found({ kind, value }: KnowledgeEntry, title: string | undefined, individual: boolean): Found {
  return {
    reason: `${title ?? 'known to the organization'} ${value}`,
    individual,
    ...(APPROVED_TESTS.includes(kind) ? { approved_test: true } : {}),
  };
}
