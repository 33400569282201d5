import { z } from 'zod';
import type { Page, PageRequest } from '../../db/page.js';

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

function pageQuery(keyPattern: RegExp) {
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
      .max(200)
      .optional()
      .describe('`next_cursor` of the previous page.')
      .transform((cursor) => (cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString('latin1')))
      .refine((key) => key === null || keyPattern.test(key), 'is not a cursor of this list'),
  });
}

/** Every list takes `limit` and `cursor`. */
export const PageQuery = pageQuery(UUID);
export const NumberedPageQuery = pageQuery(NUMBER);
export const TimedPageQuery = pageQuery(TIME_AND_UUID);
export const CopyPageQuery = pageQuery(UUID_AND_KIND);

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
