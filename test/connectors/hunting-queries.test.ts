import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { endpointDetection } from '../../connectors/endpoint-detection/contract.js';
import { groupHunting } from '../../connectors/endpoint-detection/hunting-groups.js';
import { HUNTING_TABLES, runHuntingQuery } from '../../connectors/endpoint-detection/stand-in-hunting.js';
import { fillText } from '../../domain/playbook/fill-text.js';

/** The vendor's parser of its query language, as far as these tests use it. Its own types would slow the compiler down. */
interface Parser {
  Language: {
    KustoCode: { ParseAndAnalyze(query: string, globals: object): { GetDiagnostics(): Listed<{ Message: string }> } };
    GlobalState: { Default: { WithDatabase(database: object): object } };
    Symbols: {
      TableSymbol: { From(schema: string): { WithName(name: string): object } };
      DatabaseSymbol: { ctor: new (name: string, tables: object[]) => object };
    };
  };
}
interface Listed<Item> {
  readonly Count: number;
  getItem(index: number): Item;
}

/** Returns what the vendor's parser finds wrong with a query. */
const findErrors = createParser();

function createParser(): (query: string) => string[] {
  const require = createRequire(import.meta.url);
  require('@kusto/language-service-next/bridge.min');
  require('@kusto/language-service-next/Kusto.Language.Bridge.min');
  const { Language } = (globalThis as unknown as { Kusto: Parser }).Kusto;
  const { TableSymbol, DatabaseSymbol } = Language.Symbols;
  const tables = Object.entries(HUNTING_TABLES).map(([name, columns]) =>
    TableSymbol.From(`(${columns.map((column) => `${column}:${column === 'Timestamp' ? 'datetime' : 'string'}`).join(', ')})`).WithName(
      name,
    ),
  );
  const globals = Language.GlobalState.Default.WithDatabase(new DatabaseSymbol.ctor('hunting', tables));
  return (query) => {
    const found = Language.KustoCode.ParseAndAnalyze(query, globals).GetDiagnostics();
    return Array.from({ length: found.Count }, (_, index) => found.getItem(index).Message);
  };
}

const QUERIES = (endpointDetection.skills.runAdvancedQuery.answers ?? []).flatMap(({ input }) =>
  Object.values(input).flatMap((source) => (source.take === 'text' ? [source.text] : [])),
);

const ITEMS = [
  '203.0.113.66',
  'CORP\\dana',
  'dana@corp.example',
  'a" or true | union * //',
  "o'neil",
  'línea\nnueva',
  'ends with \\',
  '{item}',
];

describe('the hunting queries of questions', () => {
  it('exist for addresses, domains, hashes and accounts', () => expect(QUERIES).toHaveLength(4));

  it.each(QUERIES)('are valid in the language of the vendor, whatever the item is: %s', (query) => {
    for (const item of ITEMS) expect(findErrors(fillText(query, item)), item).toEqual([]);
  });

  it.each(QUERIES)('find only the rows of the item: %s', (query) => {
    const row = { Timestamp: '2026-01-15T10:00:00Z', DeviceId: 'm1', DeviceName: 'ws-1', ActionType: 'LogonSuccess' };
    const others = { RemoteIP: '192.0.2.1', RemoteUrl: 'other.example', SHA256: 'b', SHA1: 'b', MD5: 'b', AccountName: 'other' };
    const rows = [{ ...row, ...others }];
    const tables = { DeviceNetworkEvents: rows, DeviceFileEvents: rows, DeviceProcessEvents: rows, DeviceLogonEvents: rows };
    for (const item of ITEMS) expect(runHuntingQuery(tables, fillText(query, item)), item).toEqual([]);
  });
});

describe('the query of several questions', () => {
  const row = { Timestamp: '2026-01-15T10:00:00Z', DeviceId: 'm1', DeviceName: 'ws-1', ActionType: 'LogonSuccess' };
  const seen = { ...row, RemoteIP: '', RemoteUrl: '', SHA256: '', SHA1: '', MD5: '', AccountName: '' };
  const toInput = (query: string, item: string) => ({ query: fillText(query, item), max_items: 20 });
  const askWith = (rows: readonly Record<string, unknown>[], extra: readonly Record<string, unknown>[] = []) => {
    const tables = { DeviceNetworkEvents: rows, DeviceFileEvents: rows, DeviceProcessEvents: [], DeviceLogonEvents: rows };
    const asked: string[] = [];
    const run = (query: string) => runHuntingQuery(tables, query) ?? expect.fail(`refused: ${query}`);
    const group = groupHunting(async ({ query }) => {
      asked.push(query);
      const items = [...run(query), ...extra];
      return { schema: [{ name: 'DeviceName', type: 'String' }], items, total: items.length, cut: null };
    });
    return { asked, run, ask: (inputs: Parameters<typeof group.ask>[0]) => group.ask(inputs, {} as never), keyOf: group.keyOf };
  };

  it.each(QUERIES)('is valid in the language of the vendor, whatever the items are: %s', async (query) => {
    const { asked, ask } = askWith([]);
    await ask(ITEMS.map((item) => toInput(query, item)));
    expect(asked).toHaveLength(1);
    expect(findErrors(asked[0] ?? '')).toEqual([]);
  });

  it.each([
    ['RemoteIP', '203.0.113.66', '203.0.113.6'],
    ['RemoteUrl', 'bad.example', 'worse.example'],
    ['SHA1', 'aa11', 'bb22'],
    ['AccountName', 'dana', 'dan'],
  ])('gives each question the rows of its own query: %s', async (column, one, other) => {
    const query = QUERIES.find((each) => each.includes(column)) ?? expect.fail(`no query of ${column}`);
    const text = (value: string) => (column === 'RemoteUrl' ? `https://${value}/x` : value.toUpperCase());
    const rows = [
      { ...seen, [column]: column === 'SHA1' ? one : text(one) },
      { ...seen, DeviceId: 'm2', DeviceName: 'ws-2', Timestamp: '2026-01-16T10:00:00Z', [column]: column === 'SHA1' ? one : text(one) },
      { ...seen, DeviceId: 'm3', DeviceName: 'ws-3', [column]: column === 'SHA1' ? other : text(other) },
      { ...seen, DeviceId: 'm4', DeviceName: 'ws-4', [column]: 'of nobody' },
    ];
    const { ask, run } = askWith(rows);
    const items = [one, other, 'never-seen'];
    const found = await ask(items.map((item) => toInput(query, item)));
    expect(found.map((answer) => answer?.items)).toEqual(items.map((item) => run(fillText(query, item))));
    expect(found.map((answer) => answer?.items.length)).toEqual([2, 1, 0]);
  });

  it('answers no question if a row belongs to none of them, because a platform may answer other columns', async () => {
    const [query = ''] = QUERIES;
    const { ask } = askWith([], [{ DeviceName: 'ws-9' }]);
    expect(await ask([toInput(query, '203.0.113.66'), toInput(query, '203.0.113.6')])).toEqual([null, null]);
  });

  it('takes no other queries', () => {
    const { keyOf } = askWith([]);
    const [query = ''] = QUERIES;
    expect(keyOf(toInput(query, '203.0.113.66'))).not.toBeNull();
    expect(keyOf({ query: `${fillText(query, '203.0.113.66')} | count`, max_items: 20 })).toBeNull();
    expect(keyOf({ query: 'DeviceInfo | where DeviceName == "x"', max_items: 20 })).toBeNull();
  });
});

describe('the parser of the vendor', () => {
  it.each(['DeviceLogonEvents | where Account == "x"', 'DeviceLogonEvents | wher', 'Elsewhere | take 1'])(
    'refuses %s, as the stand-in does',
    (query) => {
      expect(findErrors(query)).not.toEqual([]);
      expect(runHuntingQuery({}, query)).toBeNull();
    },
  );
});

describe('the stand-in', () => {
  it('names the last logon of each machine, the newest first', () => {
    const logon = (DeviceName: string, Timestamp: string, ActionType = 'LogonSuccess') => ({
      DeviceId: DeviceName,
      DeviceName,
      Timestamp,
      AccountName: 'Dana',
      ActionType,
    });
    const rows = [
      logon('ws-1', '2026-01-15T10:00:00Z'),
      logon('ws-2', '2026-01-16T10:00:00Z'),
      logon('ws-1', '2026-01-14T10:00:00Z'),
      logon('ws-3', '2026-01-17T10:00:00Z', 'LogonFailed'),
    ];
    const query = QUERIES.find((each) => each.startsWith('DeviceLogonEvents')) ?? '';
    expect(runHuntingQuery({ DeviceLogonEvents: rows }, fillText(query, 'CORP\\dana'))).toEqual([
      { DeviceId: 'ws-2', DeviceName: 'ws-2', Timestamp: '2026-01-16T10:00:00Z' },
      { DeviceId: 'ws-1', DeviceName: 'ws-1', Timestamp: '2026-01-15T10:00:00Z' },
    ]);
  });
});
