const PAGE_SIZE = 200;
/** A row mostly waits for Temporal. Each takes at most one connection of the pool. */
const ROWS_AT_ONCE = 4;

export interface SweepRun {
  /** The key of the last row that an earlier call handled. null: from the first row. */
  readonly after: string | null;
  /** A longer sweep stops here, and another call continues it. Epoch milliseconds. */
  readonly untilMs: number;
  readonly heartbeat: () => void;
  /** The next sweep tries the row again. */
  readonly onError: (key: string, error: unknown) => void;
}

interface Rows<Row> {
  /** In the order of their keys, beginning after this one. */
  list(after: string | null, limit: number): Promise<readonly Row[]>;
  keyOf(row: Row): string;
  handle(row: Row): Promise<unknown>;
}

/** Handles every row, page by page. A row that throws does not keep the others. Returns where the next call continues; null: at the end. */
export async function sweep<Row>(
  { after, untilMs, heartbeat, onError }: SweepRun,
  { list, keyOf, handle }: Rows<Row>,
): Promise<string | null> {
  let cursor = after;
  for (;;) {
    const page = await list(cursor, PAGE_SIZE);
    for (let first = 0; first < page.length; first += ROWS_AT_ONCE) {
      heartbeat();
      const rows = page.slice(first, first + ROWS_AT_ONCE);
      await Promise.all(rows.map((row) => handle(row).catch((error: unknown) => onError(keyOf(row), error))));
      const isLast = page.length < PAGE_SIZE && first + ROWS_AT_ONCE >= page.length;
      const last = rows.at(-1);
      if (isLast || last === undefined) return null;
      cursor = keyOf(last);
      if (Date.now() >= untilMs) return cursor;
    }
    if (page.length < PAGE_SIZE) return null;
  }
}

/** Handles every row in one call. Throws the first error after all rows had their turn. */
export async function sweepAll<Row>(rows: Rows<Row>): Promise<void> {
  const errors: unknown[] = [];
  const onError = (_key: string, error: unknown) => void errors.push(error);
  await sweep({ after: null, untilMs: Number.POSITIVE_INFINITY, heartbeat: () => {}, onError }, rows);
  if (errors.length > 0) throw errors[0];
}
