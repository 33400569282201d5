import { clip } from './text.js';

interface Caps {
  readonly stringLength: number;
  readonly arrayLength: number;
}

/** Ids, dates, enum values and most addresses are shorter; a shorter limit would destroy them. */
const MEANINGFUL_LENGTH = 256;
/** Enough steps to get within two per cent of the largest size that fits. */
const HALVINGS = 6;

/**
 * Returns the output unchanged if its JSON has at most `maxBytes`. Otherwise clips the longest strings first, then shortens the
 * longest arrays, and clips short strings last. The shape stays the same.
 */
export function truncateJson(output: unknown, maxBytes: number): { output: unknown; truncated: boolean } {
  if (countBytes(output) <= maxBytes) return { output, truncated: false };
  const attempt = (caps: Caps) => {
    const smaller = shrink(output, caps);
    return countBytes(smaller) <= maxBytes ? smaller : undefined;
  };
  const whole = Number.MAX_SAFE_INTEGER;
  const smaller =
    largestThatFits(MEANINGFUL_LENGTH, maxBytes, (stringLength) => attempt({ stringLength, arrayLength: whole })) ??
    largestThatFits(1, maxBytes, (arrayLength) => attempt({ stringLength: MEANINGFUL_LENGTH, arrayLength })) ??
    attempt({ stringLength: MEANINGFUL_LENGTH, arrayLength: 0 }) ??
    largestThatFits(1, MEANINGFUL_LENGTH, (stringLength) => attempt({ stringLength, arrayLength: 0 })) ??
    shrink(output, { stringLength: 1, arrayLength: 0 });
  return { output: smaller, truncated: true };
}

/** Searches for the largest size from `least` to `most` that fits; undefined where even `least` does not fit. */
function largestThatFits(least: number, most: number, attempt: (size: number) => unknown): unknown {
  let best = attempt(least);
  if (best === undefined) return undefined;
  let fits = least;
  let fails = most + 1;
  // Upwards from the least, so that no pass builds a value much larger than the limit.
  for (let size = least * 2; size < fails; size *= 2) {
    const found = attempt(size);
    if (found === undefined) fails = size;
    else [best, fits] = [found, size];
  }
  for (let halvings = 0; halvings < HALVINGS && fails - fits > 1; halvings++) {
    const size = Math.floor((fits + fails) / 2);
    const found = attempt(size);
    if (found === undefined) fails = size;
    else [best, fits] = [found, size];
  }
  return best;
}

function shrink(value: unknown, caps: Caps): unknown {
  if (typeof value === 'string') return value.length <= caps.stringLength ? value : clip(value, caps.stringLength);
  if (Array.isArray(value)) return value.slice(0, caps.arrayLength).map((item) => shrink(item, caps));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shrink(item, caps)]));
}

function countBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value) ?? '').length;
}
