import { setTimeout as delay } from 'node:timers/promises';
import { median, quantile, round, timed } from './measures.js';
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
  const idle = await probeHealth(service, () => delay(3000));
  progress('limits: large alerts');
  const large = await probeHealth(service, () =>
    repeatInFlight(LARGE_ALERTS, CONNECTIONS, async () => void (await service.send('Large', { content: LARGE_CONTENT }))),
  );
  progress('limits: reading large alerts');
  const pages: number[] = [];
  for (let round = 0; round < 3; round += 1)
    await Promise.all(Array.from({ length: READERS }, async () => pages.push(await service.get('/platformapi/alerts?limit=200'))));
  const { peakRssBytes } = await service.process.memory();
  progress('limits: new alert types');
  const sent: string[] = [];
  await repeatInFlight(NEW_TYPES, 20, async (n) => {
    sent.push(await service.send(`Kind ${n} of odd ${['phishing', 'malware', 'cloud', 'login', 'thing'][n % 5]}`));
  });
  for (const alertId of sent) await service.completed(alertId);
  const [made] = await service.pg<{ playbooks: number }[]>`select count(*)::int as playbooks from playbooks where origin = 'generated'`;
  const temporalMb = ((await measureHistory(service, sent.slice(-SAMPLED_HISTORIES))) * NEW_TYPES) / 1e6;
  await service.close();

  const peakMib = peakRssBytes / MIB;
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
      [`generated playbooks after ${NEW_TYPES.toLocaleString('en')} new alert types`, made?.playbooks ?? 0, `${NEW_TYPES} in 1.0.0`],
      ['histories of these alerts in Temporal, MB', round(temporalMb, 1), `${PRIOR_TEMPORAL_MB} in 1.0.0`],
    ],
    notes: [
      'API and worker run in one process, as in "npm start", and share the machine with both servers and the sender. The written and generated playbooks of the product investigate the alerts.',
    ],
    bars: [
      { name: 'GET /healthz during the largest alerts, p99 ms', measured: quantile(large, 0.99), atMost: 100 },
      { name: 'largest resident memory of API and worker while pages of large alerts are read, MiB', measured: peakMib, atMost: 700 },
      { name: 'generated playbooks after 1,500 new alert types', measured: made?.playbooks ?? Number.NaN, atMost: 50 },
      { name: 'histories of 1,500 new alert types, compared with 1.0.0', measured: temporalMb / PRIOR_TEMPORAL_MB, atMost: 0.5 },
    ],
    details: { idle: idle.length, large: large.length },
  };
}

/** The durations of requests for the health of the process, in milliseconds, while `work` runs. */
async function probeHealth(service: BenchService, work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = work().finally(() => {
    isOver = true;
  });
  const durations: number[] = [];
  while (!isOver) {
    durations.push(await timed(() => service.get('/healthz')));
    await delay(PROBE_PAUSE_MS);
  }
  await over;
  return durations;
}

/** The mean size of a history in bytes. */
async function measureHistory({ temporal }: BenchService, workflowIds: readonly string[]): Promise<number> {
  const sizes = await Promise.all(workflowIds.map(async (id) => (await temporal.workflow.getHandle(id).describe()).historySize ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}
