import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'otplib';
import { z } from 'zod';
import { runScript } from '../../local/processes.js';
import { percentile } from '../rehearsal/report.js';
import { FLOODS, type Flood, type FloodInput, LATE } from './floods.js';
import { type Credential, call, require, type Target } from './target.js';
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
  /** Of `GET /alerts` with the session of a person, at the 50th percentile. */
  readonly alerts: { readonly beforeMs: number; readonly duringMs: number };
  /** The largest memory of the API during the flood; null: the system does not report it. */
  readonly peakMib: number | null;
  readonly wrong: readonly string[];
}

const BEFORE_MS = 3_000;
const PAUSE_MS = 10;
/** Within the request limit of the person. */
const ALERTS_PAUSE_MS = 150;
const FLOOD_LIMIT_MS = 120_000;
/** Time in which limits per minute of the previous flood do not matter any more is longer; this is only for the processor. */
const REST_MS = 2_000;
/** Checked codes of one person in a minute. */
const MAX_CODES = 10;

export async function runLoad(
  target: Target,
  pid: () => number | undefined,
  signal: AbortSignal,
  floods: readonly Flood[] = FLOODS,
): Promise<LoadResult[]> {
  const { session, ...given } = await prepareFloods(target);
  const results: LoadResult[] = [];
  for (const flood of floods) {
    signal.throwIfAborted();
    const probed = { url: target.url, session, pid: pid() };
    results.push(await runFlood(probed, flood, { ...given, name: flood.name }, signal));
    await sleep(REST_MS, undefined, { signal });
  }
  return results;
}

async function prepareFloods(target: Target): Promise<Omit<FloodInput, 'name'> & { session: Credential }> {
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
  return {
    url: target.url,
    adminKey: target.adminKey,
    agentToken: token,
    email: person.email,
    password: person.password,
    session: credential,
  };
}

interface Probed {
  readonly url: string;
  /** Of a person who signed in before the floods. */
  readonly session: Credential;
  readonly pid: number | undefined;
}

async function runFlood(probed: Probed, flood: Flood, input: FloodInput, signal: AbortSignal): Promise<LoadResult> {
  const idle = await probe(probed, () => sleep(BEFORE_MS, undefined, { signal }));
  const script = new URL('./flood-process.ts', import.meta.url);
  const busy = await probe(probed, () => runScript(script, input, { timeoutMs: FLOOD_LIMIT_MS, signal }));
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
    alerts: { beforeMs: idle.alertsP50Ms, duringMs: busy.alertsP50Ms },
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
    ...(failures > 0 ? [`/healthz or GET /alerts failed ${failures} times`] : []),
  ];
}

interface Probe<Result> {
  readonly result: Result;
  readonly latency: Latency;
  readonly alertsP50Ms: number;
  readonly peakMib: number | null;
  readonly failures: number;
}

/** Asks for the health of the process and for alerts again and again while `work` runs. */
async function probe<Result>({ url, session, pid }: Probed, work: () => Promise<Result>): Promise<Probe<Result>> {
  const agent = new Agent({ keepAlive: true });
  let peakMib: number | null = null;
  let failures = 0;
  let isOver = false;
  const askAgain = async (path: string, pauseMs: number, headers: readonly string[] = []): Promise<number[]> => {
    const durations: number[] = [];
    while (!isOver || durations.length === 0) {
      const began = performance.now();
      if (!(await isAnswered(`${url}${path}`, headers, agent))) failures += 1;
      durations.push(performance.now() - began);
      const mib = readMib(pid);
      if (mib !== null) peakMib = Math.max(peakMib ?? 0, mib);
      await sleep(pauseMs);
    }
    return durations;
  };
  const health = askAgain('/healthz', PAUSE_MS);
  const alerts = askAgain('/platformapi/alerts', ALERTS_PAUSE_MS, session);
  try {
    const result = await work();
    isOver = true;
    const durations = await health;
    const latency = { p50Ms: toTenths(percentile(durations, 50)), p99Ms: toTenths(percentile(durations, 99)) };
    return { result, latency, alertsP50Ms: toTenths(percentile(await alerts, 50)), peakMib, failures };
  } finally {
    isOver = true;
    agent.destroy();
  }
}

function toTenths(ms: number): number {
  return Math.round(10 * ms) / 10;
}

function isAnswered(url: string, headers: readonly string[], agent: Agent): Promise<boolean> {
  const sent = Object.fromEntries(headers.map((header) => header.split(': ', 2)));
  return new Promise((resolve) => {
    get(url, { agent, headers: sent }, (reply) => reply.resume().on('end', () => resolve(reply.statusCode === 200))).on('error', () =>
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
