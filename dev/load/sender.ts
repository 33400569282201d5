import { setTimeout as sleep } from 'node:timers/promises';
import { Alert } from '../../domain/alert/alert.js';
import { backoffMs } from '../../platform/backoff.js';
import type { CreateAlert } from '../../services/alerts/wire.js';

export interface Sending {
  readonly alert: CreateAlert;
  readonly idempotencyKey: string;
  /** The APIs in order of preference. Each retry goes to the next one. */
  readonly apiUrls: readonly string[];
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

export interface Acknowledgement {
  readonly alertId: string;
  readonly tries: number;
  readonly elapsedMs: number;
}

const TRY_LIMIT_MS = 15_000;
const GIVE_UP_AFTER_MS = 90_000;
const RETRY_BACKOFF = { baseMs: 50, maxMs: 2_000 };

/** Like a careful sender: after no response or a 5xx, sends the same request with the same key to another API. */
export async function sendCarefully({ alert, idempotencyKey, apiUrls, apiKey, signal }: Sending): Promise<Acknowledgement> {
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    const answer = await tryOnce(`${apiUrls[(tries - 1) % apiUrls.length]}/platformapi/alerts`);
    const elapsedMs = performance.now() - began;
    if ('alertId' in answer) return { alertId: answer.alertId, tries, elapsedMs };
    signal.throwIfAborted();
    if (elapsedMs > GIVE_UP_AFTER_MS) throw new Error(`${idempotencyKey} was not accepted after ${tries} attempts: ${answer.refusal}`);
    await sleep(backoffMs(tries - 1, RETRY_BACKOFF));
  }

  async function tryOnce(url: string): Promise<{ alertId: string } | { refusal: string }> {
    let reply: Response;
    let body: string;
    try {
      reply = await fetch(url, {
        method: 'POST',
        headers: { cookie: `Session=${apiKey}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(alert),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TRY_LIMIT_MS)]),
      });
      body = await reply.text();
    } catch (error) {
      return { refusal: error instanceof Error ? `${error.message} (${String(error.cause)})` : String(error) };
    }
    if (reply.status >= 500) return { refusal: `${reply.status}: ${body}` };
    if (reply.status !== 201) throw new Error(`${idempotencyKey} got ${reply.status}: ${body}`);
    return { alertId: Alert.parse(JSON.parse(body)).alert_id };
  }
}
