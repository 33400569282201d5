import type { z } from 'zod';
import { isSecret } from './define.js';
import { toReply } from './http.js';
import type { Http } from './implement.js';

const HIDDEN = '[hidden]';
/** A shorter text would also hide ordinary words. */
const SHORTEST = 6;

/**
 * The shortest part at the begin or end of a secret that is hidden: 8 characters with a letter and a digit, which no ordinary word has,
 * otherwise up to 16. A long secret needs a quarter, because all tokens of an issuer begin alike.
 */
const MIN_PART = 8;
const MAX_MIN_PART = 16;

/** Limits repeated escapes and separators, so that a hostile text cannot make the search slow. */
const PERCENT = '%(?:25){0,3}';
const BACKSLASHES = '\\\\{1,4}';
const AMPERSAND = `(?:&|${BACKSLASHES}u0026|${PERCENT}26)(?:(?:amp|#38|#x26);){0,3}`;
const END_OF_ENTITY = '(?:;|(?![0-9a-z]))';
const LINE_BREAK = `(?:\\s|${BACKSLASHES}[rnt]|${PERCENT}0[ad]|${AMPERSAND}#(?:1[03]|x0?[ad]);)`;
const BETWEEN_DIGITS = `${LINE_BREAK}{0,4}`;
const BETWEEN_BYTES = `(?:[:-]|${LINE_BREAK}){0,4}`;

/** Each character may have its own spelling, in any case: percent-encoded as in forms or URLs, with JSON escapes, or an HTML entity. */
function spellings(character: string): string {
  const literal = `(?:${BACKSLASHES})?${escapeRegExp(character)}`;
  const percent = [...Buffer.from(character)].map((byte) => `${PERCENT}${hex(byte, 2)}`).join('');
  const unicode = Array.from({ length: character.length }, (_, at) => `${BACKSLASHES}u${hex(character.charCodeAt(at), 4)}`).join('');
  const code = character.codePointAt(0) ?? 0;
  const entities = [`#0{0,6}${code}`, `#x0{0,6}${hex(code, 1)}`, ...(ENTITIES.get(character) ?? [])].join('|');
  const short = SHORT_ESCAPES.get(character);
  // The character itself comes last, because an escape can begin or end with it.
  const all = [
    percent,
    unicode,
    `${AMPERSAND}(?:${entities})${END_OF_ENTITY}`,
    ...(code < 0x80 ? [`${BACKSLASHES}x${hex(code, 2)}`] : []),
    ...(short === undefined ? [] : [`${BACKSLASHES}${short}`]),
    ...(character === ' ' ? ['\\+', `${PERCENT}2b`] : []),
    literal,
  ];
  return `(?:${all.join('|')})`;
}

const SHORT_ESCAPES = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\b', 'b'],
  ['\f', 'f'],
]);

/** The names that HTML has for characters of ASCII. */
const ENTITIES = new Map<string, readonly string[]>(
  Object.entries({
    '\t': 'Tab',
    '\n': 'NewLine',
    '!': 'excl',
    '"': 'quot',
    '#': 'num',
    $: 'dollar',
    '%': 'percnt',
    '&': 'amp',
    "'": 'apos',
    '(': 'lpar',
    ')': 'rpar',
    '*': 'ast|midast',
    '+': 'plus',
    ',': 'comma',
    '.': 'period',
    '/': 'sol',
    ':': 'colon',
    ';': 'semi',
    '<': 'lt',
    '=': 'equals',
    '>': 'gt',
    '?': 'quest',
    '@': 'commat',
    '[': 'lsqb|lbrack',
    '\\': 'bsol',
    ']': 'rsqb|rbrack',
    '^': 'Hat',
    _: 'lowbar|UnderBar',
    '`': 'grave|DiacriticalGrave',
    '{': 'lcub|lbrace',
    '|': 'verbar|vert|VerticalLine',
    '}': 'rcub|rbrace',
  }).map(([character, names]) => [character, names.split('|')]),
);
const CHARACTERS_OF_ENTITIES = new Map([...ENTITIES].flatMap(([character, names]) => names.map((name) => [name.toLowerCase(), character])));

/** The digits that do not depend on the bytes before and after the secret. */
function base64Digits(bytes: Buffer, offset: number): string {
  const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
  const isAligned = (offset + bytes.length) % 3 === 0;
  return digits.slice(offset === 0 ? 0 : offset + 1, isAligned ? undefined : -1);
}

function toBase64Unit(digit: string): string {
  if (digit === '-') return `(?:-|${spellings('+')})`;
  return digit === '_' ? `(?:_|${spellings('/')})` : digit;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** The shortest begin and end of a secret that are hidden on their own. */
interface Parts {
  readonly first: string;
  readonly last: string;
}

/** null: only the whole secret is hidden. A part in a `known` text, such as a client id, is no secret. */
function findParts(secret: string, known: readonly string[]): Parts | null {
  const characters = [...secret];
  const least = Math.min(MAX_MIN_PART, Math.max(MIN_PART, Math.ceil(characters.length / 4)));
  const shortest = (take: (length: number) => readonly string[]) => {
    for (let length = least; length < characters.length; length += 1) {
      const part = take(length).join('');
      const isUnusual = length >= MAX_MIN_PART || (/\d/.test(part) && /[a-z]/i.test(part));
      if (isUnusual && !known.some((text) => text.includes(part))) return part;
    }
    return null;
  };
  const first = shortest((length) => characters.slice(0, length));
  const last = shortest((length) => characters.slice(-length));
  return first === null || last === null ? null : { first, last };
}

/** A secret in one encoding: a pattern for each unit, and the pattern between two units. */
interface Spelled {
  readonly units: readonly string[];
  readonly between: string;
  /** The units of the parts. null: only the whole is hidden. */
  readonly part: { readonly first: number; readonly last: number } | null;
}

interface Form {
  /** Short texts, one of which each spelling contains after decoding. null: an escape looks like a part of this secret. */
  readonly traces: readonly string[] | null;
  readonly spell: () => Spelled;
  hide?: (text: string) => string;
}

function listForms(secret: string, parts: Parts | null): Form[] {
  const bytes = Buffer.from(secret);
  const { first, last } = parts ?? { first: secret, last: secret };
  const plain: Form = {
    traces: /[%\\&]/.test(secret) ? null : toTraces([first, last]),
    spell: () => ({ units: [...secret].map(spellings), between: '', part: parts && { first: [...first].length, last: [...last].length } }),
  };
  const begin = Buffer.from(first);
  const end = Buffer.from(last);
  const inHex: Form = {
    traces: toTraces([begin.toString('hex'), end.toString('hex')]),
    spell: () => ({
      units: [...bytes].map((byte) => hex(byte, 2)),
      between: BETWEEN_BYTES,
      part: parts && { first: begin.length, last: end.length },
    }),
  };
  const inBase64 = [0, 1, 2].map((offset): Form => {
    const beginDigits = base64Digits(begin, offset);
    const endDigits = base64Digits(end, (offset + bytes.length - end.length) % 3);
    return {
      traces: toTraces([beginDigits, endDigits]),
      spell: () => ({
        units: [...base64Digits(bytes, offset)].map(toBase64Unit),
        between: BETWEEN_DIGITS,
        part: parts && { first: beginDigits.length, last: endDigits.length },
      }),
    };
  });
  return [plain, inHex, ...inBase64];
}

function toTraces(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap(listDecoded))].filter((trace) => trace !== '');
}

/** Compiles only the patterns that a suspicious text needs: those of a long token are large. */
function createHider({ units, between, part }: Spelled): (text: string) => string {
  const compiled = new Map<string, RegExp>();
  const compile = (pattern: string, flags: string) => {
    const pair = `${flags} ${pattern}`;
    const known = compiled.get(pair) ?? new RegExp(pattern, flags);
    compiled.set(pair, known);
    return known;
  };
  const hideWhole = (text: string) => text.replace(compile(units.join(between), 'gi'), HIDDEN);
  if (part === null) return hideWhole;
  const begin = units.slice(0, part.first).join(between);
  const end = units.slice(-part.last).join(between);
  // The whole first: its pattern can go back where a unit has several readings. Between digits, no unit has.
  const hideFirst = between === '' ? hideWhole : (text: string) => text;
  const afterBegin = (text: string, at: number) => {
    let to = at;
    for (const unit of units.slice(part.first)) {
      const pattern = compile(between + unit, 'iy');
      pattern.lastIndex = to;
      if (!pattern.test(text)) break;
      to = pattern.lastIndex;
    }
    return to;
  };
  const beforeEnd = (text: string, at: number, least: number) => {
    let from = at;
    for (const unit of units.slice(0, -part.last).toReversed()) {
      const pattern = compile(`(?<=(${unit}${between}))`, 'iy');
      pattern.lastIndex = from;
      const length = pattern.exec(text)?.[1]?.length ?? 0;
      if (length === 0 || from - length < least) break;
      from -= length;
    }
    return from;
  };
  return (text) => {
    const rest = hideRanges(hideFirst(text), compile(begin, 'gi'), (given, from, to) => [from, afterBegin(given, to)]);
    return hideRanges(rest, compile(end, 'gi'), (given, from, to, least) => [beforeEnd(given, from, least), to]);
  };
}

/** Hides each match with the text around it that belongs to the secret, too. */
function hideRanges(
  text: string,
  pattern: RegExp,
  widen: (text: string, from: number, to: number, least: number) => readonly [number, number],
): string {
  let clean = '';
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index < done) continue;
    const [from, to] = widen(text, match.index, match.index + match[0].length, done);
    clean += text.slice(done, from) + HIDDEN;
    done = to;
  }
  return clean + text.slice(done);
}

/**
 * Secrets and tokens of one connection. Hides them in any spelling: plain, percent-encoded (`~` is `%7E` in a form), with JSON escapes or
 * HTML entities, in hex, in base64 and base64url, and also a part at their begin or end.
 */
export class Secrets {
  readonly #values = new Set<string>();
  readonly #known: readonly string[];
  readonly #hidesParts: boolean;
  #forms: Form[] | null = null;

  /** `known`: texts of the connection that replies may show. Without `hidesParts`, only whole secrets are hidden. */
  constructor(values: Iterable<string> = [], { known = [], hidesParts = true }: { known?: readonly string[]; hidesParts?: boolean } = {}) {
    this.#known = known;
    this.#hidesParts = hidesParts;
    for (const value of values) this.add(value);
  }

  add(value: string): void {
    if (value.length < SHORTEST || this.#values.has(value)) return;
    this.#values.add(value);
    this.#forms = null;
  }

  hide(text: string): string {
    if (this.#values.size === 0) return text;
    // The longest first: a secret can be the start of another one.
    this.#forms ??= [...this.#values]
      .sort((one, other) => other.length - one.length)
      .flatMap((value) => listForms(value, this.#hidesParts ? findParts(value, this.#known) : null));
    const decoded = listDecoded(text);
    let clean = text;
    for (const form of this.#forms) {
      if (form.traces !== null && !form.traces.some((trace) => decoded.some((each) => each.includes(trace)))) continue;
      form.hide ??= createHider(form.spell());
      clean = form.hide(clean);
    }
    return clean;
  }
}

/**
 * The text in lower case without escapes, and without characters that encodings write in several ways or between digits. A backslash
 * before a letter can begin an escape, or be a part of a path.
 */
function listDecoded(text: string): string[] {
  const lower = text.toLowerCase();
  const forms = lower.includes('\\')
    ? [
        lower.replaceAll('\\', ''),
        lower.replace(/\\+(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrtbf])|)/g, (_, unicode, byte, short) =>
          unescapeJson(unicode ?? byte, short),
        ),
      ]
    : [lower];
  return forms.map((form) =>
    decodeEscapes(form)
      .toLowerCase()
      .replace(/[\\+\s:-]+/g, '')
      .replaceAll('_', '/'),
  );
}

function unescapeJson(code: string | undefined, short: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return [...SHORT_ESCAPES].find(([, letter]) => letter === short)?.[0] ?? '';
}

const ESCAPE_DEPTH = 4;

function decodeEscapes(text: string): string {
  let decoded = text;
  for (let depth = 0; depth < ESCAPE_DEPTH && /[%&]/.test(decoded); depth += 1)
    decoded = decoded
      .replace(/(?:%[0-9a-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
      .replace(/&(?:#(\d{1,13})|#x([0-9a-f]{1,12})|([a-z]+));?/g, (entity, decimal, hexadecimal, name) => {
        if (name !== undefined) return CHARACTERS_OF_ENTITIES.get(name) ?? entity;
        const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
      });
  return decoded;
}

/** Every text of a value, at any depth. */
export function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** The secret texts of a connection. A group such as the event stream also has a host and a queue, which replies may name. */
function listSecretTexts(schema: z.ZodObject, credentials: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = credentials[name];
    if (!isSecret(field)) return [];
    if (typeof value !== 'object' || value === null) return listTexts(value);
    return Object.entries(value).flatMap(([part, text]) => (/password|secret|token|key/i.test(part) ? listTexts(text) : []));
  });
}

/**
 * Hides the secrets of the connection, and the tokens that it received, in each reply, before a connector reads and shortens it: a third
 * party can echo a request. A reply with a token shows the tokens, because it may repeat the current one.
 */
export function hideInReplies(http: Http, schema: z.ZodObject, credentials: Readonly<Record<string, unknown>>): Http {
  const texts = listSecretTexts(schema, credentials);
  const known = listTexts(credentials).filter((text) => !texts.includes(text));
  const secrets = new Secrets(texts, { known });
  const withTokens = new Secrets(texts, { known });
  return {
    async request(request) {
      const reply = await http.request(request);
      const hide = (text: string) => (request.returnsToken ? secrets : withTokens).hide(text);
      const headers = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, hide(value)]));
      const text = hide(reply.text);
      return text === reply.text ? { ...reply, headers } : toReply({ status: reply.status, headers }, text, new URL(request.url).hostname);
    },
    hideToken: (token) => withTokens.add(token),
  };
}
