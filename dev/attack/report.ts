import { table } from '../docs/markdown.js';
import type { RunDescription } from '../processes/bounded-run.js';
import type { FuzzResult } from './fuzz.js';
import type { LoadResult } from './load.js';
import type { MatrixResult } from './matrix.js';

export interface AttackResult extends RunDescription {
  readonly matrix: MatrixResult | null;
  readonly fuzz: FuzzResult | null;
  readonly load: readonly LoadResult[];
}

const MAX_SHOWN = 40;

export function listWrong({ matrix, fuzz, load }: AttackResult): string[] {
  const floods = load.flatMap(({ name, wrong }) => wrong.map((each) => `${name}: ${each}`));
  return [...(matrix?.wrong ?? []), ...(fuzz?.wrong ?? []), ...floods];
}

export function renderReport(result: AttackResult): string {
  const { date, machine, minutes, matrix, fuzz, load } = result;
  const wrong = listWrong(result);
  return [
    `Run of ${date}: ${minutes} minutes, ${machine}.`,
    ...(matrix === null ? [] : [renderMatrix(matrix)]),
    ...(fuzz === null ? [] : [renderFuzz(fuzz)]),
    ...(load.length === 0 ? [] : [renderLoad(load)]),
    ...(wrong.length === 0
      ? []
      : [
          `Wrong (${wrong.length}):`,
          wrong
            .slice(0, MAX_SHOWN)
            .map((each) => `- ${shorten(each)}`)
            .join('\n'),
        ]),
  ].join('\n\n');
}

function renderMatrix({ routes, principals, cells, met, watchedTables, wrong, withoutRecord, statuses }: MatrixResult): string {
  const counts = [
    ['Cells', `${cells} (${routes} routes × ${principals.length} principals)`],
    ['Refused: the role may not call the route', met.refused],
    ["Foreign: the victim's records are out of scope", met.foreign],
    ['Public: the route needs no key', met.public],
    ['Allowed', met.allowed],
    ["Tables with the victim's rows that were compared", watchedTables],
    ['Parameters without a record of the victim', withoutRecord.length === 0 ? 0 : `${withoutRecord.length}: ${withoutRecord.join(', ')}`],
    ['Replies by status', renderStatuses(statuses)],
    ['Wrong cells', wrong.length],
  ];
  return table(
    ['Authorization matrix', 'Count'],
    counts.map(([name, value]) => [String(name), String(value)]),
  );
}

function renderFuzz({ requests, routes, seed, statuses, slowest, slowestMs, wrong }: FuzzResult): string {
  const counts = [
    ['Requests', `${requests} (${routes} routes, seed ${seed})`],
    ['Replies by status', renderStatuses(statuses)],
    ['Slowest reply', `${slowestMs} ms (${slowest})`],
    ['Wrong replies', wrong.length],
  ];
  return table(
    ['Fuzz', 'Count'],
    counts.map(([name, value]) => [String(name), String(value)]),
  );
}

function renderLoad(load: readonly LoadResult[]): string {
  const rows = load.map(({ name, connections, statuses, before, during, ratio, alerts, peakMib, wrong }) => [
    name,
    String(connections),
    renderStatuses(statuses),
    `${before.p50Ms} / ${before.p99Ms} ms`,
    `${during.p50Ms} / ${during.p99Ms} ms`,
    String(ratio),
    `${alerts.beforeMs} / ${alerts.duringMs} ms`,
    peakMib === null ? '' : `${peakMib} MiB`,
    String(wrong.length),
  ]);
  const header = [
    'Load',
    'Connections',
    'Replies by status',
    '`/healthz` p50 / p99 before',
    'during',
    'Ratio of p99',
    '`GET /alerts` p50 before / during',
    'API memory',
    'Wrong',
  ];
  return table(header, rows);
}

function renderStatuses(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'no reply' : status}`)
    .join(', ');
}

/** A hostile request has characters that neither a terminal nor a table shows. */
function shorten(text: string): string {
  return JSON.stringify(text.slice(0, 600)).slice(1, -1);
}
