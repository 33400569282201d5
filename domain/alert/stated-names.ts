import { type NameFamily, type ProvenName, pairNames } from '../entity/names.js';
import { meaningOfField } from './field-names.js';
import { compact, type Field } from './json-walk.js';

const MAIL_FIELD = /(?:mail|mailaddr|mailaddress|smtpaddress|upn|userprincipalname)$/;
const MAX_NAMES = 100;
const MAX_VALUE_LENGTH = 320;

interface NamingField {
  readonly family: NameFamily;
  readonly role: string | undefined;
}

/** Short and full names that fields of one object state: `"hostname": "WS-014", "fqdn": "ws-014.corp.example"`. */
export class StatedNames {
  readonly #found = new Map<string, ProvenName>();

  list(): ProvenName[] {
    return [...this.#found.values()];
  }

  /** `members` are the fields of one object, by their names in the form of `compact`. */
  readObject(object: Field, members: ReadonlyMap<string, string>): void {
    const values = [...members].map(([name, value]) => [name, cleanName(value)] as const);
    for (const [fullName, full] of values.filter(([, value]) => /^[^\s@]+(?:@[^\s@]+)?\.[^\s@]+$/.test(value)))
      for (const [shortName, short] of values)
        if (isBeginOf(short, full)) this.#readPair(object, { name: shortName, value: short }, { name: fullName, value: full });
  }

  #readPair(object: Field, short: { name: string; value: string }, full: { name: string; value: string }): void {
    if (this.#found.size === MAX_NAMES) return;
    const [one, other] = [readNaming(object, short.name), readNaming(object, full.name)];
    if (one === null || other === null || one.family !== other.family) return;
    // The source of a connection and its destination are two.
    if (one.role !== undefined && other.role !== undefined && one.role !== other.role) return;
    const pair = pairNames(one.family, short.value, full.value);
    if (pair) this.#found.set(`${pair.family} ${pair.short} ${pair.full}`, pair);
  }
}

function cleanName(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? '' : value.trim().toLowerCase().replace(/\.$/, '').replace(/\\+/g, '\\');
}

/** Most pairs of fields differ already in their text. */
function isBeginOf(short: string, full: string): boolean {
  const name = short.slice(short.indexOf('\\') + 1);
  return name !== '' && full.startsWith(name) && /[.@]/.test(full[name.length] ?? '');
}

function readNaming(object: Field, name: string): NamingField | null {
  const meaning = meaningOfField({ name, owner: object.name, parent: object });
  if (meaning.kind === 'host') return { family: 'host', role: meaning.role };
  return meaning.kind === 'user' || MAIL_FIELD.test(name) ? { family: 'account', role: meaning.role } : null;
}

const MAX_DEPTH = 12;
const MAX_MEMBERS = 200;

/** The names that a record of a third party states. */
export function findStatedNames(record: unknown): ProvenName[] {
  const names = new StatedNames();
  const visit = (value: unknown, field: Field, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MAX_MEMBERS)) visit(item, field, depth + 1);
      return;
    }
    const members = new Map<string, string>();
    for (const [key, member] of Object.entries(value).slice(0, MAX_MEMBERS)) {
      const name = compact(key);
      if (typeof member === 'string') members.set(name, member);
      else visit(member, { name, owner: field.name, parent: field }, depth + 1);
    }
    names.readObject(field, members);
  };
  visit(record, { name: '', owner: '' }, 0);
  return names.list();
}
