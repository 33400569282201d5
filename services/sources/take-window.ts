import { z } from 'zod';
import { moveWatermark } from '../../db/sources/sources.js';
import { type PollReport, type SourceItem, type SourceWindow, splitWindow } from '../../domain/alert/intake-source.js';
import { ensureProvider } from '../providers/ensure.js';
import type { PolledFeed, SourceContext } from './polled-sources.js';
import { takeItem } from './take-item.js';

const Listed = z.object({ items: z.array(z.unknown()), cut: z.string().nullable(), omitted: z.int().default(0) });

type WindowReport = PollReport & { readonly parts: SourceWindow[] };

/** Takes the items of a list. If the list was truncated, takes none and returns the parts of the window still to read. */
export async function takeWindow(
  context: SourceContext,
  polled: PolledFeed,
  window: SourceWindow,
  output: unknown,
  signal?: AbortSignal,
): Promise<WindowReport> {
  const { items: listed, cut, omitted } = Listed.parse(output);
  const oldestFirst = listed.map((item) => polled.source.intake.read(item)).toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
  // Items that are too large to read stay unread in any window.
  const parts = cut === null || omitted > 0 ? [] : splitWindow(window, oldestFirst);
  if (parts.length > 0) return { taken: 0, noted: 0, ended: null, parts };
  const isWhole = cut === null && omitted === 0;
  const read = { since: window.since, until: isWhole ? window.until : null };
  return { ...(await takeItems(context, polled, oldestFirst, read, signal)), ended: cut, parts };
}

/** Stores each item in its own transaction. Moves the watermark only after all items are stored. */
async function takeItems(
  context: SourceContext,
  { feed, source }: PolledFeed,
  items: readonly SourceItem[],
  read: SourceWindow,
  signal?: AbortSignal,
) {
  const { pg, now } = context;
  const provider = await ensureProvider(context, source.kind);
  const count = { taken: 0, noted: 0 };
  for (const item of items) {
    signal?.throwIfAborted();
    const outcome = await pg.begin((transaction) => takeItem(transaction, feed, provider, item));
    if (outcome !== 'known') count[outcome] += 1;
  }
  // `at` is by the third party's clock. If that clock is fast, the watermark must not skip items that it reports later.
  const newest = Math.max(read.until ?? Number.NEGATIVE_INFINITY, ...items.flatMap(({ at }) => at ?? []));
  const until = Math.min(newest, now());
  if (Number.isFinite(until)) await moveWatermark(pg, feed.connectionUuid, { since: read.since, until });
  return count;
}
