/** The name that was probably meant: at most about a third of its characters differ, ignoring case. null if none is that close. */
export function findClosestName(given: string, names: readonly string[]): string | null {
  const [closest] = names
    .map((name) => ({ name, edits: countEdits(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.ceil(name.length / 3))
    .sort((one, other) => one.edits - other.edits);
  return closest?.name ?? null;
}

/** The Levenshtein distance. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[at - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
