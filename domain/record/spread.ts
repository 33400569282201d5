import type { EntityKind } from '../entity/entity.js';
import { canonicalIp } from '../entity/ip.js';
import { type RecordConclusion, type Spread, searchValues } from './record.js';

/** A record that names a value. */
export interface Carrier {
  readonly recordId: string;
  readonly alsoKnownAs: readonly string[];
  readonly conclusion: RecordConclusion | null;
  readonly isOpen: boolean;
  readonly values: readonly string[];
  /** Epoch seconds. */
  readonly at?: number | null;
  /** The own case, if the carrier is an alert of the organization. */
  readonly caseId?: string | null;
}

/** Own alerts of fewer days are a burst or an attack, which is a signal. */
const FROM_OWN_DAYS = 3;

/** Of the organization's earlier alerts with a value, those that show that many share it. */
export function selectOwnCarriers<Own extends Carrier>(carriers: readonly Own[]): readonly Own[] {
  return countDays(carriers) >= FROM_OWN_DAYS ? carriers : [];
}

function countDays(carriers: readonly Carrier[]): number {
  return new Set(carriers.flatMap(({ at }) => (at == null ? [] : Math.floor(at / 86_400)))).size;
}

/** The kinds of entities whose alerts show whom a value is about. Nothing but contradiction shows that a domain, a link or a file is shared. */
export function listProbedKinds(value: string): EntityKind[] {
  if (canonicalIp(value) !== null) return ['ip'];
  if (value.includes('://') || NO_NAME.test(value)) return MACHINE_ID.test(value) ? ['machine-id'] : [];
  if (value.includes('@')) return ['email', 'user'];
  return value.includes('\\') || /\s/.test(value) ? ['user'] : ['host', 'user'];
}

/**
 * From so many people or machines a value identifies none of them. Fewer are enough if the records contradict each other. Only
 * contradiction shows that a domain, a link or a file is shared: many people meet the same attack.
 */
const LIMITS: Readonly<
  Partial<Record<EntityKind, { readonly of: 'subjects' | 'people' | 'machines'; readonly from: number; readonly contradicted: number }>>
> = {
  ip: { of: 'subjects', from: 4, contradicted: 2 },
  host: { of: 'people', from: 5, contradicted: 3 },
  'machine-id': { of: 'people', from: 5, contradicted: 3 },
  user: { of: 'machines', from: 5, contradicted: 3 },
  email: { of: 'machines', from: 5, contradicted: 3 },
  domain: { of: 'subjects', from: Number.POSITIVE_INFINITY, contradicted: 3 },
  url: { of: 'subjects', from: Number.POSITIVE_INFINITY, contradicted: 3 },
  hash: { of: 'subjects', from: Number.POSITIVE_INFINITY, contradicted: 3 },
};

/** Whether so many different people or machines have records with the value that it identifies none of them. */
export function isShared(spread: Spread, kind: EntityKind): boolean {
  const limit = LIMITS[kind];
  // Attacks on many, and nothing else, are one attack.
  const isAttackOnly = spread.hasAttack && !spread.hasHarmless;
  if (limit === undefined || isAttackOnly) return false;
  const isContradicted = spread.hasHarmless && (spread.hasAttack || spread.hasOpen);
  return spread[limit.of] >= (isContradicted ? limit.contradicted : limit.from);
}

/** Counts the different people and machines in the records with this value. */
export function measureSpread(value: string, carriers: readonly Carrier[]): Spread {
  const groups = groupBySubject(value, carriers);
  return {
    value,
    records: carriers.length,
    subjects: groups.length,
    people: groups.filter((names) => [...names].some(isPerson)).length,
    machines: groups.filter((names) => [...names].some(isMachine)).length,
    hasHarmless: carriers.some(({ conclusion }) => conclusion === 'benign' || conclusion === 'test'),
    hasAttack: carriers.some(({ conclusion }) => conclusion === 'malicious'),
    hasOpen: carriers.some(({ conclusion, isOpen }) => conclusion === null && isOpen),
    cases: new Set(carriers.flatMap(({ caseId }) => caseId ?? [])).size,
    days: countDays(carriers),
  };
}

/** The other names of the records: records with a common name are about the same person or machine. Records without names count once. */
function groupBySubject(value: string, carriers: readonly Carrier[]): Set<string>[] {
  let groups: Set<string>[] = [];
  const named = carriers.map((carrier) => listNames(value, carrier));
  const own = listOtherNames(value, named);
  for (const carried of named) {
    const names = new Set([...carried].filter((name) => !own.has(name)));
    if (names.size === 0) continue;
    const related = groups.filter((group) => [...names].some((name) => group.has(name)));
    groups = [...groups.filter((group) => !related.includes(group)), new Set([...related.flatMap((group) => [...group]), ...names])];
  }
  return groups;
}

/** Each record of a machine id has the name of the machine too, which is the same machine and no other. */
function listOtherNames(value: string, named: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = named;
  return MACHINE_ID.test(value) && others.length > 0
    ? new Set([...first].filter((name) => others.every((names) => names.has(name))))
    : new Set();
}
const MACHINE_ID = /^[0-9a-f]{40}$/;

/** A digest of a file, a number, a date or a link. A machine with such an id has a name too. */
const NO_NAME = /^[0-9a-f]{32,}$|^[\d\s:.+/-]+$|:\/\//;

/** The values of a record that can be the name of a person or a machine, and the ids of the record. None: it is about no person and no machine. */
function listNames(value: string, { recordId, alsoKnownAs, values }: Carrier): Set<string> {
  const ids = [recordId, ...alsoKnownAs].map((id) => id.toLowerCase());
  const names = values.filter(
    (name) => !ids.includes(name) && !isSpellingOf(name, value) && !NO_NAME.test(name) && canonicalIp(name) === null,
  );
  const isAboutSomebody = names.some((name) => isPerson(name) || isMachine(name));
  return new Set(isAboutSomebody ? [...names, ...ids.map((id) => `record:${id}`)] : []);
}

/** Whether a record names a person or a machine that is not among these values. */
export function namesOthers(values: readonly string[], among: ReadonlySet<string>): boolean {
  return values.some(
    (name) => !among.has(name) && !NO_NAME.test(name) && canonicalIp(name) === null && (isPerson(name) || isMachine(name)),
  );
}

function isSpellingOf(name: string, value: string): boolean {
  return isFormOf(name, value) || isFormOf(value, name);
}

function isFormOf(long: string, short: string): boolean {
  return searchValues({ kind: 'host', value: long }).includes(short) || searchValues({ kind: 'user', value: long }).includes(short);
}

/** A mail address, an account with its domain, or a bare word as accounts are. */
function isPerson(name: string): boolean {
  return /[@\\]/.test(name) || /^[\p{L}_][\p{L}\d_]*$/u.test(name);
}

/** A name with a hyphen or a digit. A record of a machine also has its name without the domain. */
function isMachine(name: string): boolean {
  return /^[^.:@\\_]*[-\d][^.:@\\_]*$/.test(name);
}
