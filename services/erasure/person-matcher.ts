import type { Matcher } from '../../db/lifecycle/erase-person.js';
import { escapeMarkdown, slug } from '../../domain/text.js';
import { invalid } from '../errors.js';

const MIN_LENGTH = 4;
const MIN_ENCODED_LENGTH = 8;

/** One identifier per line, such as an account name, an email address or a full name. */
export function readIdentifiers(content: string): string[] {
  const lines = content.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim().normalize('NFC')]));
  const short = lines.findIndex((line) => line.length < MIN_LENGTH);
  if (lines.length === 0) throw invalid([{ detail: 'There are no identifiers. Enter one per line.' }]);
  if (short >= 0)
    throw invalid([
      {
        detail: `Identifier ${short + 1} is shorter than ${MIN_LENGTH} characters, so it would also match data of others. Enter a longer one.`,
      },
    ]);
  return [...new Set(lines)];
}

/** Preceded by no letter or digit, unless that is the end of an escape such as \n, \u000a or %20. */
const BEGIN = String.raw`(?:(?<=\\u[0-9a-f]{4})|(?<=%[0-9a-f]{2})|(?<!(?<!\\)[\p{L}\p{N}]))`;
const END = String.raw`(?![\p{L}\p{N}])`;

export function createMatcher(identifiers: readonly string[]): Matcher {
  const spelled = new Map<string, string>();
  const encoded = new Set<string>();
  for (const [index, identifier] of identifiers.entries()) {
    const form = slug(identifier);
    if (form.length >= MIN_LENGTH) spelled.set(form, `erased-${index + 1}`);
    for (const spelling of listSpellings(identifier)) spelled.set(spelling.toLowerCase(), `[erased ${index + 1}]`);
    for (const cased of new Set([identifier, identifier.toLowerCase(), identifier.toUpperCase()]))
      for (const core of listEncodings(cased)) if (core.length >= MIN_ENCODED_LENGTH) encoded.add(core);
  }
  const anyCase = [...spelled.keys()].sort((a, b) => b.length - a.length);
  const exact = [...encoded].sort((a, b) => b.length - a.length);
  const spelledPattern = new RegExp(`${BEGIN}(?:${anyCase.map(escapePattern).join('|')})${END}`, 'giu');
  const encodedPattern = new RegExp(exact.map(escapePattern).join('|'), 'gu');
  const isFound = (pattern: RegExp, text: string) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  };
  return {
    contains: (text) => isFound(spelledPattern, text) || isFound(encodedPattern, text),
    erase: (text) =>
      text
        .replace(spelledPattern, (found) => spelled.get(found.toLowerCase()) ?? '[erased]')
        // The same length, so that the rest still decodes.
        .replace(encodedPattern, (found) => 'A'.repeat(found.length)),
    hints: { anyCase, exact },
  };
}

function listSpellings(identifier: string): Set<string> {
  const forms = [identifier, identifier.normalize('NFD')];
  return new Set(
    forms.flatMap((form) => {
      const json = escapeJson(form);
      return [form, json, escapeJson(json), escapeUnicode(json), encodeURIComponent(form), escapeMarkdown(form), toHex(form)];
    }),
  );
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeUnicode(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function toHex(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** The part of the base64 text that does not depend on the bytes around, for each position in a group of three bytes. */
function listEncodings(text: string): string[] {
  return [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')].flatMap((bytes) =>
    [0, 1, 2].flatMap((before) => {
      const whole = Buffer.concat([Buffer.alloc(before), bytes]);
      const first = Math.ceil((before * 8) / 6);
      const last = Math.floor((whole.length * 8) / 6);
      const core = whole.toString('base64').slice(first, last);
      return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
    }),
  );
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
