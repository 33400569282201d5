import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { connectDatabase, type PgClient } from '../../db/client.js';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { startPostgres } from '../../local/postgres/server.js';
import { run } from '../../local/processes.js';
import { createLogger } from '../../platform/log.js';
import { StartError } from '../../platform/start-error.js';
import type { CreateAlert } from '../../services/alerts/wire.js';
import { differentFreePorts } from '../processes/free-ports.js';
import { Started } from '../processes/managed-process.js';
import { type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from '../processes/service-process.js';
import { until } from '../processes/waiting.js';
import { checkMigrations, checkOutcome } from './checks.js';
import { type Check, check, formatReport, percentile, seconds, type Timing } from './report.js';
import { rehearseRestore, takeBackup } from './restore.js';
import { findServerBinaries, SERVER_VERSION, type ServerBinaries } from './server-binaries.js';
import { startTemporalServer } from './temporal-server.js';
import { sendInWaves, WAVE_SIZE } from './waves.js';
import { prepareWrites } from './writes.js';

const BIN = fileURLToPath(new URL('../../bin/alert-investigator', import.meta.url));
const ALERTS = 200;
const KILL_API_AFTER = 70;
const KILL_WORKER_AFTER = 100;
const BACK_UP_AFTER = 150;
/** Long enough to send requests, and too short to receive all responses. */
const REQUESTS_IN_FLIGHT_MS = 4;
/** Long enough for the wave to reach the workers. */
const INVESTIGATIONS_IN_FLIGHT_MS = 100;

const REHEARSAL_LIMIT_MINUTES = 15;
const BUILD_LIMIT_MS = 300_000;
const FIRST_CONCLUSION_LIMIT_MS = 120_000;
const COMPLETION_LIMIT_MS = 300_000;
const REPORT_EVERY_MS = 5_000;

const DATABASE = 'investigator';
/** The database and the namespace of the restored service. */
const RESTORED = 'restored';
const NAMESPACE = 'default';
const ORGANIZATION = 'DEMO';
const PROVIDER = 'siem';
const KNOWN_TYPE = 'Reported phishing';
const NEW_TYPE = 'Rehearsed sign-in';

const began = performance.now();
const log = createLogger('info', 'rehearsal');
const quietLog = createLogger('warn', 'rehearsal');
const interrupted = new AbortController();
const giveUp = new AbortController();
const signal = AbortSignal.any([interrupted.signal, giveUp.signal]);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    say(interrupted.signal.aborted ? 'still stopping' : `${name}: stopping everything`);
    interrupted.abort(new StartError('The rehearsal was interrupted.'));
  });
}
process.on('uncaughtException', (error) => giveUp.abort(error));

const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-rehearsal-'));
const processes: ServiceProcess[] = [];
const started = new Started();

try {
  const binaries = await findServerBinaries(log, signal);
  const tooLong = new StartError(`The rehearsal took longer than its limit of ${REHEARSAL_LIMIT_MINUTES} minutes.`);
  setTimeout(() => giveUp.abort(tooLong), REHEARSAL_LIMIT_MINUTES * 60_000).unref();
  const { checks, timings } = await rehearse(binaries);
  checks.push(await stopSurvivors());
  const passed = checks.every(({ ok }) => ok);
  if (!passed) showLogs();
  await endAll();
  say(`stopped and removed everything\n\n${formatReport(checks, [...timings, { name: 'the whole rehearsal', value: elapsed() }])}`);
  if (!passed) process.exitCode = 1;
} catch (error) {
  fail(signal.aborted ? signal.reason : error);
  if (!interrupted.signal.aborted) showLogs();
  await endAll();
}
process.exit();

async function rehearse(binaries: ServerBinaries): Promise<{ checks: Check[]; timings: Timing[] }> {
  await run(process.execPath, [BIN, 'build'], { timeoutMs: BUILD_LIMIT_MS, signal });
  say('built dist/');

  const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), log: quietLog, signal });
  started.add(() => postgres.destroy());
  await postgres.createDatabase(DATABASE);
  say(`Postgres is ready on port ${postgres.port}`);
  const temporal = await startTemporalServer({ binaries, postgres, folder: path.join(folder, 'temporal'), log: quietLog, signal });
  started.add(() => temporal.child.stop());
  say(`Temporal server ${SERVER_VERSION} on Postgres is ready at ${temporal.address}`);

  const writes = await prepareWrites(folder, signal);
  started.add(() => writes.stop());
  const adminKey = randomBytes(24).toString('hex');
  const shared = {
    DATABASE_URL: postgres.url(DATABASE),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...writes.env,
  };
  // Both start at the same time on an empty database: one migrates, and the other waits.
  const [api1, api2] = await startBoth('API', 'api', (port) => ({ ...shared, ADMIN_API_KEY: adminKey, PORT: port }));
  const [worker1, worker2] = await startBoth('worker', 'worker', (port) => ({ ...shared, WORKER_PORT: port }));

  const { pg, close } = connectDatabase(postgres.url(DATABASE), { poolSize: 2, name: 'rehearsal' });
  started.add(close);
  const connection = await Connection.connect({ address: temporal.address });
  started.add(() => connection.close());
  const migrated = await checkMigrations(pg, countMigrations());

  const backup = path.join(folder, 'backup');
  await writes.begin(api1.url, adminKey);
  const sendingBegan = performance.now();
  const acknowledged = await sendInWaves({
    alerts: Array.from({ length: ALERTS }, (_, index) => buildAlert(index + 1)),
    apiUrls: [api1.url, api2.url],
    apiKey: await createSenderKey(api1.url, adminKey),
    incidents: [
      { after: KILL_API_AFTER, inFlightMs: REQUESTS_IN_FLIGHT_MS, happen: () => kill(api2) },
      {
        after: KILL_WORKER_AFTER,
        when: () => untilWorkerConcluded(worker2),
        inFlightMs: INVESTIGATIONS_IN_FLIGHT_MS,
        happen: () => kill(worker2),
      },
      {
        after: BACK_UP_AFTER,
        when: () => writes.untilInProgress(),
        inFlightMs: 0,
        happen: () => takeBackup(backup, shared, signal),
      },
    ],
    signal,
  });
  const answered = performance.now();
  say(`${acknowledged.length} alerts are acknowledged`);
  await Promise.all([untilInvestigated(pg), writes.end()]);
  const completed = performance.now();
  say('every investigation has ended, checking the outcome');

  const outcome = await checkOutcome({
    pg,
    temporal: new Client({ connection, namespace: NAMESPACE }),
    apiUrl: api1.url,
    adminKey,
    organization: ORGANIZATION,
    provider: PROVIDER,
    newAlertType: NEW_TYPE,
    expected: ALERTS,
    acknowledged,
    workers: [worker1, worker2].map(({ name, pid }) => ({ name, identity: `worker@${hostname()}:${pid}`, killed: pid === worker2.pid })),
  });
  await postgres.createDatabase(RESTORED);
  const restored = await rehearseRestore({
    backup,
    acknowledged: acknowledged.slice(0, BACK_UP_AFTER).map(({ alertId }) => alertId),
    env: { ...shared, DATABASE_URL: postgres.url(RESTORED), TEMPORAL_NAMESPACE: RESTORED },
    writes,
    startService: (env) => startRestored(env, adminKey),
    signal,
  });
  say('restored the backup elsewhere');
  const answerMs = acknowledged.map(({ elapsedMs }) => elapsedMs);
  const ages = await pg<{ ms: number }[]>`select 1000 * extract(epoch from completed_at - created_at)::float8 as ms from alerts`;
  const ageMs = ages.map(({ ms }) => ms);
  return {
    checks: [migrated, ...outcome, ...restored],
    timings: [
      { name: 'sending', value: `${seconds(answered - sendingBegan)}, in waves of ${WAVE_SIZE}` },
      { name: 'alert → response', value: `p50 ${percentile(answerMs, 50).toFixed(0)} ms, p95 ${percentile(answerMs, 95).toFixed(0)} ms` },
      { name: 'alert → completed', value: `p50 ${seconds(percentile(ageMs, 50))}, longest ${seconds(percentile(ageMs, 100))}` },
      { name: 'last response → all completed', value: seconds(completed - answered) },
    ],
  };
}

async function startBoth(
  name: string,
  command: ServiceProcessOptions['command'],
  envFor: (port: string) => Record<string, string>,
): Promise<[ServiceProcess, ServiceProcess]> {
  const [port1 = 0, port2 = 0] = await differentFreePorts(2);
  const both: [ServiceProcess, ServiceProcess] = [
    startServiceProcess({ name: `${name} 1`, command, port: port1, env: envFor(String(port1)), folder }),
    startServiceProcess({ name: `${name} 2`, command, port: port2, env: envFor(String(port2)), folder }),
  ];
  processes.push(...both);
  await Promise.all(both.map((each) => each.untilReady(signal)));
  say(`${both.map((each) => `${each.name} (pid ${each.pid})`).join(' and ')} are ready`);
  return both;
}

async function startRestored(env: Readonly<Record<string, string>>, adminKey: string): Promise<ServiceProcess[]> {
  const [apiPort = 0, workerPort = 0] = await differentFreePorts(2);
  const both = [
    startServiceProcess({
      name: 'restored API',
      command: 'api',
      port: apiPort,
      env: { ...env, ADMIN_API_KEY: adminKey, PORT: String(apiPort) },
      folder,
    }),
    startServiceProcess({
      name: 'restored worker',
      command: 'worker',
      port: workerPort,
      env: { ...env, WORKER_PORT: String(workerPort) },
      folder,
    }),
  ];
  processes.push(...both);
  await Promise.all(both.map((each) => each.untilReady(signal)));
  return both;
}

function buildAlert(number: number): CreateAlert {
  return {
    organization_code: ORGANIZATION,
    alert_provider: PROVIDER,
    alert_type: number % 3 === 0 ? KNOWN_TYPE : NEW_TYPE,
    // Earlier alerts contain the same addresses, so that correlation finds them.
    alert_content: `Alert ${number}: dana${number}@example.com from 203.0.113.${number % 50}, see http://198.51.100.${number % 20}/login`,
  };
}

async function createSenderKey(apiUrl: string, adminKey: string): Promise<string> {
  const reply = await fetch(`${apiUrl}/platformapi/api-keys`, {
    method: 'POST',
    headers: { cookie: `Session=${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'rehearsal', role: 'sender', organization_code: ORGANIZATION }),
  });
  if (reply.status !== 201) throw new Error(`POST /platformapi/api-keys returned ${reply.status}: ${await reply.text()}`);
  return z.object({ api_key: z.string() }).parse(await reply.json()).api_key;
}

async function kill(victim: ServiceProcess): Promise<void> {
  await victim.kill();
  say(`killed ${victim.name} (pid ${victim.pid})`);
}

/** Killing a worker that has done nothing would prove less. */
async function untilWorkerConcluded(worker: ServiceProcess): Promise<void> {
  await until(
    async () => {
      const concluded = await worker.metric('investigations_total{status="Completed"}');
      return { seen: concluded > 0, instead: `${worker.name} has concluded no investigation` };
    },
    { limitMs: FIRST_CONCLUSION_LIMIT_MS, signal },
  );
}

async function untilInvestigated(pg: PgClient): Promise<void> {
  let reportedAt = performance.now();
  await until(
    async () => {
      const rows = await pg<{ status: number; count: number }[]>`
        select investigation_status as status, count(*)::int as count from alerts group by 1 order by 1`;
      const ended = rows.filter(({ status }) => status === InvestigationStatus.Completed || status === InvestigationStatus.Failed);
      const instead = `alerts: ${rows.map(({ status, count }) => `${count} at ${status}`).join(', ')}`;
      if (performance.now() - reportedAt > REPORT_EVERY_MS) {
        reportedAt = performance.now();
        say(instead);
      }
      return { seen: ended.reduce((sum, { count }) => sum + count, 0) >= ALERTS, instead };
    },
    { limitMs: COMPLETION_LIMIT_MS, signal },
  );
}

function countMigrations(): number {
  const journal: unknown = JSON.parse(readFileSync(new URL('../../db/migrations/meta/_journal.json', import.meta.url), 'utf8'));
  return z.object({ entries: z.array(z.unknown()) }).parse(journal).entries.length;
}

async function stopSurvivors(): Promise<Check> {
  return await check('the other API and worker survived, and stopped in order', async () => {
    const alive = processes.filter((each) => each.isRunning());
    const ends = await Promise.all(alive.map(async (each) => ({ name: each.name, end: await each.stop() })));
    return {
      ok: alive.length === 2 && ends.every(({ end }) => end === 'code 0'),
      detail: ends.map(({ name, end }) => `${name}: ${end}`).join(', '),
    };
  });
}

async function endAll(): Promise<void> {
  await Promise.all(processes.map((each) => each.stop()));
  await started.stop().catch(fail);
  rmSync(folder, { recursive: true, force: true });
}

function showLogs(): void {
  for (const each of processes) say(`the end of the log of ${each.name}:\n${each.endOfLog()}`);
}

function fail(error: unknown): void {
  process.exitCode = 1;
  console.error(error instanceof StartError ? error.message : error);
}

function elapsed(): string {
  return seconds(performance.now() - began);
}

function say(text: string): void {
  process.stdout.write(`${elapsed().padStart(9)}  ${text}\n`);
}
