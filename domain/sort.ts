/** The name of a sorted column; a minus means the largest value first. */
export type Sort<Column extends string> = Column | `-${Column}`;

export function readSort<Column extends string>(sort: Sort<Column>): { column: Column; isDescending: boolean } {
  const isDescending = sort.startsWith('-');
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: without its minus, a sort is the name of a column.
  return { column: (isDescending ? sort.slice(1) : sort) as Column, isDescending };
}
