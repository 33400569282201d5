import { setTimeout as sleep } from 'node:timers/promises';

const POLL_EVERY_MS = 200;

/** Polls until `seen` is true. After the limit, throws with the last observation. */
export async function until(
  look: () => Promise<{ readonly seen: boolean; readonly instead: string }>,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const { seen, instead } = await look();
    if (seen) return;
    if (Date.now() > deadline) throw new Error(`timed out after ${limitMs / 1_000} s: ${instead}`);
    await sleep(POLL_EVERY_MS);
  }
}
