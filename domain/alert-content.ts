import { canonicalIp, type Entity, EntityCollection } from './entity.js';

/** What an alert's content names itself (`"machineId": …`, `user=…`), and the text left to be searched for the rest. */
export interface AlertReading {
  readonly named: EntityCollection;
  /** Strings of JSON, one a line, without its escapes: `\nevil.example` must not read as `nevil.example`. */
  readonly text: string;
}

type NamedKind = 'user' | 'host' | 'machine-id' | 'incident-id';

const NAMES: Record<NamedKind, readonly string[]> = {
  user: [
    ...['user', 'user name', 'user id', 'user account', 'user login', 'user principal name', 'upn', 'suser', 'duser'],
    ...['account', 'account name', 'account upn', 'sam account name', 'login', 'login name', 'logon name'],
  ],
  host: [
    ...['host', 'host name', 'host fqdn', 'fqdn', 'dns host name', 'dns name', 'netbios name', 'shost', 'dhost', 'dvchost'],
    ...['device', 'device name', 'device dns name', 'device fqdn', 'computer', 'computer name', 'computer dns name', 'server name'],
    ...['machine', 'machine name', 'machine dns name', 'workstation', 'workstation name', 'endpoint', 'endpoint name', 'asset name'],
  ],
  'machine-id': [
    ...['machine id', 'machine guid', 'device id', 'device guid', 'mdatp device id', 'mde device id', 'computer id', 'computer guid'],
    ...['host id', 'endpoint id', 'sensor id', 'agent id', 'connector guid'],
  ],
  'incident-id': ['incident', 'incident id', 'incident number', 'incident no', 'incident key', 'incident reference'],
};

/** Whose user or host it is does not change what it is. */
const ROLES = [
  ...['source', 'src', 'destination', 'dest', 'dst', 'target', 'subject', 'initiating process', 'initiating', 'caller', 'logon'],
  ...[
    'affected',
    'impacted',
    'infected',
    'compromised',
    'victim',
    'related',
    'primary',
    'current',
    'remote',
    'client',
    'actor',
    'agent',
    'event',
  ],
];

const compact = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const KIND_BY_NAME = new Map<string, NamedKind>();
for (const kind of ['user', 'host', 'machine-id', 'incident-id'] as const) {
  for (const name of NAMES[kind]) {
    KIND_BY_NAME.set(compact(name), kind);
    KIND_BY_NAME.set(`${compact(name)}s`, kind);
    for (const role of ROLES) KIND_BY_NAME.set(compact(role + name), kind);
  }
}

/** A field by its own name (`hostName`), or by its owner's and its own (`"host": {"name": …}`). */
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

/** JSON within a string within JSON is what collectors make of each other's events; more than this is nobody's event. */
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
    owner: owner.name,
    onKey: (key) => {
      if (INDICATOR_AS_KEY.test(key)) texts.push(key);
    },
    onScalar: (field, value, type) => {
      const kind = type === 'cut off' ? undefined : kindOfField(field);
      if (kind) nameEntity(kind, value, named);
      if (type === 'number' || NOT_SEARCHED.test(field.name)) return;
      if (kind) texts.push(value);
      else if (FILE_FIELD.test(field.name) && !/^\s*[[{]|:\/\//.test(value)) texts.push(`/${value}`);
      else read(value, field, nesting + 1, named, texts);
    },
  });
}

/** Counters are often kept by what they count: `{"192.0.2.1": 17}`. */
const INDICATOR_AS_KEY = /^\d|:\/\/|^[0-9a-f]{32,128}$/i;

/** Annotations of a vendor's protocol and ids of messages look like domains and e-mail addresses, and are neither. */
const NOT_SEARCHED = /^(?:\w*odata(?:type|context|id|etag|nextlink)|schema|(?:internet)?messageid|inreplyto|references)$/;

/** `invoice.zip` could be a domain; what such a field holds is searched as `/invoice.zip`, which cannot. */
const FILE_FIELD = /(?:file|process|image|attachment|folder)s?(?:name|path)?s?$/;

// --- names in prose ------------------------------------------------------------------------------------------------

function pattern(phrases: readonly string[]): string {
  return [...phrases]
    .sort((a, b) => b.length - a.length)
    .map((phrase) => phrase.replaceAll(' ', '[ _.-]?'))
    .join('|');
}

const PAIR = new RegExp(
  `(?<![\\w?&/$@-]|given )((?:(?:${pattern(ROLES)})[ _.-]?)?(?:${pattern(Object.values(NAMES).flat())})s?)["']?[ \\t]{0,3}(?::|=)>?[ \\t]{0,16}`,
  'gi',
);

const QUOTED = /"([^"\r\n]{1,256})"|'([^'\r\n]{1,256})'/y;
const FULL_NAME = /\p{Lu}[\p{L}'’-]{1,40}(?: \p{Lu}[\p{L}.'’-]{0,40}){1,3}(?=[ \t]*(?:$|[\r\n,;|)<]))/uy;
const WORD: Record<NamedKind, RegExp> = {
  user: /[<([]?([^\s,;"'<>()[\]{}|&=:?!*]{1,256})/y,
  host: /[<([]?([a-z0-9_:.-]{1,260})/iy,
  'machine-id': /[<([{]?([\w:.-]{1,128})/y,
  'incident-id': /[<([]?#?([\w:.-]{1,128})/y,
};

/** What stands after `user:` in a sentence or a manual and is nobody's name. */
const NOT_A_NAME =
  /^(?:the|this|that|these|those|an?|and|or|not|no|yes|is|was|are|were|has|had|have|did|does|will|can|in|on|at|of|to|from|for|by|with|see|please|name|id|port|pass|password|passwd|true|false|failed|failure|success|successful|succeeded|attempt|denied|allowed|locked|disabled|enabled|created|deleted)$/i;

function readPairs(text: string, named: EntityCollection): void {
  if (!/[:=]/.test(text)) return;
  const isHttp = /\bHTTP\/[123]/.test(text);
  PAIR.lastIndex = 0;
  for (let pair = PAIR.exec(text); pair; pair = PAIR.exec(text)) {
    const name = compact(pair[1] ?? '');
    const kind = KIND_BY_NAME.get(name);
    // The header `Host:` of a request names a place on the Internet, not a machine of ours.
    if (!kind || (isHttp && name === 'host')) continue;
    const value = valueAt(text, PAIR.lastIndex, kind);
    if (value && !NOT_A_NAME.test(value)) nameEntity(kind, value, named);
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

// --- JSON ----------------------------------------------------------------------------------------------------------

/** Names are compact: lower case, letters and digits only. An element of an array has the array's name. */
interface Field {
  readonly name: string;
  readonly owner: string;
}

interface JsonVisitor {
  readonly owner: string;
  onKey(key: string): void;
  /** Numbers come as written: an id above 2^53 would not survive `JSON.parse`. */
  onScalar(field: Field, value: string, type: 'string' | 'number' | 'cut off'): void;
}

/** Where JSON begins that runs to the end of the text: at its start, or after a log line's prefix. -1: nowhere. */
function startOfJson(text: string): number {
  const first = text.search(/\S/);
  const brace = text.indexOf('{');
  const candidates = text[first] === '[' ? [first, brace] : [brace];
  return candidates.find((at) => at >= 0 && walkJson(text, at, null)) ?? -1;
}

const MAX_DEPTH = 200;
const MAX_KEY_LENGTH = 256;

/**
 * Reads one JSON value or several on lines of their own, which may be cut off at the end, in one pass without recursion.
 * False: this is something else, or nested deeper than anyone's alert.
 */
function walkJson(source: string, from: number, visitor: JsonVisitor | null): boolean {
  const frames: { isArray: boolean; field: Field }[] = [];
  let key = '';
  let expected: 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' = 'value';
  let at = from;
  while (at < source.length) {
    const char = source[at] ?? '';
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') {
      at += 1;
      continue;
    }
    const frame = frames.at(-1);
    if (expected === 'key' || expected === 'key or }') {
      if (char === '}' && expected === 'key or }') {
        frames.pop();
        expected = ', or end';
        at += 1;
        continue;
      }
      if (char !== '"') return false;
      const end = endOfString(source, at);
      if (end < 0) return true;
      if (visitor) {
        const written = source.slice(at + 1, Math.min(end, at + 1 + MAX_KEY_LENGTH));
        key = compact(written);
        visitor.onKey(written);
      }
      expected = ':';
      at = end + 1;
    } else if (expected === ':') {
      if (char !== ':') return false;
      expected = 'value';
      at += 1;
    } else if (expected === ', or end') {
      if (!frame) {
        if (char !== '{' && char !== '[') return false;
        expected = 'value';
        continue;
      }
      if (char === ',') expected = frame.isArray ? 'value' : 'key';
      else if (char === (frame.isArray ? ']' : '}')) frames.pop();
      else return false;
      at += 1;
    } else {
      const field = frame
        ? frame.isArray
          ? frame.field
          : { name: key, owner: frame.field.name }
        : { name: visitor?.owner ?? '', owner: '' };
      if (char === '{' || char === '[') {
        if (frames.length === MAX_DEPTH) return false;
        frames.push({ isArray: char === '[', field });
        expected = char === '[' ? 'value or ]' : 'key or }';
        at += 1;
      } else if (char === ']' && expected === 'value or ]') {
        frames.pop();
        expected = ', or end';
        at += 1;
      } else if (char === '"') {
        const end = endOfString(source, at);
        visitor?.onScalar(field, unescaped(source.slice(at + 1, end < 0 ? source.length : end)), end < 0 ? 'cut off' : 'string');
        if (end < 0) return true;
        expected = ', or end';
        at = end + 1;
      } else {
        const end = endOfWord(source, at);
        const word = source.slice(at, Math.min(end, at + MAX_KEY_LENGTH));
        if (!(end === source.length ? WORD_CUT_OFF : JSON_WORD).test(word)) return false;
        if (/\d/.test(word)) visitor?.onScalar(field, word, end === source.length ? 'cut off' : 'number');
        expected = ', or end';
        at = end;
      }
    }
  }
  return true;
}

const JSON_WORD = /^(?:true|false|null|-?\d[\d.eE+-]*)$/;
const WORD_CUT_OFF = /^(?:t|tr|tru|true|f|fa|fal|fals|false|n|nu|nul|null|-|-?\d[\d.eE+-]*)$/;

function endOfWord(source: string, from: number): number {
  let at = from;
  while (at < source.length && /[\w.+-]/.test(source[at] ?? '')) at += 1;
  return at;
}

/** The closing quote of the string that opens at `from`; -1: cut off. */
function endOfString(source: string, from: number): number {
  for (let quote = source.indexOf('"', from + 1); quote >= 0; quote = source.indexOf('"', quote + 1)) {
    let backslash = quote - 1;
    while (backslash > from && source[backslash] === '\\') backslash -= 1;
    if ((quote - backslash) % 2 === 1) return quote;
  }
  return -1;
}

function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    const decoded: unknown = JSON.parse(`"${raw.replace(/\p{Cc}/gu, ' ')}"`);
    return typeof decoded === 'string' ? decoded : raw;
  } catch {
    return raw.replace(/\\[nrt]/g, '\n').replace(/\\(.)/g, '$1');
  }
}
