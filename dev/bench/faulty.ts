import { setTimeout as delay } from 'node:timers/promises';
import { median, quantile, round, timed } from './measures.js';
import type { Part } from './report.js';
import { type BenchService, repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';

const ALERT_TYPE = 'Bench, three skills';
const LOOPING = 20;
const WARM_UP = 40;
const ROUNDS = 3;
const SAMPLES = 30;
const EVERY_MS = 200;

interface Times {
  readonly accepted: readonly number[];
  readonly completed: readonly number[];
}

/** The effect of playbooks that loop on the API and on other investigations. */
export async function measureFaulty(stage: Stage): Promise<Part> {
  const service = await startBenchService(stage, 'faulty');
  await repeatInFlight(WARM_UP, 10, async () => service.completed(await service.send(ALERT_TYPE)));
  const alone: Times[] = [];
  const during: Times[] = [];
  const endedMs: number[] = [];
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    alone.push(await sample(service));
    const [times, tookMs] = await Promise.all([sample(service), timed(() => loop(service))]);
    during.push(times);
    endedMs.push(tookMs);
    progress(`faulty, round ${turn} of ${ROUNDS}: ${LOOPING} looping alerts ended after ${round(tookMs / 1000, 1)} s`);
  }
  await service.close();
  const rows = (['accepted', 'completed'] as const).map((what) => {
    const ratios = alone.map((times, index) => median(during[index]?.[what] ?? []) / median(times[what]));
    const all = (rounds: readonly Times[]) => rounds.flatMap((times) => times[what]);
    return { what, before: all(alone), during: all(during), ratio: median(ratios) };
  });
  return {
    name: 'faulty',
    title: `Alert → accepted and → completed while ${LOOPING} other alerts run an infinite loop (ms)`,
    columns: ['', 'alone p50', 'during p50', 'ratio', 'alone p95', 'during p95'],
    rows: rows.map(({ what, before, during, ratio }) => [
      what,
      round(median(before), 1),
      round(median(during), 1),
      `${round(ratio)}×`,
      round(quantile(before, 0.95), 1),
      round(quantile(during, 0.95), 1),
    ]),
    notes: [
      `One alert every ${EVERY_MS} ms, ${SAMPLES} in each of ${ROUNDS} rounds, alone and from the moment when ${LOOPING} looping alerts arrive. The ratio is the median of the ratios of the rounds. The looping alerts had status 20 after ${round(median(endedMs) / 1000, 1)} s.`,
    ],
    bars: [
      ...rows.map(({ what, ratio }) => ({
        name: `median time until ${what} while ${LOOPING} alerts loop, compared with alone`,
        measured: ratio,
        atMost: 2,
      })),
      { name: `seconds until ${LOOPING} looping alerts have status 20`, measured: Math.max(...endedMs) / 1000, atMost: 60 },
    ],
    details: { rows, endedMs },
  };
}

async function loop(service: BenchService): Promise<void> {
  const ended = Array.from({ length: LOOPING }, async () => {
    const alertId = await service.send('Bench, infinite loop');
    // It must fail.
    await service.completed(alertId).then(
      () => Promise.reject(new Error(`${alertId} completed`)),
      () => undefined,
    );
  });
  await Promise.all(ended);
}

async function sample(service: BenchService): Promise<Times> {
  const accepted: number[] = [];
  const completed: Promise<number>[] = [];
  for (let taken = 0; taken < SAMPLES; taken += 1) {
    completed.push(
      timed(async () => {
        let alertId = '';
        accepted.push(
          await timed(async () => {
            alertId = await service.send(ALERT_TYPE);
          }),
        );
        await service.completed(alertId);
      }),
    );
    await delay(EVERY_MS);
  }
  return { completed: await Promise.all(completed), accepted };
}
