const MAX_MENTIONS = 50;

/** Those of the people whom a comment names as `@name`. Longer names come first: `@dana vries` does not mention `dana`. */
export function findMentions(comment: string, people: readonly string[]): string[] {
  let rest = comment.toLowerCase();
  const found: string[] = [];
  for (const name of people.toSorted((one, other) => other.length - one.length)) {
    const mention = `@${name.toLowerCase()}`;
    const parts = rest.split(mention);
    const isMentioned = parts.slice(1).some((after, index) => isWordEnd(after) && isWordStart(parts[index] ?? ''));
    if (!isMentioned) continue;
    found.push(name);
    rest = parts.join(' ');
  }
  return found.slice(0, MAX_MENTIONS).sort();
}

/** `@dana` in `dana@dana.example` is part of an address. */
function isWordStart(before: string): boolean {
  return !/[\p{L}\p{N}._-]$/u.test(before);
}

function isWordEnd(after: string): boolean {
  return !/^[\p{L}\p{N}_-]/u.test(after) && !/^\.[\p{L}\p{N}]/u.test(after);
}
