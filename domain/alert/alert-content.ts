import { canonicalIp, type Entity, EntityCollection } from './entity.js';
import { compact, type Field, startOfJson, walkJson } from './json-walk.js';

/** Entities that the content names by field (`"machineId": …`, `user=…`), and the remaining text to search. */
interface AlertReading {
  readonly named: EntityCollection;
  /** The strings of JSON without escapes, one on each line: `\nevil.example` must not become `nevil.example`. */
  readonly text: string;
}

type NamedKind = 'user' | 'host' | 'machine-id' | 'incident-id';

const NAMES: Record<NamedKind, readonly string[]> = {
  user: phrases(
    'user, user name, user id, user account, user login, user principal name, upn, suser, duser',
    'account, account name, account upn, sam account name, login, login name, logon name',
  ),
  host: phrases(
    'host, host name, host fqdn, fqdn, dns host name, dns name, netbios name, shost, dhost, dvchost, server name, asset name',
    'device, device name, device dns name, device fqdn, computer, computer name, computer dns name, endpoint, endpoint name',
    'machine, machine name, machine dns name, workstation, workstation name',
  ),
  'machine-id': phrases(
    'machine id, machine guid, device id, device guid, mdatp device id, mde device id, computer id, computer guid',
    'host id, endpoint id, sensor id, agent id, connector guid',
  ),
  'incident-id': phrases('incident, incident id, incident number, incident no, incident key, incident reference'),
};

/** Prefixes that do not change the kind of a field. */
const ROLES = phrases(
  'source, src, destination, dest, dst, target, subject, initiating process, initiating, caller, logon, current, primary',
  'affected, impacted, infected, compromised, victim, related, remote, client, actor, agent, event',
);

function phrases(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(', '));
}

const KIND_BY_NAME = new Map<string, NamedKind>();
for (const kind of ['user', 'host', 'machine-id', 'incident-id'] as const) {
  for (const name of NAMES[kind]) {
    KIND_BY_NAME.set(compact(name), kind);
    KIND_BY_NAME.set(`${compact(name)}s`, kind);
    for (const role of ROLES) KIND_BY_NAME.set(compact(role + name), kind);
  }
}

/** By the field's name (`hostName`), or by the owner's name plus the field's (`"host": {"name": …}`). */
function kindOfField(field: Field): NamedKind | undefined {
  return KIND_BY_NAME.get(field.name) ?? KIND_BY_NAME.get(field.owner.replace(/s$/, '') + field.name);
}

const PLACEHOLDER = /^(?:-|n\/?a|none|null|nil|unknown|undefined|not available|anonymous|\(null\)|localhost)$/i;
const BUILT_IN_ACCOUNT = /^(?:nt authority\\)?(?:system|local service|network service|anonymous logon)$/i;
const HOST_NAME = /^(?=.*[a-z])[a-z0-9_][a-z0-9_.-]{0,252}$/i;
const ID = /^(?=.*[1-9a-f])(?=.*\d)[a-z0-9][\w:.-]{0,127}$/i;

const NORMALIZERS: Record<NamedKind, (raw: string) => Entity | null> = {
  user(raw) {
    const value = raw.normalize('NFC').toLowerCase();
    const isName = value.length <= 256 && /\p{L}/u.test(value) && !/\p{Cc}|:\/\//u.test(value) && !BUILT_IN_ACCOUNT.test(value);
    return isName ? { kind: 'user', value } : null;
  },
  host(raw) {
    const value = raw.replace(/^(\[.*\]|[^:]+):\d{1,5}$/, '$1').replace(/^\[(.*)\]$|\.$/g, '$1');
    const ip = canonicalIp(value);
    if (ip) return { kind: 'ip', value: ip };
    return HOST_NAME.test(value) && !value.includes('..') ? { kind: 'host', value: value.toLowerCase() } : null;
  },
  'machine-id'(raw) {
    const value = raw.replace(/^\{(.*)\}$/, '$1').toLowerCase();
    return ID.test(value) ? { kind: 'machine-id', value } : null;
  },
  'incident-id'(raw) {
    const value = raw.replace(/^#/, '');
    return ID.test(value) ? { kind: 'incident-id', value } : null;
  },
};

function nameEntity(kind: NamedKind, raw: string, named: EntityCollection): void {
  if (raw.length > 1024) return;
  const value = raw.trim();
  const entity = PLACEHOLDER.test(value) ? null : NORMALIZERS[kind](value);
  if (entity) named.add(entity);
}

export function readAlertContent(content: string): AlertReading {
  const named = new EntityCollection();
  const texts: string[] = [];
  read(content, { name: '', owner: '' }, 0, named, texts);
  return { named, text: texts.join('\n') };
}

/** Collectors wrap events as JSON strings inside JSON; deeper nesting does not occur in real events. */
const MAX_JSON_IN_JSON = 3;

function read(content: string, owner: Field, nesting: number, named: EntityCollection, texts: string[]): void {
  const jsonAt = nesting <= MAX_JSON_IN_JSON ? startOfJson(content) : -1;
  const prose = jsonAt < 0 ? content : content.slice(0, jsonAt);
  if (prose) {
    texts.push(prose);
    readPairs(prose, named);
  }
  if (jsonAt < 0) return;
  walkJson(content, jsonAt, {
    name: owner.name,
    onKey: (key) => {
      if (INDICATOR_AS_KEY.test(key)) texts.push(key);
    },
    onScalar: (field, value, type) => {
      const kind = type === 'cut off' ? undefined : kindOfField(field);
      if (kind) nameEntity(kind, value, named);
      if (type === 'number' || NOT_SEARCHED.test(field.name)) return;
      const isPlain = !/^\s*[[{]|:\/\//.test(value);
      if (isPlain && kind) texts.push(value);
      else if (isPlain && FILE_FIELD.test(field.name)) texts.push(`/${value}`);
      else read(value, field, nesting + 1, named, texts);
    },
  });
}

/** Keys can be values, as in a counter: `{"192.0.2.1": 17}`. */
const INDICATOR_AS_KEY = /^\d|:\/\/|^[0-9a-f]{32,128}$/i;

/** OData annotations and message ids look like domains and e-mail addresses, but are neither. */
const NOT_SEARCHED = /^(?:\w*odata(?:type|context|id|etag|nextlink)|schema|(?:internet)?messageid|inreplyto|references)$/;

/** `invoice.zip` could be a domain, so file names are searched as `/invoice.zip`. */
const FILE_FIELD = /(?:file|process|image|attachment|folder)s?(?:name|path)?s?$/;

function pattern(alternatives: readonly string[]): string {
  return [...alternatives]
    .sort((a, b) => b.length - a.length)
    .map((phrase) => phrase.replaceAll(' ', '[ _.-]?'))
    .join('|');
}

const NAME = `(?:(?:${pattern(ROLES)})[ _.-]?)?(?:${pattern(Object.values(NAMES).flat())})s?`;
/** Excludes URL parameters and `…unfamiliar for the given user: ASN, Browser…`, a common phrase of sign-in alerts. */
const PAIR = new RegExp(`(?<![\\w?&/$@-]|given )(${NAME})["']?[ \\t]{0,3}[:=]>?[ \\t]{0,16}`, 'gi');

const QUOTED = /"([^"\r\n]{1,256})"|'([^'\r\n]{1,256})'/y;
const FULL_NAME = /\p{Lu}[\p{L}'’-]{1,40}(?: \p{Lu}[\p{L}.'’-]{0,40}){1,3}(?=[ \t]*(?:$|[\r\n,;|)<]))/uy;
const WORD: Record<NamedKind, RegExp> = {
  user: /[<([]?([^\s,;"'<>()[\]{}|&=:?!*]{1,256})/y,
  host: /[<([]?([a-z0-9_:.-]{1,260})/iy,
  'machine-id': /[<([{]?([\w:.-]{1,128})/y,
  'incident-id': /[<([]?#?([\w:.-]{1,128})/y,
};

/** Words after `user:` in a sentence that are not names. */
const NOT_A_NAME = new Set([
  ...'the this that these those a an and or not no yes is was are were has had have did does will can'.split(' '),
  ...'in on at of to from for by with see please name id port pass password passwd true false'.split(' '),
  ...'failed failure success successful succeeded attempt denied allowed locked disabled enabled created deleted'.split(' '),
]);

function readPairs(text: string, named: EntityCollection): void {
  if (!/[:=]/.test(text)) return;
  const isHttp = /\bHTTP\/[123]/.test(text);
  PAIR.lastIndex = 0;
  for (let pair = PAIR.exec(text); pair; pair = PAIR.exec(text)) {
    const name = compact(pair[1] ?? '');
    const kind = KIND_BY_NAME.get(name);
    // The HTTP header `Host:` names a web site, not a device of the organization.
    if (!kind || (isHttp && name === 'host')) continue;
    const value = valueAt(text, PAIR.lastIndex, kind);
    if (value && !NOT_A_NAME.has(value.toLowerCase())) nameEntity(kind, value, named);
  }
}

function valueAt(text: string, at: number, kind: NamedKind): string | undefined {
  const quoted = matchAt(QUOTED, text, at);
  if (quoted) return quoted[1] ?? quoted[2];
  const fullName = kind === 'user' ? matchAt(FULL_NAME, text, at) : null;
  if (fullName) return fullName[0];
  return matchAt(WORD[kind], text, at)?.[1]?.replace(/[.:-]{1,8}$/, '');
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
