import { endPoll, readWatermark } from '../../db/sources/sources.js';
import type { PollReport, SourceWindow } from '../../domain/alert/intake-source.js';
import { SkillError } from '../../domain/connection/skill-errors.js';
import type { PolledFeed, SourceContext } from './polled-sources.js';
import { takeWindow } from './take-window.js';

/** Each window overlaps the previous one, because third parties report some items late. */
const OVERLAP_SECONDS = 600;
/** The first window of a new source. */
const FIRST_WINDOW_SECONDS = 24 * 3600;

/** Reads a source to its end with `list`, which calls its skill. If a remote agent has to read it, returns only the window to read. */
export async function pollSource(
  context: SourceContext,
  polled: PolledFeed,
  list: (input: Record<string, unknown>) => Promise<unknown>,
  signal: AbortSignal,
): Promise<PollReport | { readonly window: SourceWindow }> {
  const { pg, now } = context;
  const { connectionUuid, isRouted } = polled.feed;
  const readUntil = await readWatermark(pg, connectionUuid, FIRST_WINDOW_SECONDS);
  const first = { since: Math.max(0, readUntil - OVERLAP_SECONDS), until: null };
  if (isRouted) return { window: first };
  const count = { taken: 0, noted: 0 };
  let ended: string | null = null;
  const windows: SourceWindow[] = [first];
  try {
    for (let window = windows.shift(); window !== undefined; window = windows.shift()) {
      const output = await list(polled.source.intake.buildInput(window, now()));
      const { parts, ...part } = await takeWindow(context, polled, window, output, signal);
      windows.unshift(...parts);
      count.taken += part.taken;
      count.noted += part.noted;
      ended = part.ended ?? ended;
    }
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    ended = error.message;
  }
  await endPoll(pg, connectionUuid, ended);
  return { ...count, ended };
}
