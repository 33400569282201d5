import { findMeaning } from './field-names.js';
import { compact } from './json-walk.js';

export interface TableLayout {
  /** The format says that the names are in the first column. */
  readonly hasNameColumn?: boolean;
}

/** Calls `onCell` for each named value of a table, whose names are in the first row or in the first column, with the number of its record. */
export function readTable(
  rows: readonly (readonly string[])[],
  onCell: (name: string, value: string, record: number) => void,
  { hasNameColumn = false }: TableLayout = {},
): boolean {
  const [header = []] = rows;
  const namesInHeader = header.filter(isName).length;
  const namesInColumn = rows.filter(([first = '']) => isName(first)).length;
  const isInColumn = hasNameColumn ? namesInColumn > 0 : namesInColumn > namesInHeader;
  if (isInColumn && header.length <= 3) {
    for (const [name = '', ...values] of rows) for (const [record, value] of values.entries()) onCell(name, value, record);
    return true;
  }
  if (namesInHeader === 0 || rows.length < 2) return false;
  for (const [record, row] of rows.slice(1).entries())
    for (const [index, value] of row.entries()) onCell(header[index] ?? '', value, record);
  return true;
}

const MAX_NAME_LENGTH = 40;

function isName(cell: string): boolean {
  return cell.length <= MAX_NAME_LENGTH && findMeaning(compact(cell)) !== undefined;
}

const ROW = /^[ \t]{0,8}\|.*\||^[^|\n]+\|[^|\n]+/;
const RULE = /^[ \t]{0,8}\|?[ \t]{0,8}:?-+:?[ \t]{0,8}(?:\|[ \t]{0,8}:?-+:?[ \t]{0,8})*\|?[ \t]{0,8}$/;

interface MarkdownParts {
  readonly tables: string[][][];
  /** The lines outside the tables. */
  readonly text: string;
}

/** The tables of Markdown; null where the text has none. */
export function splitMarkdownTables(content: string): MarkdownParts | null {
  if (!/^[ \t|:]*-+[-|: \t]*$/m.test(content) || !content.includes('|')) return null;
  const lines = content.split(/\r?\n/);
  const tables: string[][][] = [];
  const text: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const rule = lines[at + 1] ?? '';
    if (!(rule.includes('|') && RULE.test(rule) && ROW.test(line))) {
      text.push(line);
      continue;
    }
    const rows = [splitRow(line)];
    for (at += 2; at < lines.length && ROW.test(lines[at] ?? ''); at += 1) rows.push(splitRow(lines[at] ?? ''));
    at -= 1;
    tables.push(rows);
  }
  return tables.length > 0 ? { tables, text: text.join('\n') } : null;
}

function splitRow(line: string): string[] {
  const cells = line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|');
  return cells.map((cell) => cell.trim().replace(/^(?:\*\*|__|`|\*|_)+|(?:\*\*|__|`|\*|_)+$/g, ''));
}
