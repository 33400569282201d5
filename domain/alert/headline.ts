const MAX_SEARCHED = 8192;
const MAX_LENGTH = 300;
const STRUCTURED = /^\s*(?:[[{<]|"|CEF:|LEEF:|---)/;
/** A header of a mail, except its subject, a quoted line or a time. */
const NO_HEADLINE = /^(?:>|[-=_*#|\s]*$|(?:from|to|cc|date|sent|received|de|para|von|an|reporter)\s*:)/i;

/**
 * The first lines with which a person or a ticket says what happened: "Mass rename", "directory replication was requested". Empty for
 * JSON, XML and events: their fields have names, and one of them is the rule.
 */
export function findHeadline(content: string): string {
  if (STRUCTURED.test(content)) return '';
  const lines = content
    .slice(0, MAX_SEARCHED)
    .split('\n')
    .map((line) => line.trim());
  return lines
    .filter((line) => !NO_HEADLINE.test(line))
    .slice(0, 2)
    .join(' ')
    .slice(0, MAX_LENGTH);
}
