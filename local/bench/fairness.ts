import { setTimeout as delay } from 'node:timers/promises';
import { QUICK_THIRD_PARTY_MS } from './connector.js';
import { median, quantile, round, timed } from './measures.js';
import type { Part } from './report.js';
import { type BenchService, OTHER_ORGANIZATION, repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';

const ALERT_TYPE = 'Bench, third parties that take time';
const WARM_UP = 60;
const ROUNDS = 2;
const FLOOD = 500;
const SENDING_AT_ONCE = 50;
const ALONE = 30;
const EVERY_MS = 400;

/** What another organization notices of a flood: its alerts' time to their verdict, without and with one. */
export async function measureFairness(stage: Stage): Promise<Part> {
  const service = await startBenchService(stage, 'fairness');
  const warmUp = async (n: number) => service.completed(await service.send(ALERT_TYPE, n % 2 === 0 ? OTHER_ORGANIZATION : undefined));
  await repeatInFlight(WARM_UP, 20, warmUp);

  const alone: number[] = [];
  const beside: number[] = [];
  const ratios: number[] = [];
  const floodSeconds: number[] = [];
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    const quiet = await sample(service, (taken) => taken < ALONE);
    const flood = await duringFlood(service);
    alone.push(...quiet);
    beside.push(...flood.times);
    floodSeconds.push(flood.tookMs / 1000);
    ratios.push(median(flood.times) / median(quiet));
    progress(
      `fairness, round ${turn} of ${ROUNDS}: alone p50 ${round(median(quiet), 0)} ms, beside a flood p50 ${round(median(flood.times), 0)} ms (${flood.times.length} alerts), the flood took ${round(flood.tookMs / 1000, 1)} s`,
    );
  }
  await service.close();
  const ratio = median(ratios);
  return {
    name: 'fairness',
    title: `Alert → completed while another organization has sent ${FLOOD} at once (ms), third parties that answer after ${QUICK_THIRD_PARTY_MS} ms`,
    columns: ['', 'alone', 'beside the flood', 'ratio'],
    rows: [
      ['p50', round(median(alone), 0), round(median(beside), 0), `${round(ratio)}×`],
      [
        'p95',
        round(quantile(alone, 0.95), 0),
        round(quantile(beside, 0.95), 0),
        `${round(quantile(beside, 0.95) / quantile(alone, 0.95))}×`,
      ],
    ],
    notes: [
      `One alert every ${EVERY_MS} ms, in ${ROUNDS} rounds: ${ALONE} alone, then as many as the flood lasts (${round(median(floodSeconds), 1)} s, ${round(FLOOD / median(floodSeconds), 1)} a second). The ratio is the median of the rounds' own.`,
    ],
    bars: [{ name: "another organization's median time beside a flood of 500, against alone", measured: ratio, atMost: 1.5 }],
    details: { ratios, alone, beside },
  };
}

async function duringFlood(service: BenchService): Promise<{ times: number[]; tookMs: number }> {
  let isOver = false;
  let tookMs = 0;
  const flood = async () => {
    const completed: Promise<void>[] = [];
    tookMs = await timed(async () => {
      await repeatInFlight(FLOOD, SENDING_AT_ONCE, async () => {
        completed.push(service.completed(await service.send(ALERT_TYPE)));
      });
      await Promise.all(completed);
    });
    isOver = true;
  };
  const [times] = await Promise.all([sample(service, () => !isOver), flood()]);
  return { times, tookMs };
}

/** One alert of the other organization every so often, whether or not the one before has ended. */
async function sample(service: BenchService, goesOn: (taken: number) => boolean): Promise<number[]> {
  const times: Promise<number>[] = [];
  while (goesOn(times.length)) {
    times.push(timed(async () => service.completed(await service.send(ALERT_TYPE, OTHER_ORGANIZATION))));
    await delay(EVERY_MS);
  }
  return Promise.all(times);
}
