import { parseAllDocuments } from 'yaml';
import type { TextFormat } from '../../domain/alert/alert-content.js';

const MAX_LENGTH = 64 * 1024;
const MAX_ALIASES = 20;
const KEY_LINE = /^(?: {0,40}(?:- {1,4})?["']?[\w.@/ -]{1,60}["']?:(?: .*)?| {0,40}- .*| {0,40}#.*|---.*|\.\.\.)$/;
const MIN_KEYS = 2;

/** YAML with nested keys. Flat lines `key: value` need no parser. */
export const yaml: TextFormat = (text, reader, depth) => {
  if (text.length > MAX_LENGTH || !looksLikeYaml(text)) return false;
  const values: unknown[] = [];
  for (const document of parseAllDocuments(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent', strict: false })) {
    if (!('toJS' in document) || document.errors.length > 0) return false;
    try {
      values.push(document.toJS({ maxAliasCount: MAX_ALIASES }));
    } catch {
      return false;
    }
  }
  const objects = values.filter((value) => typeof value === 'object' && value !== null);
  for (const value of objects) reader.readText(JSON.stringify(value), undefined, depth + 1);
  return objects.length > 0;
};

/** A nested key, and no line that only prose has: most prose with `label: value` lines is not YAML. */
function looksLikeYaml(text: string): boolean {
  if (!/^ *(?:- )?["']?[\w.@/ -]{1,60}["']?: *(?:&\w+ *)?\r?\n {1,40}\S|^ *- [\w.@/-]{1,60}: /m.test(text)) return false;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length >= MIN_KEYS && lines.every((line) => KEY_LINE.test(line));
}
