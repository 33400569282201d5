import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'otplib';
import { z } from 'zod';
import { runScript } from '../../local/processes.js';
import { percentile } from '../rehearsal/report.js';
import { FLOODS, type Flood, type FloodInput, LATE } from './floods.js';
import { call, require, type Target } from './target.js';
import { addPerson, VICTIM } from './victim.js';

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadResult {
  readonly name: string;
  readonly connections: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Of `/healthz`. */
  readonly before: Latency;
  readonly during: Latency;
  /** During the flood to before it, at the 99th percentile. */
  readonly ratio: number;
  /** The largest memory of the API during the flood; null: the system does not report it. */
  readonly peakMib: number | null;
  readonly wrong: readonly string[];
}

const BEFORE_MS = 3_000;
const PAUSE_MS = 10;
const FLOOD_LIMIT_MS = 120_000;
/** Time in which limits per minute of the previous flood do not matter any more is longer; this is only for the processor. */
const REST_MS = 2_000;
/** Checked codes of one person in a minute. */
const MAX_CODES = 10;

export async function runLoad(target: Target, pid: () => number | undefined, signal: AbortSignal): Promise<LoadResult[]> {
  const given = await prepareFloods(target);
  const results: LoadResult[] = [];
  for (const flood of FLOODS) {
    signal.throwIfAborted();
    results.push(await runFlood(target, flood, { ...given, name: flood.name }, pid(), signal));
    await sleep(REST_MS, undefined, { signal });
  }
  return results;
}

async function prepareFloods(target: Target): Promise<Omit<FloodInput, 'name'>> {
  const person = await addPerson(target, 'analyst', VICTIM);
  const credential = person.session;
  const { secret } = await require(z.object({ secret: z.string() }), call(target, 'POST', '/platformapi/session/totp', {
    body: {},
    credential,
  }));
  await require(z.null(), call(target, 'PUT', '/platformapi/session/totp', { body: { code: await generate({ secret }) }, credential }));
  const agent = { organization_code: VICTIM, name: `flood ${Date.now()}` };
  const Created = z.object({ token: z.string() });
  const { token } = await require(Created, call(target, 'POST', '/platformapi/remote-agents', { body: agent }));
  return { url: target.url, adminKey: target.adminKey, agentToken: token, email: person.email, password: person.password };
}

async function runFlood(
  { url }: Target,
  flood: Flood,
  input: FloodInput,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<LoadResult> {
  const idle = await probe(url, pid, () => sleep(BEFORE_MS, undefined, { signal }));
  const script = new URL('./flood-process.ts', import.meta.url);
  const busy = await probe(url, pid, () => runScript(script, input, { timeoutMs: FLOOD_LIMIT_MS, signal }));
  const statuses = z.record(z.string(), z.number()).parse(JSON.parse(busy.result));
  const [before, during] = [idle.latency, busy.latency];
  const { name, connections } = flood;
  return {
    name,
    connections,
    statuses,
    before,
    during,
    ratio: Math.round((10 * during.p99Ms) / before.p99Ms) / 10,
    peakMib: busy.peakMib,
    wrong: findWrong(flood, statuses, busy.failures),
  };
}

function findWrong({ name, requests }: Flood, statuses: Readonly<Record<string, number>>, failures: number): string[] {
  const failed = Object.entries(statuses).filter(([status]) => status === LATE || (/^5/.test(status) && status !== '503'));
  const checked = statuses['401'] ?? 0;
  const isOverLimit = name.includes('codes') && requests !== undefined && checked > MAX_CODES;
  return [
    ...failed.map(([status, count]) => `${count} replies with ${status}`),
    ...(isOverLimit ? [`${checked} of ${requests} codes were checked instead of ${MAX_CODES}`] : []),
    ...(failures > 0 ? [`/healthz failed ${failures} times`] : []),
  ];
}

interface Probe<Result> {
  readonly result: Result;
  readonly latency: Latency;
  readonly peakMib: number | null;
  readonly failures: number;
}

/** Asks for the health of the process again and again while `work` runs. */
async function probe<Result>(url: string, pid: number | undefined, work: () => Promise<Result>): Promise<Probe<Result>> {
  const agent = new Agent({ keepAlive: true });
  const durations: number[] = [];
  let peakMib: number | null = null;
  let failures = 0;
  let isOver = false;
  const probing = (async () => {
    while (!isOver || durations.length === 0) {
      const began = performance.now();
      if (!(await isHealthy(url, agent))) failures += 1;
      durations.push(performance.now() - began);
      const mib = readMib(pid);
      if (mib !== null) peakMib = Math.max(peakMib ?? 0, mib);
      await sleep(PAUSE_MS);
    }
  })();
  try {
    const result = await work();
    isOver = true;
    await probing;
    const [p50Ms, p99Ms] = [50, 99].map((percent) => Math.round(10 * percentile(durations, percent)) / 10);
    return { result, latency: { p50Ms: p50Ms ?? 0, p99Ms: p99Ms ?? 0 }, peakMib, failures };
  } finally {
    isOver = true;
    agent.destroy();
  }
}

function isHealthy(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/healthz`, { agent }, (reply) => reply.resume().on('end', () => resolve(reply.statusCode === 200))).on('error', () =>
      resolve(false),
    );
  });
}

function readMib(pid: number | undefined): number | null {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? null : Math.round(Number(kib) / 1024);
  } catch {
    return null;
  }
}
