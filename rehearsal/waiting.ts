import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;

/** Looks until it is there; on giving up, says what was seen instead. */
export async function until(
  look: () => Promise<{ readonly seen: boolean; readonly instead: string }>,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const { seen, instead } = await look();
    if (seen) return;
    if (Date.now() > deadline) throw new Error(`not within ${limitMs / 1_000} s: ${instead}`);
    await sleep(LOOK_EVERY_MS);
  }
}
