import type { z } from 'zod';
import { isSecret } from './define.js';
import { toReply } from './http.js';
import type { Http } from './implement.js';

const HIDDEN = '[hidden]';
/** A shorter text would also hide ordinary words. */
const SHORTEST = 6;

/** Limits repeated escapes, so that a hostile text cannot make the search slow. */
const PERCENT = '%(?:25){0,3}';
const BACKSLASHES = '\\\\{1,4}';

/**
 * Finds a secret in any spelling: plain, percent-encoded as in forms or URLs (`~` is `%7E` in a form), with JSON escapes, in hex, and in
 * base64 or base64url, also as a part of a longer encoded text. Each character may have its own spelling, in any case.
 */
function toPattern(secret: string): string {
  const bytes = Buffer.from(secret);
  return [[...secret].map(spellings).join(''), bytes.toString('hex'), ...[0, 1, 2].map((offset) => base64At(bytes, offset))].join('|');
}

function spellings(character: string): string {
  const literal = `(?:${BACKSLASHES})?${escapeRegExp(character)}`;
  const percent = [...Buffer.from(character)].map((byte) => `${PERCENT}${hex(byte, 2)}`).join('');
  const unicode = Array.from({ length: character.length }, (_, at) => `${BACKSLASHES}u${hex(character.charCodeAt(at), 4)}`).join('');
  const short = SHORT_ESCAPES.get(character);
  return `(?:${[literal, percent, unicode, ...(short === undefined ? [] : [`${BACKSLASHES}${short}`]), ...(character === ' ' ? ['\\+', `${PERCENT}2b`] : [])].join('|')})`;
}

const SHORT_ESCAPES = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\b', 'b'],
  ['\f', 'f'],
]);

/** The digits that do not depend on the bytes before and after the secret. */
function base64Digits(bytes: Buffer, offset: number): string {
  const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
  const isAligned = (offset + bytes.length) % 3 === 0;
  return digits.slice(offset === 0 ? 0 : offset + 1, isAligned ? undefined : -1);
}

function base64At(bytes: Buffer, offset: number): string {
  return [...base64Digits(bytes, offset)]
    .map((digit) => (digit === '-' ? `(?:-|${spellings('+')})` : digit === '_' ? `(?:_|${spellings('/')})` : digit))
    .join('');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Secrets and tokens of one connection. */
export class Secrets {
  readonly #values = new Set<string>();
  /** Short texts that every spelling contains after decoding. */
  #traces: string[] = [];
  #hasEscapes = false;
  #pattern: RegExp | null = null;

  constructor(values: Iterable<string> = []) {
    for (const value of values) this.add(value);
  }

  add(value: string): void {
    if (value.length < SHORTEST || this.#values.has(value)) return;
    this.#values.add(value);
    this.#traces.push(...listTraces(value));
    this.#hasEscapes ||= /[%\\]/.test(value);
    this.#pattern = null;
  }

  hide(text: string): string {
    if (!this.#mayBeIn(text)) return text;
    // The longest first: a secret can be the start of another one.
    this.#pattern ??= new RegExp(
      [...this.#values]
        .sort((one, other) => other.length - one.length)
        .map(toPattern)
        .join('|'),
      'gi',
    );
    return text.replace(this.#pattern, HIDDEN);
  }

  /** Building the pattern of a token takes longer than most calls, and few replies contain one. */
  #mayBeIn(text: string): boolean {
    if (this.#values.size === 0) return false;
    // In such a secret, an escape looks like its own characters.
    if (this.#hasEscapes) return true;
    const forms = listDecoded(text);
    return this.#traces.some((trace) => forms.some((form) => form.includes(trace)));
  }
}

function listTraces(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [bytes.toString('hex'), ...[0, 1, 2].map((offset) => base64Digits(bytes, offset))];
  return [...new Set([...listDecoded(secret), ...encoded.flatMap(listDecoded)])].filter((trace) => trace !== '');
}

/** The text in lower case without escapes. A backslash before a letter can begin an escape, or be a part of a path. */
function listDecoded(text: string): string[] {
  const lower = text.toLowerCase();
  const forms = lower.includes('\\')
    ? [lower.replaceAll('\\', ''), lower.replace(/\\+(?:u([0-9a-f]{4})|([nrtbf])|)/g, (_, code, short) => unescapeJson(code, short))]
    : [lower];
  return forms.map((form) =>
    decodePercent(form)
      .toLowerCase()
      .replace(/[\\+_-]/g, (character) => EQUAL_CHARACTERS[character] ?? ''),
  );
}

/** A form writes a space as `+`, and base64url has other digits than base64. A backslash may come from an escape. */
const EQUAL_CHARACTERS: Readonly<Record<string, string>> = { '+': ' ', '-': ' ', _: '/', '\\': '' };

function unescapeJson(code: string | undefined, short: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return [...SHORT_ESCAPES].find(([, letter]) => letter === short)?.[0] ?? '';
}

const PERCENT_DEPTH = 4;

function decodePercent(text: string): string {
  let decoded = text;
  for (let depth = 0; depth < PERCENT_DEPTH && decoded.includes('%'); depth += 1)
    decoded = decoded.replace(/(?:%[0-9a-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
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
  const secrets = new Secrets(listSecretTexts(schema, credentials));
  const withTokens = new Secrets(listSecretTexts(schema, credentials));
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
