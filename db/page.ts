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
