import { findMeaning, type NamedKind, type NameMeaning } from './field-names.js';
import { compact } from './json-walk.js';

/** A value in a text, with the meaning of the label in front of it. */
export interface LabelledValue {
  readonly meaning: NameMeaning;
  /** The label in the form of `compact`. */
  readonly label: string;
  readonly value: string;
}

/** Each value that follows a label: `user: jane`, `Rechner=HH-1`, `ホスト：osk-1`, `on host web-01`. */
export function* findLabelledValues(text: string): Generator<LabelledValue> {
  yield* valuesAfterSeparators(text);
  yield* valuesAfterWords(text);
  yield* valuesAfterVerbs(text);
  yield* usersOfMachines(text);
}

/** The longest label in the dictionary has fewer characters. */
const MAX_LABEL_LENGTH = 48;
const MAX_LABEL_WORDS = 4;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
const GAPS = " _./’'-\u00a0";
/** Japanese and Chinese have no spaces, so a label can be the end of a longer run of letters. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const MAX_LABEL_WITHOUT_SPACES = 10;
/** `?user=` is a parameter of a URL, and `the given user: ASN, Browser` is a common phrase of sign-in alerts. */
const NOT_BEFORE_A_LABEL = '_?&/$@\\-';
const PHRASE_BEFORE = 'given ';

interface Label {
  readonly meaning: NameMeaning;
  readonly name: string;
}

/** The label that ends at a position: the most words in front of it that are a name. */
function labelEndingAt(text: string, end: number): Label | null {
  const floor = Math.max(0, end - MAX_LABEL_LENGTH);
  let start = end;
  let longest: Label | null = null;
  for (let words = 1; words <= MAX_LABEL_WORDS; words += 1) {
    const wordEnd = start;
    while (start > floor && isLetter(text, start - 1)) start -= 1;
    if (start === wordEnd) break;
    if (words === 1 && WITHOUT_SPACES.test(text[end - 1] ?? '')) return findLabelAtEnd(text.slice(start, end));
    const name = compact(text.slice(start, end));
    const meaning = findMeaning(name);
    if (meaning && canPrecede(text, start)) longest = { meaning, name };
    if (start === floor || !GAPS.includes(text[start - 1] ?? '')) break;
    start -= 1;
  }
  return longest;
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0x80) return LETTER.test(text[at] ?? '');
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}

function canPrecede(text: string, start: number): boolean {
  return start === 0 || !(NOT_BEFORE_A_LABEL.includes(text[start - 1] ?? '') || text.endsWith(PHRASE_BEFORE, start));
}

function findLabelAtEnd(word: string): Label | null {
  for (let length = Math.min(word.length, MAX_LABEL_WITHOUT_SPACES); length > 0; length -= 1) {
    const name = compact(word.slice(-length));
    const meaning = findMeaning(name);
    if (meaning) return { meaning, name };
  }
  return null;
}

const SEPARATOR = /[:=：＝]/g;
const BEFORE_SEPARATOR = '"\'`*_.)] \t\u00a0\u202f';
const MAX_SKIPPED = 6;
const AFTER_SEPARATOR = />?[ \t\u00a0\u202f]{0,16}(?:\*{1,2}|`)?[ \t\u00a0\u202f]{0,16}/y;

function skipBack(text: string, from: number, skipped: string): number {
  let at = from;
  while (at > 0 && from - at < MAX_SKIPPED && skipped.includes(text[at - 1] ?? '')) at -= 1;
  return at;
}

function* valuesAfterSeparators(text: string): Generator<LabelledValue> {
  const isHttp = /\bHTTP\/[123]/.test(text);
  for (const { index } of text.matchAll(SEPARATOR)) {
    const end = skipBack(text, index, BEFORE_SEPARATOR);
    // `rrn:` begins an id.
    if (text.endsWith('rrn', index) && text[index + 1] !== ' ') continue;
    const label = labelEndingAt(text, end);
    // The HTTP header `Host:` names a web site, not a device of the organization.
    if (!label || (isHttp && label.name === 'host')) continue;
    const at = index + 1 + (matchAt(AFTER_SEPARATOR, text, index + 1)?.[0].length ?? 0);
    const { meaning, name } = label;
    const isAssignment = text[index] === '=' || text[index] === '＝';
    if (meaning.kind !== undefined) for (const value of valuesAt(text, at, meaning)) yield { meaning, label: name, value };
    else yield { meaning, label: name, value: restAt(text, at, isAssignment) };
  }
}

const QUOTED = /"([^"\r\n]{1,256})"|'([^'\r\n]{1,256})'|`([^`\r\n]{1,256})`|「([^」\r\n]{1,256})」|『([^』\r\n]{1,256})』/y;
const FULL_NAME = /\p{Lu}[\p{L}'’-]{1,40}(?: \p{Lu}[\p{L}.'’-]{0,40}){1,3}(?=[ \t]*(?:$|[\r\n,;|)<]))/uy;
const WORD: Record<NamedKind, RegExp> = {
  user: /(?:<mailto:|[<([])?([^\s,;"'`<>()[\]{}|&=:?!*：，。；、｜（）「」]{1,256})/y,
  host: /[<([]?([a-z0-9_:.-]{1,260})/iy,
  'machine-id': /[<([{]?([\w:.-]{1,128})/y,
  'incident-id': /[<([]?(?:#|№ ?|n[°º] ?|nr\.? )?([\w:.-]{1,128})/iy,
  'alert-id': /[<([]?#?([\w:.-]{1,128})/y,
  'investigation-id': /[<([]?([\w:.-]{1,128})/y,
};

/** Words after `user:` in a sentence that are not names. */
const NOT_A_NAME = new Set([
  ...'the this that these those a an and or not no yes is was are were has had have did does will can'.split(' '),
  ...'in on at of to from for by with see please name id port pass password passwd true false'.split(' '),
  ...'failed failure success successful succeeded attempt denied allowed locked disabled enabled created deleted'.split(' '),
  ...'der die das ein eine und oder nicht ist war wurde hat le la les un une et est el los una y es'.split(' '),
]);
/** A sentence without spaces is not a name. */
const MAX_NAME_WITHOUT_SPACES = 12;

function valueAt(text: string, at: number, kind: NamedKind): { value: string; end: number } | null {
  const quoted = matchAt(QUOTED, text, at);
  if (quoted) return { value: quoted.slice(1).find((group) => group !== undefined) ?? '', end: at + quoted[0].length };
  const fullName = kind === 'user' ? matchAt(FULL_NAME, text, at) : null;
  if (fullName) return { value: fullName[0], end: at + fullName[0].length };
  const word = matchAt(WORD[kind], text, at);
  const value = word?.[1]?.replace(/[.:-]{1,8}$/, '') ?? '';
  if (!word || value === '' || NOT_A_NAME.has(value.toLowerCase())) return null;
  // `user: src: 192.0.2.1` has no user.
  if (/[:=：]/.test(text[at + word[0].length] ?? '') && findMeaning(compact(value))) return null;
  if (WITHOUT_SPACES.test(value) && value.length > MAX_NAME_WITHOUT_SPACES) return null;
  return { value, end: at + word[0].length };
}

const NEXT_IN_LIST = /[ \t]{0,3}(?:[,;、]|\b(?:and|und|et|y|e|и|及|と)\b)[ \t]{0,3}/y;
const MAX_LIST_LENGTH = 20;

/** The value, and the rest of a list such as `web-01, web-02 and web-03` where each item has the form of the kind. */
function* valuesAt(text: string, at: number, meaning: NameMeaning): Generator<string> {
  const kind = meaning.kind ?? 'host';
  let found = valueAt(text, at, kind);
  if (found && (!meaning.weak || hasForm(kind, found.value))) yield found.value;
  for (let count = 1; found && (kind === 'host' || kind === 'user') && count < MAX_LIST_LENGTH; count += 1) {
    const gap = matchAt(NEXT_IN_LIST, text, found.end);
    const next = gap ? valueAt(text, found.end + gap[0].length, kind) : null;
    if (!next || !hasForm(kind, next.value) || /[:=]/.test(text.slice(next.end, next.end + 2))) return;
    yield next.value;
    found = next;
  }
}

const MAX_REST_LENGTH = 512;
const END_OF_REST = /[\r\n|;；。！？]|[.!?] (?=\p{Lu})/u;

/** The value of a label that states only a role: one word of `src=10.0.0.1`, or the rest of the line `From: Jane <jane@…>`. */
function restAt(text: string, at: number, isAssignment: boolean): string {
  const line = text.slice(at, at + MAX_REST_LENGTH).split(END_OF_REST, 1)[0] ?? '';
  if (isAssignment) return (matchAt(QUOTED, text, at)?.[0] ?? /^\S*/.exec(line)?.[0] ?? '').replace(/^["'`]|["'`]$/g, '');
  // The next label on the line has a value of its own: `source: 192.0.2.1, destination: 192.0.2.2`.
  const next = /[,，、 ][\p{L}\p{M} _-]{2,40}[:：=](?!\/\/)/u.exec(line);
  return next ? line.slice(0, next.index) : line;
}

/** Words that contain a digit, a dot, a hyphen or a backslash can be a name although no separator is in front of them. */
const TOKEN =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_.\\/@:%-])[\p{Script=Latin}\p{Script=Cyrillic}\p{N}][\p{Script=Latin}\p{Script=Cyrillic}\p{N}_.\\@:-]{1,127}/gu;
const BEFORE_TOKEN =
  /(?:[\s"'`*#(<[「『（【№\u00a0]|はn?|为|為|是|n[°º]|nr?\.|no\.|(?<=\s)(?:is|was|ist|war|est|es|era|é|è|jest|number|num[eé]ro|nummer|numer|porte le)(?=\s)){1,6}$/iu;
const FROM_AN_ADDRESS = /^ from [\d[]/;

function* valuesAfterWords(text: string): Generator<LabelledValue> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const value = token.replace(/[.:@\\-]+$/, '');
    if (!/[\d.\\-]/.test(value) && !text.startsWith(' from ', index + token.length)) continue;
    const before = text.slice(Math.max(0, index - 24), index);
    const end = index - (BEFORE_TOKEN.exec(before)?.[0].length ?? 0);
    const label = labelEndingAt(text, end);
    if (!label || label.meaning.mailOnly) continue;
    const { meaning, name } = label;
    if (meaning.kind === undefined) {
      // `送信元は192.0.2.1` states a role, but `source 192.0.2.1` may be two columns.
      if (WITHOUT_SPACES.test(text[end - 1] ?? '')) yield { meaning, label: name, value };
    } else if (
      isClearly(meaning.kind, value, text.slice(end, index)) ||
      (meaning.kind === 'user' && FROM_AN_ADDRESS.test(text.slice(index + token.length, index + token.length + 8)))
    )
      yield { meaning, label: name, value };
  }
}

/** `is the number `, `foi a `: the end of a clause such as `the account that signed in was`. */
const VERB =
  /(?<=[\p{L}\p{N}])[ \t](?:is|was|ist|war|lautet|est|était|es|era|fue|é|foi|è|jest)[ \t](?:(?:the|der|die|das|le|la|el|o|a|il|lo)[ \t])?(?:(?:de[ \t]|with[ \t])?(?:number|número|numero|numéro|nummer|numer)[ \t])?/giu;
const VALUE_AFTER_VERB = /([\p{Script=Latin}\p{Script=Cyrillic}\p{N}][\p{Script=Latin}\p{Script=Cyrillic}\p{N}_.\\@:-]{2,127})/uy;
const MAX_WORDS_BEFORE_VERB = 3;
/** `The account of the user was disabled`, `La cuenta fue bloqueada`: the last word of a sentence can also say what happened. */
const PARTICIPLE = /(?:ed|en|ad[oa]s?|id[oa]s?|ée?s?|[iu]e?s?t|to|ta)$/i;

/** `A conta usada foi dana`, `El incidente es el 84512`: words can stand between the label and the verb. */
function* valuesAfterVerbs(text: string): Generator<LabelledValue> {
  for (const { 0: verb, index } of text.matchAll(VERB)) {
    const [, token = ''] = matchAt(VALUE_AFTER_VERB, text, index + verb.length) ?? [];
    const value = token.replace(/[.:@\\-]+$/, '');
    if (value.length < MIN_VALUE_LENGTH || NOT_A_NAME.has(value.toLowerCase())) continue;
    let end = index;
    for (let words = 0; words <= MAX_WORDS_BEFORE_VERB; words += 1) {
      const label = labelEndingAt(text, end);
      const kind = label?.meaning.kind;
      if (label && kind !== undefined) {
        const isLast = /^[.\s]*(?:$|\n|\.\s)/.test(text.slice(index + verb.length + value.length, index + verb.length + value.length + 4));
        const isBareName = kind === 'user' && words > 0 && isLast && !PARTICIPLE.test(value) && /^[\p{Ll}_]+$/u.test(value);
        if (isClearly(kind, value, '') || isBareName || (kind === 'host' && isLast && /\w-\w/.test(value)))
          yield { meaning: label.meaning, label: label.name, value };
        break;
      }
      const before = text.lastIndexOf(' ', end - 1);
      if (before <= 0 || end - before > MAX_LABEL_LENGTH || /[.!?;:\n]/.test(text.slice(before, end))) break;
      end = before;
    }
  }
}
const MIN_VALUE_LENGTH = 3;

/** `ws-014, used by dana.`: the account that follows the name of a machine. */
const USER_OF_MACHINE =
  /(?<=[\p{L}\p{N}]-?\d[\p{L}\p{N}.-]{0,100}),? (?:\(?(?:which|that) )?(?:is |was |é |foi |wird )?(?:used by|assigned to|operated by|usad[oa] por|utilizad[oa] por|utilisée? par|benutzt von|verwendet von|usato da) (?<user>[\p{L}\p{N}][\p{L}\p{N}_.\\@-]{2,127})(?=[\s.,;)]|$)/gu;

function* usersOfMachines(text: string): Generator<LabelledValue> {
  for (const { groups } of text.matchAll(USER_OF_MACHINE)) {
    const value = (groups?.['user'] ?? '').replace(/[.-]+$/, '');
    if (!NOT_A_NAME.has(value.toLowerCase()) && !NOT_A_USER.test(value)) yield { meaning: { kind: 'user' }, label: 'user', value };
  }
}
const NOT_A_USER = /^(?:many|all|our|several|everybody|everyone|people|staff|external|different|multiple|two|three|\d.*)$/i;

const HOST_FORM = /^(?=[^a-z]*[a-z])(?=\D*\d)[a-z0-9][a-z0-9_.-]{2,252}$/i;
const USER_FORM = /^(?=.*\p{L})(?:[\p{L}\p{N}][\p{L}\p{N}_-]*[.\\@][\p{L}\p{N}_.\\@-]*[\p{L}\p{N}$]|[\p{L}][\p{L}_-]*\d[\p{L}\p{N}_-]*)$/u;
const FILE_NAME = /\.(?:exe|dll|sys|ps1|bat|cmd|vbs|jse?|lnk|docx?m?|xlsx?m?|pdf|zip|rar|7z|txt|html?|msi|iso|py|sh)$/i;
const VERSION_OR_TIME = /^v?\d+(?:[.:-]\d+)*$/i;

/** Whether the value has the form of a host name or an account, so that a weak label is enough. */
export function hasForm(kind: NamedKind, value: string): boolean {
  if (VERSION_OR_TIME.test(value) || FILE_NAME.test(value)) return false;
  return (kind === 'user' ? USER_FORM : HOST_FORM).test(value);
}

const MACHINE_ID_FORM = /^(?:[0-9a-f]{40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Whether a word without a separator in front of it is the value of the label, and not the next word of a sentence. */
function isClearly(kind: NamedKind, value: string, gap: string): boolean {
  if (kind === 'machine-id') return MACHINE_ID_FORM.test(value);
  if (kind === 'incident-id') {
    const isYear = /^(?:19|20)\d\d$/.test(value) && !/[#№°º]/.test(gap);
    return (/^\d{3,20}$/.test(value) && !isYear) || /^[a-z]{2,8}-?\d{3,12}$/i.test(value);
  }
  if (kind === 'alert-id' || kind === 'investigation-id') return /^(?=.*\d)[\w:.-]{6,128}$/.test(value);
  return hasForm(kind, value);
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
