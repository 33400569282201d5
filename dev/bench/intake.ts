import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import postgres from 'postgres';
import { z } from 'zod';
import { run } from '../../local/processes.js';
import { sampleContents } from './contents.js';
import { median, round } from './measures.js';
import type { Bar, Part } from './report.js';
import { progress, type Stage } from './stage.js';

const CONNECTIONS = [1, 10, 50, 100] as const;
const KINDS = ['bare', 'naive', 'ours'] as const;
type Kind = (typeof KINDS)[number];
const LABELS: Readonly<Record<Kind, string>> = { bare: 'bare Fastify', naive: 'Fastify, one insert per request', ours: 'this service' };
const BARS: Readonly<Record<number, number>> = { 1: 0.8, 50: 1.5, 100: 2 };
/** Many short rounds, because the speed of the machine drifts. */
const ROUNDS = 15;
const ROUND_SECONDS = 2;
/** Excludes the compilation in the first seconds of a process. */
const WARM_UP = { connections: 50, seconds: 15 };
const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon/autocannon.js');

const Result = z.object({
  '2xx': z.number(),
  non2xx: z.number(),
  errors: z.number(),
  duration: z.number(),
  latency: z.object({ p50: z.number(), p99: z.number() }),
});

/** Acknowledged alerts per second. The three servers alternate on the same Postgres. */
export async function measureIntake(stage: Stage): Promise<Part> {
  const database = await stage.database('intake');
  const admin = postgres(database.url, { max: 1, onnotice: () => {}, connection: { session_replication_role: 'replica' } });
  await admin`create table naive_alerts (like alerts including all)`;
  await admin`create sequence naive_numbers`;
  const servers = await Promise.all(
    KINDS.map(async (kind) => {
      const { url } = await stage.child(new URL('./app-process.ts', import.meta.url), { kind, databaseUrl: database.url });
      return { kind, url, requests: await writeRequests(stage, kind, url, database.adminKey) };
    }),
  );
  /** Removes the rows and the unwritten pages of the previous server. */
  const clean = async () => {
    await admin`truncate alerts, naive_alerts, audit_log`;
    await admin`checkpoint`;
  };

  for (const { url, requests } of servers) await load(stage, url, requests, WARM_UP.connections, WARM_UP.seconds);
  const rates = new Map<string, number[]>();
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    for (const connections of CONNECTIONS) {
      // Each server goes first as often as last.
      for (const { kind, url, requests } of turn % 2 === 0 ? servers.toReversed() : servers) {
        await clean();
        const rate = await load(stage, url, requests, connections, ROUND_SECONDS);
        const key = `${kind} ${connections}`;
        rates.set(key, [...(rates.get(key) ?? []), rate]);
      }
      progress(
        `intake, round ${turn} of ${ROUNDS}, ${connections} connections: ${KINDS.map((kind) => `${kind} ${Math.round(rates.get(`${kind} ${connections}`)?.at(-1) ?? 0)}/s`).join(', ')}`,
      );
    }
  }
  await admin.end();

  const medianRate = (kind: Kind, connections: number) => median(rates.get(`${kind} ${connections}`) ?? []);
  /** The median of the ratios of the rounds, because a slow moment of the machine slows both sides of a round. */
  const compareWith = (kind: Kind, connections: number) => {
    const others = rates.get(`${kind} ${connections}`) ?? [];
    return median((rates.get(`ours ${connections}`) ?? []).map((rate, turn) => rate / (others[turn] ?? Number.NaN)));
  };
  const bars: Bar[] = CONNECTIONS.flatMap((connections) => {
    const atLeast = BARS[connections];
    if (atLeast === undefined) return [];
    return [
      {
        name: `intake, ${connections} connections, compared with one insert per request`,
        measured: compareWith('naive', connections),
        atLeast,
      },
    ];
  });
  return {
    name: 'intake',
    title: `Intake, requests/s (median of ${ROUNDS} rounds of ${ROUND_SECONDS} s)`,
    columns: ['connections', ...KINDS.map((kind) => LABELS[kind]), 'compared with one insert', 'compared with bare'],
    rows: CONNECTIONS.map((connections) => [
      connections,
      ...KINDS.map((kind) => Math.round(medianRate(kind, connections))),
      `${round(compareWith('naive', connections))}×`,
      `${round(compareWith('bare', connections))}×`,
    ]),
    bars,
    details: { rates: Object.fromEntries(rates) },
  };
}

async function load(stage: Stage, url: string, requests: string, connections: number, seconds: number): Promise<number> {
  const args = [AUTOCANNON, '--json', '--no-progress', '-c', String(connections), '-d', String(seconds), '--har', requests, url];
  const printed = await run(process.execPath, args, { timeoutMs: (seconds + 30) * 1000, signal: stage.signal });
  const result = Result.parse(JSON.parse(printed.trim().split('\n').at(-1) ?? ''));
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} answered ${result.non2xx} requests with an error, ${result.errors} not at all`);
  return result['2xx'] / result.duration;
}

/** The same alerts for each server, in the format of autocannon. */
async function writeRequests(stage: Stage, kind: Kind, url: string, apiKey: string): Promise<string> {
  const entries = sampleContents(50).map((content) => ({
    request: {
      method: 'POST',
      url: `${url}/platformapi/alerts`,
      headers: Object.entries({ 'content-type': 'application/json', cookie: `Session=${apiKey}` }).map(([name, value]) => ({
        name,
        value,
      })),
      postData: {
        text: JSON.stringify({
          organization_code: 'DEMO',
          alert_provider: 'siem',
          alert_type: 'Odd sign-in',
          alert_content: content,
          created_at_source: 1_767_225_600,
        }),
      },
    },
  }));
  const file = path.join(stage.folder, `requests-${kind}.har`);
  await writeFile(file, JSON.stringify({ log: { entries } }));
  return file;
}
