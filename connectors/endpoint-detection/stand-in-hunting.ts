/** A row of a table that hunting queries read. */
type Row = Record<string, unknown>;

/** The tables and columns of the vendor that the stand-in knows. */
export const HUNTING_TABLES: Readonly<Record<string, readonly string[]>> = {
  DeviceNetworkEvents: [
    'Timestamp',
    'DeviceId',
    'DeviceName',
    'ActionType',
    'RemoteIP',
    'RemotePort',
    'RemoteUrl',
    'InitiatingProcessFileName',
    'InitiatingProcessAccountName',
  ],
  DeviceFileEvents: [
    'Timestamp',
    'DeviceId',
    'DeviceName',
    'ActionType',
    'FileName',
    'FolderPath',
    'SHA1',
    'SHA256',
    'MD5',
    'InitiatingProcessFileName',
  ],
  DeviceProcessEvents: [
    'Timestamp',
    'DeviceId',
    'DeviceName',
    'ActionType',
    'FileName',
    'SHA1',
    'SHA256',
    'MD5',
    'ProcessCommandLine',
    'AccountName',
    'InitiatingProcessFileName',
  ],
  DeviceLogonEvents: ['Timestamp', 'DeviceId', 'DeviceName', 'ActionType', 'LogonType', 'AccountDomain', 'AccountName', 'RemoteIP'],
};

/**
 * Runs a query of the hunting language. Supports one table or a union, and the operators where (==, =~, has, and, or), project,
 * summarize with max, top and take. Returns null for any other query.
 */
export function runHuntingQuery(tables: Readonly<Record<string, readonly Row[]>>, query: string): Row[] | null {
  const literals: string[] = [];
  const bare = query.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => `$${literals.push(literal) - 1}`);
  const [source = '', ...operators] = bare.split('|').map((part) => part.trim());
  const names = source.replace(/^union /, '').split(/,\s*/);
  if (names.some((name) => !(name in HUNTING_TABLES))) return null;
  const columns = names.flatMap((name) => HUNTING_TABLES[name] ?? []);
  const run = { columns, literals };
  return operators.reduce<Row[] | null>(
    (rows, operator) => (rows === null ? null : runOperator(operator, rows, run)),
    names.flatMap((name) => tables[name] ?? []),
  );
}

interface Run {
  readonly columns: readonly string[];
  readonly literals: readonly string[];
}

function runOperator(operator: string, rows: Row[], run: Run): Row[] | null {
  const [, name = '', rest = ''] = /^(\w+) (.+)$/.exec(operator) ?? [];
  switch (name) {
    case 'where': {
      const isWanted = readCondition(rest, run);
      return isWanted && rows.filter(isWanted);
    }
    case 'project': {
      const columns = rest.split(/,\s*/);
      return columns.every((column) => run.columns.includes(column)) ? rows.map((row) => pick(row, columns)) : null;
    }
    case 'summarize':
      return summarize(rest, rows, run);
    case 'top': {
      const [, count, column = ''] = /^(\d+) by (\w+)$/.exec(rest) ?? [];
      if (count === undefined || !run.columns.includes(column)) return null;
      return rows.toSorted((a, b) => compare(b[column], a[column])).slice(0, Number(count));
    }
    case 'take':
    case 'limit':
      return /^\d+$/.test(rest) ? rows.slice(0, Number(rest)) : null;
    default:
      return null;
  }
}

type Test = (row: Row) => boolean;

function readCondition(text: string, run: Run): Test | null {
  const anyOf = text.split(' or ').map((part) => part.split(' and ').map((comparison) => readComparison(comparison, run)));
  if (anyOf.flat().includes(null)) return null;
  return (row) => anyOf.some((allOf) => allOf.every((test) => test?.(row)));
}

function readComparison(text: string, { columns, literals }: Run): Test | null {
  const [, column = '', operator, place] = /^\(?(\w+) (==|=~|has) \$(\d+)\)?$/.exec(text.trim()) ?? [];
  if (place === undefined || !columns.includes(column)) return null;
  const wanted: unknown = JSON.parse(literals[Number(place)] ?? '""');
  const expected = String(wanted);
  return (row) => {
    const value = String(row[column] ?? '');
    if (operator === '==') return value === expected;
    if (operator === '=~') return value.toLowerCase() === expected.toLowerCase();
    return value.toLowerCase().includes(expected.toLowerCase());
  };
}

/** `Timestamp = max(Timestamp) by DeviceId, DeviceName`. */
function summarize(text: string, rows: readonly Row[], { columns }: Run): Row[] | null {
  const [, result = '', column = '', by = ''] = /^(\w+) = max\((\w+)\) by (.+)$/.exec(text) ?? [];
  const groups = by.split(/,\s*/);
  if (![column, ...groups].every((each) => columns.includes(each))) return null;
  const found = new Map<string, Row>();
  for (const row of rows) {
    const group = pick(row, groups);
    const key = JSON.stringify(group);
    const last = found.get(key)?.[result];
    found.set(key, { ...group, [result]: last !== undefined && compare(last, row[column]) > 0 ? last : row[column] });
  }
  return [...found.values()];
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? '']));
}

function compare(a: unknown, b: unknown): number {
  return String(a).localeCompare(String(b));
}
