/** Keyset pages: a page begins after the key of the last row, so its cost does not depend on its position. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly next: string | null;
}

/** Queries read one row more than the page: it shows whether there is a next page. */
export function toPage<Row>(rows: readonly Row[], request: PageRequest, keyOf: (row: Row) => string): Page<Row> {
  const items = rows.slice(0, request.limit);
  const last = items.at(-1);
  return { items, next: rows.length > request.limit && last !== undefined ? keyOf(last) : null };
}

/** About the largest reply that a page may become. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** A page of large rows ends early, so that a few requests cannot fill the memory. It has at least one row. */
export function limitBytes(rows: readonly { readonly bytes: number }[], request: PageRequest): PageRequest {
  let limit = 0;
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes;
    if (bytes > PAGE_BYTES) break;
    limit += 1;
  }
  return { ...request, limit: Math.max(1, Math.min(limit, request.limit)) };
}
