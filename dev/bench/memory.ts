import { setTimeout as delay } from 'node:timers/promises';
import type { Memory } from '../processes/child.js';
import { median, round } from './measures.js';
import type { Part } from './report.js';
import { repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';

const ALERTS = 20_000;
const SAMPLES = 20;
const IN_FLIGHT = 50;
/** The largest growth from the second quarter to the last that counts as flat. */
const FLAT = 1.1;
const MIB = 1024 * 1024;

/** Investigates many alerts and samples the memory of the process that runs the API and the worker. */
export async function measureMemory(stage: Stage): Promise<Part> {
  const service = await startBenchService(stage, 'memory');
  const samples: Memory[] = [];
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    await repeatInFlight(ALERTS / SAMPLES, IN_FLIGHT, async () => service.completed(await service.send('Bench, three skills')));
    // Completions that are on their way to the server are not growth.
    await delay(500);
    const now = await service.process.memory();
    samples.push(now);
    progress(
      `memory after ${(ALERTS / SAMPLES) * sample} alerts (heap used of resident): ${toMib(now.heapUsedBytes)} of ${toMib(now.rssBytes)}`,
    );
  }
  await service.close();

  const rows = (
    [
      ['heap used after a collection', 'heapUsedBytes'],
      ['resident', 'rssBytes'],
    ] as const
  ).map(([label, kind]) => {
    const values = samples.map((memory) => memory[kind]);
    const second = median(values.slice(values.length / 4, values.length / 2));
    const last = median(values.slice((values.length / 4) * 3));
    return { label, kind, second, last, growth: last / second };
  });
  return {
    name: 'memory',
    title: `Memory over ${ALERTS.toLocaleString('en')} alerts, MiB (median of a quarter's samples)`,
    columns: ['', 'second quarter', 'last quarter', 'growth'],
    rows: rows.map(({ label, second, last, growth }) => [`API and worker, ${label}`, toMib(second), toMib(last), `${round(growth)}×`]),
    bars: rows
      .filter(({ kind }) => kind === 'heapUsedBytes')
      .map(({ growth }) => ({ name: 'heap of API and worker, last quarter compared with the second', measured: growth, atMost: FLAT })),
    details: { samples },
  };
}

function toMib(bytes = 0): number {
  return round(bytes / MIB, 1);
}
