/** Names are in the form of `compact`. An element of an array has the array's name. */
export interface Field {
  readonly name: string;
  /** The name of the object that contains the field. */
  readonly owner: string;
  /** The object or array that contains the field; absent at the top. */
  readonly parent?: Field;
}

export const NO_FIELD: Field = { name: '', owner: '' };

interface JsonVisitor {
  /** The field that held the text. */
  readonly within: Field;
  onKey(key: string): void;
  /** Numbers stay text, because `JSON.parse` corrupts ids above 2^53. */
  onScalar(field: Field, value: string, type: 'string' | 'number' | 'cut off'): void;
  onFlag(field: Field, value: 'true' | 'false'): void;
  /** An object ends. `members` are its short strings and numbers. */
  onObjectEnd(field: Field, members: ReadonlyMap<string, string>): void;
}

/** `userName`, `user_name` and `User Name` are one name, and so are `équipo` and `equipo`. */
export function compact(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;

/** JSON in a text, possibly after the prefix of a log line or in front of more text. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

export function findJson(text: string): JsonRange | null {
  const first = text.search(/\S/);
  const brace = text.indexOf('{');
  for (const start of text[first] === '[' ? [first, brace] : [brace]) {
    const end = start < 0 ? -1 : walkJson(text, start, null);
    if (end >= 0) return { start, end };
  }
  return null;
}

const MAX_DEPTH = 200;
const MAX_KEY_LENGTH = 256;
const MAX_MEMBERS = 32;
const MAX_MEMBER_LENGTH = 256;

interface Frame {
  readonly closing: ']' | '}';
  readonly field: Field;
  readonly members: Map<string, string>;
}

/**
 * Reads one or several JSON objects or arrays, possibly truncated at the end, in one pass without recursion. Returns the end of
 * the JSON: other text can follow an object with fields. -1 where the text is not JSON or is nested too deeply.
 */
export function walkJson(source: string, from: number, visitor: JsonVisitor | null): number {
  const frames: Frame[] = [];
  /** The end of the last complete object that has fields. */
  let complete = -1;
  let expected: 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' = 'value';
  let key = '';
  for (let at = from; at < source.length; at += 1) {
    const char = source[at] ?? '';
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') continue;
    const frame = frames.at(-1);

    if (frame && char === frame.closing && (expected === 'comma' || expected === 'first value' || expected === 'first key')) {
      frames.pop();
      if (char === '}') visitor?.onObjectEnd(frame.field, frame.members);
      if (frames.length === 0) complete = char === '}' && expected === 'comma' ? at + 1 : -1;
      expected = 'comma';
      continue;
    }
    if (expected === 'colon') {
      if (char !== ':') return complete;
      expected = 'value';
      continue;
    }
    if (expected === 'comma' && frame) {
      if (char !== ',') return complete;
      expected = frame.closing === ']' ? 'value' : 'key';
      continue;
    }
    if (expected === 'key' || expected === 'first key') {
      if (char !== '"') return complete;
      const end = endOfString(source, at);
      if (end < 0) return source.length;
      if (visitor) {
        const written = source.slice(at + 1, Math.min(end, at + 1 + MAX_KEY_LENGTH));
        key = compact(written);
        visitor.onKey(written);
      }
      expected = 'colon';
      at = end;
      continue;
    }

    if (!frame && char !== '{' && char !== '[') return complete;
    const field = !frame
      ? (visitor?.within ?? NO_FIELD)
      : frame.closing === ']'
        ? frame.field
        : { name: key, owner: frame.field.name, parent: frame.field };
    if (char === '{' || char === '[') {
      if (frames.length === MAX_DEPTH) return -1;
      frames.push({ closing: char === '[' ? ']' : '}', field, members: new Map() });
      expected = char === '[' ? 'first value' : 'first key';
      continue;
    }
    expected = 'comma';
    if (char === '"') {
      const end = endOfString(source, at);
      if (visitor) {
        const value = unescaped(source.slice(at + 1, end < 0 ? source.length : end));
        remember(frame, key, value);
        visitor.onScalar(field, value, end < 0 ? 'cut off' : 'string');
      }
      if (end < 0) return source.length;
      at = end;
    } else {
      const end = endOfWord(source, at);
      const word = source.slice(at, Math.min(end, at + MAX_KEY_LENGTH));
      if (end === source.length) return BEGINNING_OF_WORD.test(word) ? end : complete;
      if (!WORD.test(word)) return complete;
      if (visitor && /\d/.test(word)) {
        remember(frame, key, word);
        visitor.onScalar(field, word, 'number');
      }
      if (word === 'true' || word === 'false') visitor?.onFlag(field, word);
      at = end - 1;
    }
  }
  return source.length;
}

function remember(frame: Frame | undefined, key: string, value: string): void {
  if (frame?.closing === '}' && frame.members.size < MAX_MEMBERS && value.length <= MAX_MEMBER_LENGTH) frame.members.set(key, value);
}

const WORD = /^(?:true|false|null|-?\d[\d.eE+-]*)$/;
const BEGINNING_OF_WORD = /^(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?\d[\d.eE+-]*|-)$/;

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
