/** Names are in the form of `compact`. An element of an array has the array's name. */
export interface Field {
  readonly name: string;
  /** The name of the object that contains the field. */
  readonly owner: string;
}

interface JsonVisitor {
  /** The name of the text, where it was itself a field. */
  readonly name: string;
  onKey(key: string): void;
  /** Numbers stay text, because `JSON.parse` corrupts ids above 2^53. */
  onScalar(field: Field, value: string, type: 'string' | 'number' | 'cut off'): void;
}

/** `userName`, `user_name` and `User Name` are one name. */
export function compact(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The start of JSON that runs to the end of the text, possibly after the prefix of a log line. -1: none. */
export function startOfJson(text: string): number {
  const first = text.search(/\S/);
  const brace = text.indexOf('{');
  const candidates = text[first] === '[' ? [first, brace] : [brace];
  return candidates.find((at) => at >= 0 && walkJson(text, at, null)) ?? -1;
}

const MAX_DEPTH = 200;
const MAX_KEY_LENGTH = 256;

/**
 * Reads one or several JSON objects or arrays, possibly truncated at the end, in one pass without recursion.
 * False where the text is not JSON or is nested too deeply.
 */
export function walkJson(source: string, from: number, visitor: JsonVisitor | null): boolean {
  const frames: { readonly closing: ']' | '}'; readonly field: Field }[] = [];
  let expected: 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' = 'value';
  let key = '';
  for (let at = from; at < source.length; at += 1) {
    const char = source[at] ?? '';
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') continue;
    const frame = frames.at(-1);

    if (frame && char === frame.closing && (expected === 'comma' || expected === 'first value' || expected === 'first key')) {
      frames.pop();
      expected = 'comma';
      continue;
    }
    if (expected === 'colon') {
      if (char !== ':') return false;
      expected = 'value';
      continue;
    }
    if (expected === 'comma' && frame) {
      if (char !== ',') return false;
      expected = frame.closing === ']' ? 'value' : 'key';
      continue;
    }
    if (expected === 'key' || expected === 'first key') {
      if (char !== '"') return false;
      const end = endOfString(source, at);
      if (end < 0) return true;
      if (visitor) {
        const written = source.slice(at + 1, Math.min(end, at + 1 + MAX_KEY_LENGTH));
        key = compact(written);
        visitor.onKey(written);
      }
      expected = 'colon';
      at = end;
      continue;
    }

    if (!frame && char !== '{' && char !== '[') return false;
    const field = !frame
      ? { name: visitor?.name ?? '', owner: '' }
      : frame.closing === ']'
        ? frame.field
        : { name: key, owner: frame.field.name };
    if (char === '{' || char === '[') {
      if (frames.length === MAX_DEPTH) return false;
      frames.push({ closing: char === '[' ? ']' : '}', field });
      expected = char === '[' ? 'first value' : 'first key';
      continue;
    }
    expected = 'comma';
    if (char === '"') {
      const end = endOfString(source, at);
      visitor?.onScalar(field, unescaped(source.slice(at + 1, end < 0 ? source.length : end)), end < 0 ? 'cut off' : 'string');
      if (end < 0) return true;
      at = end;
    } else {
      const end = endOfWord(source, at);
      const word = source.slice(at, Math.min(end, at + MAX_KEY_LENGTH));
      if (end === source.length) return BEGINNING_OF_WORD.test(word);
      if (!WORD.test(word)) return false;
      if (/\d/.test(word)) visitor?.onScalar(field, word, 'number');
      at = end - 1;
    }
  }
  return true;
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
