import { setTimeout as delay } from 'node:timers/promises';
import type { Memory } from './child.js';
import { median, round } from './measures.js';
import type { Part } from './report.js';
import { repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';

const ALERTS = 20_000;
const SAMPLES = 20;
const IN_FLIGHT = 50;
/** Growth beyond this from the second quarter to the last is no longer called flat. */
const FLAT = 1.1;
const MIB = 1024 * 1024;

/** Sends alerts one after another, each investigated to its end, and looks what API and worker hold on the way. */
export async function measureMemory(stage: Stage): Promise<Part> {
  const service = await startBenchService(stage, 'memory');
  const processes = { API: service.api, worker: service.worker };
  const samples = new Map<string, Memory[]>();
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    await repeatInFlight(ALERTS / SAMPLES, IN_FLIGHT, async () => service.completed(await service.send('Bench, three skills')));
    // What ends a moment later (marks, completions on their way to the server) is not growth.
    await delay(500);
    for (const [name, child] of Object.entries(processes)) samples.set(name, [...(samples.get(name) ?? []), await child.memory()]);
    const seen = [...samples].map(([name, all]) => `${name} ${shown(all.at(-1)?.heapUsedBytes)} of ${shown(all.at(-1)?.rssBytes)}`);
    progress(`memory after ${(ALERTS / SAMPLES) * sample} alerts (heap used of resident): ${seen.join(', ')}`);
  }
  await service.close();

  const kinds = [
    ['heap used after a collection', 'heapUsedBytes'],
    ['resident', 'rssBytes'],
  ] as const;
  const rows = Object.keys(processes).flatMap((name) =>
    kinds.map(([label, kind]) => {
      const values = (samples.get(name) ?? []).map((memory) => memory[kind]);
      const second = median(values.slice(values.length / 4, values.length / 2));
      const last = median(values.slice((values.length / 4) * 3));
      return { name, label, kind, second, last, growth: last / second };
    }),
  );
  return {
    name: 'memory',
    title: `Memory over ${ALERTS.toLocaleString('en')} alerts, MiB (median of a quarter's samples)`,
    columns: ['', 'second quarter', 'last quarter', 'growth'],
    rows: rows.map(({ name, label, second, last, growth }) => [`${name}, ${label}`, shown(second), shown(last), `${round(growth)}×`]),
    bars: rows
      .filter(({ kind }) => kind === 'heapUsedBytes')
      .map(({ name, growth }) => ({ name: `heap of the ${name}, last quarter against the second`, measured: growth, atMost: FLAT })),
    details: Object.fromEntries(samples),
  };
}

function shown(bytes = 0): number {
  return round(bytes / MIB, 1);
}
