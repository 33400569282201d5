import { toAccountName } from './account-name.js';
import type { Entity, EntityKind } from './entity.js';

type Named = Pick<Entity, 'kind' | 'value'>;

/** Hosts and accounts have a short name and full names, which can differ from alert to alert. */
export const NAME_FAMILIES = ['host', 'account'] as const;
export type NameFamily = (typeof NAME_FAMILIES)[number];

const FAMILY_OF: Partial<Record<EntityKind, NameFamily>> = { host: 'host', user: 'account', email: 'account' };

/** What all spellings of a host or an account have in common: its short name. */
export interface SharedName {
  readonly family: NameFamily;
  readonly name: string;
}

/** `hr-ws-014` for `hr-ws-014.harbour.example`, `dana` for `HARBOUR\dana` and `dana@harbour.example`; null where a value has one spelling. */
export function readSharedName({ kind, value }: Named): SharedName | null {
  const family = FAMILY_OF[kind];
  if (family === undefined) return null;
  const name = family === 'account' ? toAccountName(value) : shortHostName(value.toLowerCase());
  return name === '' || name.length > MAX_NAME_LENGTH ? null : { family, name };
}
/** Longer values have one spelling. */
const MAX_NAME_LENGTH = 200;

function shortHostName(host: string): string {
  return /^[\d.]+$/.test(host) ? host : (host.split('.')[0] ?? host);
}

/** A short name and a full name that an alert or a record of a third party states for one host or account. */
export interface ProvenName {
  readonly family: NameFamily;
  readonly short: string;
  readonly full: string;
}

function isFull(family: NameFamily, value: string): boolean {
  return family === 'host' ? value.includes('.') : value.includes('@');
}

/** The short and the full name of one host or account; null where these two are not. */
export function pairNames(family: NameFamily, one: string, other: string): ProvenName | null {
  const names = [one.toLowerCase(), other.toLowerCase()];
  const short = names.find((name) => !isFull(family, name));
  const full = names.find((name) => isFull(family, name));
  if (short === undefined || full === undefined) return null;
  const kind = family === 'host' ? 'host' : 'user';
  const isSame = readSharedName({ kind, value: short })?.name === readSharedName({ kind, value: full })?.name;
  return isSame && full.length <= 320 && short.length <= 256 ? { family, short, full } : null;
}

/** All that an organization knows about the hosts or accounts of one short name. */
export interface KnownNames {
  /** The values in its alerts. */
  readonly values: readonly Named[];
  readonly proven: readonly ProvenName[];
  readonly ownDomains: readonly string[];
}

/** The spellings of one host or account. */
export interface NameGroup {
  readonly canonical: Named;
  /** All spellings, the canonical one included. */
  readonly spellings: readonly Named[];
}

/**
 * The spellings that are one host or account. The full name is the canonical spelling. A short name joins a full name only if something
 * proves it and no other full name could be meant, so two full names are never one.
 */
export function groupNames({ family, name }: SharedName, known: KnownNames): NameGroup[] {
  const values = known.values.filter((each) => {
    const shared = readSharedName(each);
    return shared?.family === family && shared.name === name;
  });
  const proven = known.proven.filter((each) => each.family === family);
  const written = distinct(values.map(({ value }) => value));
  const fulls = distinct([...written.filter((value) => isFull(family, value)), ...proven.map(({ full }) => full)]);
  const shorts = written.filter((value) => !isFull(family, value));
  const fullOf = new Map(shorts.map((short) => [short, chooseFull(family, short, fulls, { ...known, values, proven })]));
  return fulls.map((full): NameGroup => {
    const joined = shorts.filter((short) => fullOf.get(short) === full);
    if (family === 'host') {
      const canonical = { kind: 'host', value: full } as const;
      return { canonical, spellings: [canonical, ...joined.map((value) => ({ kind: 'host' as const, value }))] };
    }
    const canonical = { kind: 'email', value: full } as const;
    return { canonical, spellings: [canonical, ...[full, ...joined].map((value) => ({ kind: 'user' as const, value }))] };
  });
}

/** The full name that a short one stands for; null where nothing proves one, or where several could be meant. */
function chooseFull(family: NameFamily, short: string, fulls: readonly string[], known: KnownNames): string | null {
  const own = fulls.filter((full) => isOwnName(family, short, full, known.ownDomains));
  const stated = known.proven.filter((each) => each.short === short.toLowerCase()).map(({ full }) => full);
  const [only, ...others] = distinct([...own, ...stated]);
  if (only === undefined || others.length > 0) return null;
  // An address of a mail can belong to any stranger. A full name of another host or account can be the one that is meant.
  const isRival = ({ kind, value }: Named) => kind !== 'email' && isFull(family, value) && value !== only;
  return own.includes(only) || !known.values.some(isRival) ? only : null;
}

/** Whether the full name is in an own domain. A bare account name is too common: `admin` exists on each machine. */
function isOwnName(family: NameFamily, short: string, full: string, ownDomains: readonly string[]): boolean {
  const domain = family === 'host' ? full.slice(full.indexOf('.') + 1) : full.slice(full.lastIndexOf('@') + 1);
  const isOwn = ownDomains.some((own) => domain === own || domain.endsWith(`.${own}`));
  if (!isOwn || family === 'host') return isOwn;
  const [prefix = '', account] = short.toLowerCase().split('\\');
  return account !== undefined && domain.split('.').includes(prefix);
}

/** Whether two values may be one host or account. Two full names differ. */
export function mayBeSame(one: Named, other: Named): boolean {
  const [mine, theirs] = [readSharedName(one), readSharedName(other)];
  if (mine === null || theirs === null || mine.family !== theirs.family || mine.name !== theirs.name) return false;
  if (one.kind === other.kind && one.value === other.value) return false;
  return !isFull(mine.family, one.value) || !isFull(mine.family, other.value);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
