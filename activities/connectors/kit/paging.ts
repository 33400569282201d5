import { LIST_BOUND } from './define.js';

export interface Page<Item, Cursor> {
  readonly items: readonly Item[];
  /** The start of the next page; null at the end. */
  readonly next: Cursor | null;
  readonly total?: number | null;
  /** Of the reply, decompressed. */
  readonly bytes: number;
}

export interface Collected<Item> {
  readonly items: Item[];
  readonly total: number | null;
  readonly cut: string | null;
}

/** Endless empty pages would otherwise never reach a limit. */
const MAX_PAGES = 1000;

/** Reads all pages within the limits of items and bytes; `cut` gives the reason if a limit ended it. */
export async function collectPages<Item, Cursor>(
  first: Cursor,
  bound: { readonly maxItems: number; readonly maxBytes?: number },
  readPage: (cursor: Cursor) => Promise<Page<Item, Cursor>>,
): Promise<Collected<Item>> {
  const { maxItems, maxBytes = LIST_BOUND.bytes } = bound;
  const items: Item[] = [];
  let total: number | null = null;
  let bytes = 0;
  let pages = 0;
  for (let cursor: Cursor | null = first; cursor !== null; ) {
    const page: Page<Item, Cursor> = await readPage(cursor);
    items.push(...page.items.slice(0, maxItems - items.length + 1));
    bytes += page.bytes;
    pages += 1;
    total = page.total ?? total;
    if (items.length > maxItems)
      return { items: items.slice(0, maxItems), total, cut: `There are more than the ${maxItems} items asked for.` };
    if (page.next !== null && items.length === maxItems)
      return { items, total, cut: `There may be more than the ${maxItems} items asked for.` };
    if (page.next !== null && bytes >= maxBytes)
      return { items, total, cut: `Stopped after ${items.length} items, at the bound of ${maxBytes} bytes.` };
    if (page.next !== null && pages >= MAX_PAGES) return { items, total, cut: `Stopped after ${items.length} items on ${pages} pages.` };
    cursor = page.next;
  }
  return { items, total, cut: null };
}
