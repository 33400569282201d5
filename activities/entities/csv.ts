import { parse } from 'csv-parse/sync';
import type { TextFormat } from '../../domain/alert/alert-content.js';

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_ROWS = 10_000;
const MAX_COLUMNS = 200;

/** Delimited values with a header row. */
export const csv: TextFormat = (text, reader, depth) => {
  return readDelimited(withoutComments(text), reader, depth);
};

/** Some sensors write their column names into a comment: `#fields	ts	id.orig_h`. */
function withoutComments(text: string): string {
  const names = /^#fields\t(.*)$/m.exec(text)?.[1];
  return names === undefined ? text : [names, ...text.split('\n').filter((line) => !line.startsWith('#'))].join('\n');
}

const readDelimited: TextFormat = (text, reader, depth) => {
  const [header = '', second] = text.trimStart().split(/\r?\n/, 2);
  if (second === undefined || header.length > 4000) return false;
  const delimiter = DELIMITERS.map((each) => ({ each, columns: header.split(each).length })).sort((a, b) => b.columns - a.columns)[0];
  if (!delimiter || delimiter.columns < 2 || delimiter.columns > MAX_COLUMNS) return false;
  // A header holds names. A line with `key=value` or `label: value` is data.
  if (/[=:]/.test(header) || second.split(delimiter.each).length < delimiter.columns) return false;
  const rows = parseRows(text.trim(), delimiter.each);
  return rows !== null && rows[0]?.length === delimiter.columns && reader.readRows(rows, depth);
};

function parseRows(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, { delimiter, relax_quotes: true, relax_column_count: true, skip_empty_lines: true, trim: true, to: MAX_ROWS });
  } catch {
    return null;
  }
}
