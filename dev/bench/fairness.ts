import { setTimeout as delay } from 'node:timers/promises';
import { median, quantile, round, timed } from './measures.js';
import type { Part } from './report.js';
import { type BenchService, OTHER_ORGANIZATION, repeatInFlight, startBenchService } from './service.js';
import { progress, type Stage } from './stage.js';
import { QUICK_THIRD_PARTY_MS } from './third-parties.js';

const KINDS = [
  { alertType: 'Bench, three skills', label: 'at once' },
  { alertType: 'Bench, third parties that take time', label: `after ${QUICK_THIRD_PARTY_MS} ms` },
] as const;
const WARM_UP = 60;
const ROUNDS = 2;
const FLOOD = 500;
const SENDING_AT_ONCE = 50;
const ALONE = 30;
const EVERY_MS = 400;

interface Measured {
  readonly label: string;
  readonly ratio: number;
  readonly alone: number[];
  readonly beside: number[];
  readonly floodSeconds: number;
}

/** The effect of a flood on another organization: the time to a verdict without and with the flood. */
export async function measureFairness(stage: Stage): Promise<Part> {
  const service = await startBenchService(stage, 'fairness');
  const measured: Measured[] = [];
  for (const { alertType, label } of KINDS) measured.push({ label, ...(await measureKind(service, alertType, label)) });
  await service.close();
  return {
    name: 'fairness',
    title: `Alert → completed while another organization sends ${FLOOD} alerts at once (ms)`,
    columns: ['third parties answer', 'alone p50', 'during the flood p50', 'ratio', 'alone p95', 'during p95', 'flood, alerts/s'],
    rows: measured.map(({ label, ratio, alone, beside, floodSeconds }) => [
      label,
      round(median(alone), 0),
      round(median(beside), 0),
      `${round(ratio)}×`,
      round(quantile(alone, 0.95), 0),
      round(quantile(beside, 0.95), 0),
      round(FLOOD / floodSeconds, 1),
    ]),
    notes: [
      `One alert every ${EVERY_MS} ms, in ${ROUNDS} rounds: ${ALONE} alerts alone, then alerts until the flood ends. The ratio is the median of the ratios of the rounds.`,
    ],
    bars: measured.map(({ label, ratio }) => ({
      name: `another organization's median time during a flood of ${FLOOD} compared with alone, third parties answer ${label}`,
      measured: ratio,
      atMost: 1.5,
    })),
    details: { measured },
  };
}

async function measureKind(service: BenchService, alertType: string, label: string): Promise<Omit<Measured, 'label'>> {
  const warmUp = async (n: number) =>
    service.completed(await service.send(alertType, n % 2 === 0 ? { organizationCode: OTHER_ORGANIZATION } : {}));
  await repeatInFlight(WARM_UP, 20, warmUp);
  const alone: number[] = [];
  const beside: number[] = [];
  const ratios: number[] = [];
  const floodSeconds: number[] = [];
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    const quiet = await sample(service, alertType, (taken) => taken < ALONE);
    const flood = await duringFlood(service, alertType);
    alone.push(...quiet);
    beside.push(...flood.times);
    floodSeconds.push(flood.tookMs / 1000);
    ratios.push(median(flood.times) / median(quiet));
    progress(
      `fairness, third parties that answer ${label}, round ${turn} of ${ROUNDS}: alone p50 ${round(median(quiet), 0)} ms, during a flood p50 ${round(median(flood.times), 0)} ms (${flood.times.length} alerts), the flood took ${round(flood.tookMs / 1000, 1)} s`,
    );
  }
  return { ratio: median(ratios), alone, beside, floodSeconds: median(floodSeconds) };
}

async function duringFlood(service: BenchService, alertType: string): Promise<{ times: number[]; tookMs: number }> {
  let isOver = false;
  let tookMs = 0;
  const flood = async () => {
    const completed: Promise<void>[] = [];
    tookMs = await timed(async () => {
      await repeatInFlight(FLOOD, SENDING_AT_ONCE, async () => {
        completed.push(service.completed(await service.send(alertType)));
      });
      await Promise.all(completed);
    });
    isOver = true;
  };
  const [times] = await Promise.all([sample(service, alertType, () => !isOver), flood()]);
  return { times, tookMs };
}

/** Sends alerts of the other organization at a fixed interval, without waiting for the previous one. */
async function sample(service: BenchService, alertType: string, goesOn: (taken: number) => boolean): Promise<number[]> {
  const times: Promise<number>[] = [];
  while (goesOn(times.length)) {
    times.push(timed(async () => service.completed(await service.send(alertType, { organizationCode: OTHER_ORGANIZATION }))));
    await delay(EVERY_MS);
  }
  return Promise.all(times);
}
