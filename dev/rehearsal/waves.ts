import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreateAlert } from '../../services/alerts/wire.js';
import { type Acknowledgement, sendCarefully } from '../load/sender.js';

/** A kill or a backup under load. */
export interface Incident {
  /** The number of acknowledged alerts. The incident happens during the next wave. */
  readonly after: number;
  /** The time from the start of that wave to the incident. */
  readonly inFlightMs: number;
  /** That wave starts when this resolves. */
  readonly when?: () => Promise<void>;
  readonly happen: () => Promise<void>;
}

export interface WavesOptions {
  readonly alerts: readonly CreateAlert[];
  readonly apiUrls: readonly string[];
  readonly apiKey: string;
  readonly incidents: readonly Incident[];
  readonly signal: AbortSignal;
}

export const WAVE_SIZE = 10;
/** Short enough to build up a queue, and long enough for the workers to work while alerts arrive. */
const PAUSE_MS = 300;

/** Sends the alerts in waves, half of each wave to each API, while processes are killed and a backup is made. */
export async function sendInWaves({ alerts, apiUrls, apiKey, incidents, signal }: WavesOptions): Promise<Acknowledgement[]> {
  const acknowledged: Acknowledgement[] = [];
  const run = randomBytes(4).toString('hex');
  for (let first = 0; first < alerts.length; first += WAVE_SIZE) {
    signal.throwIfAborted();
    const incident = incidents.find(({ after }) => after === first);
    await incident?.when?.();
    const wave = alerts.slice(first, first + WAVE_SIZE).map((alert, index) => {
      const idempotencyKey = `rehearsal-${run}-${first + index + 1}`;
      return sendCarefully({ alert, idempotencyKey, apiUrls: index % 2 === 0 ? apiUrls : apiUrls.toReversed(), apiKey, signal });
    });
    const [answers] = await Promise.all([Promise.all(wave), incident && sleep(incident.inFlightMs).then(incident.happen)]);
    acknowledged.push(...answers);
    await sleep(PAUSE_MS);
  }
  return acknowledged;
}
