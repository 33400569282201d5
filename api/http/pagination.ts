import { z } from 'zod';
import type { Page, PageRequest } from '../../db/page.js';
import { isStorable } from '../../domain/text.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NUMBER = /^\d{1,15}$/;
/** Microseconds and a UUID: a list in the order of a time that can change. */
const TIME_AND_UUID = /^-?\d{1,17}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_AND_KIND = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z-]{1,40}$/;

/** An integer query parameter. Unlike a coerced number, it rejects an empty value. */
export function wholeNumber() {
  const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number');
  return digits.transform(Number).meta({ override: { type: 'integer', minimum: 0 } });
}

function pageQuery(keyPattern: RegExp, maxLength = 200) {
  return z.object({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Largest number of items on a page. A page of large items has fewer.'),
    cursor: z
      .string()
      .max(maxLength)
      .optional()
      .describe('`next_cursor` of the previous page.')
      .transform((cursor) => (cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString('latin1')))
      .refine((key) => key === null || keyPattern.test(key), 'is not a cursor of this list'),
  });
}

/** A UUID, and the encoded value of the sorted column of that row. */
const UUID_AND_VALUE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.(?<value>[\w.!~*'()%-]*))?$/;

/** Every list takes `limit` and `cursor`. */
export const PageQuery = pageQuery(UUID);
export const NumberedPageQuery = pageQuery(NUMBER);
export const TimedPageQuery = pageQuery(TIME_AND_UUID);
export const CopyPageQuery = pageQuery(UUID_AND_KIND);
/** An alert type of 200 characters is the longest value. */
export const SortedPageQuery = pageQuery(UUID_AND_VALUE, 4_000);

/** Whether a cursor belongs to a list that is sorted by a column with such values. undefined: sorted by the key alone. */
export function fitsSort(cursor: string | null, values: RegExp | undefined): boolean {
  if (cursor === null) return true;
  const encoded = UUID_AND_VALUE.exec(cursor)?.groups?.['value'];
  if (encoded === undefined || values === undefined) return encoded === values;
  try {
    const value = decodeURIComponent(encoded);
    return isStorable(value) && values.test(value);
  } catch {
    return false;
  }
}

export function pageRequest(query: { limit: number; cursor: string | null }): PageRequest {
  return { limit: query.limit, after: query.cursor };
}

/** Reply of every list. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable().describe('null on the last page') });
}

export function toListReply<Item>(page: Page<Item>): { items: Item[]; next_cursor: string | null } {
  return { items: page.items, next_cursor: page.next === null ? null : Buffer.from(page.next, 'latin1').toString('base64url') };
}
