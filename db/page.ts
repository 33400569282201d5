/** Keyset pages: where the last page ended is where the next begins, however many rows lie before it. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly next: string | null;
}

/** Queries ask for one row more than the page holds: it tells whether there is a next page. */
export function toPage<Row>(rows: readonly Row[], request: PageRequest, keyOf: (row: Row) => string): Page<Row> {
  const items = rows.slice(0, request.limit);
  const last = items.at(-1);
  return { items, next: rows.length > request.limit && last !== undefined ? keyOf(last) : null };
}
