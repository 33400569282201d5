import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { median, quantile, round } from './measures.js';
import type { Part } from './report.js';
import { type BenchService, repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';

const MIB = 1024 * 1024;
const CONNECTIONS = 100;
const LARGE_ALERTS = 300;
/** Each of its 200,000 fields looks like the start of an entity. */
const LARGE_CONTENT = 'host=x '.repeat(150_000).slice(0, MIB - 1024);
const READERS = 10;
const NEW_TYPES = 1500;
const PROBE_PAUSE_MS = 20;
const SAMPLED_HISTORIES = 50;
const PRIOR_TEMPORAL_MB = 79;

/** What a sender can do to the service with the largest alerts and with many alert types. */
export async function measureLimits(stage: Stage): Promise<Part> {
  const service = await startBenchService(stage, 'limits', { usesStandIns: true });
  const { rssBytes: before } = await service.process.memory();
  progress(`limits: reading large alerts (${round(before / MIB, 0)} MiB before)`);
  await storeLargeAlerts(service);
  const pages: number[] = [];
  for (let turn = 0; turn < 3; turn += 1)
    await Promise.all(Array.from({ length: READERS }, async () => pages.push(await service.get('/platformapi/alerts?limit=200'))));
  const reading = await service.process.memory();
  const idle = await probeHealth(service, () => delay(3000));
  progress('limits: large alerts');
  const large = await probeHealth(service, () =>
    repeatInFlight(LARGE_ALERTS, CONNECTIONS, async () => void (await service.send('Large', { content: LARGE_CONTENT }))),
  );
  const taking = await service.process.memory();
  progress('limits: new alert types');
  const sent: string[] = [];
  await repeatInFlight(NEW_TYPES, 20, async (n) => {
    sent.push(await service.send(`Kind ${n} of odd ${['phishing', 'malware', 'cloud', 'login', 'thing'][n % 5]}`));
  });
  for (const alertId of sent) await service.completed(alertId);
  const [made] = await service.pg<{ playbooks: number; plans: number }[]>`
    select count(*)::int as playbooks, count(*) filter (where plan_of is null)::int as plans from playbooks where origin = 'generated'`;
  const temporalMb = ((await measureHistory(service, sent.slice(-SAMPLED_HISTORIES))) * NEW_TYPES) / 1e6;
  await service.close();

  const peakMib = reading.peakRssBytes / MIB;
  return {
    name: 'limits',
    title: 'Limits: the largest alerts, and many alert types',
    columns: ['', 'measured', 'compared with'],
    rows: [
      ['GET /healthz, p99 ms, idle', round(quantile(idle, 0.99), 1), ''],
      [
        `GET /healthz, p99 ms, during ${LARGE_ALERTS} alerts of 1 MiB on ${CONNECTIONS} connections`,
        round(quantile(large, 0.99), 1),
        `p50 ${round(median(large), 1)}`,
      ],
      [
        `largest resident memory, ${READERS} readers of a page of 200 such alerts, MiB`,
        round(peakMib, 0),
        `largest page ${round(Math.max(...pages) / MIB, 1)} MiB`,
      ],
      [`largest resident memory after the alerts of 1 MiB on ${CONNECTIONS} connections, MiB`, round(taking.peakRssBytes / MIB, 0), ''],
      [`generated playbooks after ${NEW_TYPES.toLocaleString('en')} new alert types`, made?.playbooks ?? 0, ''],
      ['generated plans of these playbooks', made?.plans ?? 0, `${NEW_TYPES} in 1.0.0`],
      ['histories of these alerts in Temporal, MB', round(temporalMb, 1), `${PRIOR_TEMPORAL_MB} in 1.0.0`],
    ],
    notes: [
      'API and worker run in one process, as in "npm start", and share the machine with both servers and the sender. The written and generated playbooks of the product investigate the alerts.',
    ],
    bars: [
      { name: 'GET /healthz during the largest alerts, p99 ms', measured: quantile(large, 0.99), atMost: 100 },
      { name: 'largest resident memory of API and worker while pages of large alerts are read, MiB', measured: peakMib, atMost: 700 },
      { name: 'generated plans after 1,500 new alert types', measured: made?.plans ?? Number.NaN, atMost: 50 },
      { name: 'histories of 1,500 new alert types, compared with 1.0.0', measured: temporalMb / PRIOR_TEMPORAL_MB, atMost: 0.5 },
    ],
    details: { idle: idle.length, large: large.length },
  };
}

/** Without an investigation of each, which would need memory of its own. */
async function storeLargeAlerts({ pg, send, completed }: BenchService): Promise<void> {
  const alertId = await send('Large', { content: LARGE_CONTENT });
  await completed(alertId);
  await pg`
    insert into alerts select (jsonb_populate_record(alerts, jsonb_build_object('alert_uuid', gen_random_uuid(), 'alert_id', 'COPY-' || n))).*
    from alerts, generate_series(2, ${LARGE_ALERTS}) as n where alert_id = ${alertId}`;
}

/** In a thread of its own: the sender is busy with the large alerts. */
const PROBE = `
  const { parentPort, workerData: { url, pauseMs } } = require('node:worker_threads');
  const http = require('node:http');
  const agent = new http.Agent({ keepAlive: true });
  const durations = [];
  const ask = () => {
    const began = performance.now();
    const over = () => {
      durations.push(performance.now() - began);
      setTimeout(ask, pauseMs);
    };
    http.get(url, { agent }, (reply) => reply.resume().on('end', over)).on('error', over);
  };
  ask();
  parentPort.once('message', () => parentPort.postMessage(durations));`;
const Durations = z.array(z.number());

/** The durations of requests for the health of the process, in milliseconds, while `work` runs. */
async function probeHealth({ process: { url } }: BenchService, work: () => Promise<unknown>): Promise<number[]> {
  const probe = new Worker(PROBE, { eval: true, workerData: { url: `${url}/healthz`, pauseMs: PROBE_PAUSE_MS } });
  await work();
  const answer = once(probe, 'message');
  probe.postMessage('stop');
  const [durations] = await answer;
  await probe.terminate();
  return Durations.parse(durations);
}

/** The mean size of a history in bytes. */
async function measureHistory({ temporal }: BenchService, workflowIds: readonly string[]): Promise<number> {
  const sizes = await Promise.all(workflowIds.map(async (id) => (await temporal.workflow.getHandle(id).describe()).historySize ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}
