import { findMeaning } from './field-names.js';
import { compact } from './json-walk.js';

/** `> From: Jane <jane@example.com>`, at any depth of quotation. */
const HEADER_LINE = /^[>\s|]{0,40}\*{0,2}(?<name>\p{L}[\p{L} -]{0,20}?)\*{0,2}[ \t]?[:：]\*{0,2}[ \t]/u;
const MAX_LINES = 2000;

interface Headers {
  readonly lines: string[];
  /** Whether it states who sent the mail. */
  isOfMail: boolean;
}

/**
 * The headers of the mails by which people passed an alert on. In a thread of mails the newest stands first, so the headers of the last
 * mail belong to the alert itself.
 */
export function listPassingOn(text: string): string[] {
  const blocks: Headers[] = [];
  let block: Headers | null = null;
  for (const line of text.split('\n', MAX_LINES)) {
    const name = HEADER_LINE.exec(line)?.groups?.['name'];
    if (name === undefined) {
      block = null;
      continue;
    }
    if (block === null) {
      block = { lines: [], isOfMail: false };
      blocks.push(block);
    }
    const meaning = findMeaning(compact(name));
    if (meaning?.mailOnly && meaning.role === 'sender') block.isOfMail = true;
    if (meaning?.role !== undefined) block.lines.push(line);
  }
  const mails = blocks.filter(({ isOfMail }) => isOfMail);
  return mails.slice(0, -1).flatMap(({ lines }) => lines.map((line) => line.slice(line.indexOf(':') + 1)));
}
