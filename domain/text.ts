import { z } from 'zod';

/** Postgres stores neither NUL nor an unpaired surrogate, and a workflow with either never ends. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

const NOT_STORABLE = 'must not contain NUL characters or unpaired surrogates';

/** Text that is only compared with stored text: it may be empty, but the database must be able to compare it. */
export function storable(maxLength: number) {
  return z.string().max(maxLength).refine(isStorable, NOT_STORABLE);
}

/** Text from a person or a system: storable and not blank. */
export function text(maxLength: number) {
  return storable(maxLength).refine((value) => value.trim().length > 0, 'must not be empty');
}

/** Line breaks, control and bidirectional characters, and those without a width. U+FE0F stays, because it ends many emoji. */
const HIDDEN = /(?!\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const HIDDEN_RUNS = new RegExp(`(?:${HIDDEN.source})+`, 'gu');

/** A name from a person. It shows as it is stored, so that it cannot look like another name or like a line of a message. */
export function nameText(maxLength: number) {
  return text(maxLength).refine((value) => !HIDDEN.test(value), 'must be one line without control, bidirectional or zero-width characters');
}

/** One line for messages: stored names and foreign text can have characters that `nameText` refuses. */
export function toLine(value: string): string {
  return value
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(HIDDEN_RUNS, '')
    .trim();
}

const FORMATTING = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** Mail clients, chats and attackers put zero-width characters, soft hyphens and direction marks into words. */
export function withoutInvisible(value: string): string {
  return value.replace(FORMATTING, '');
}

/** Makes foreign text, such as an error message, fit a bounded column. */
export function clip(value: string, maxLength: number): string {
  const storable = value.toWellFormed().replaceAll('\u0000', '\uFFFD');
  return storable.length <= maxLength ? storable : `${storable.slice(0, maxLength - 1).toWellFormed()}…`;
}

export function slug(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'step'
  );
}

/** Shows foreign text as it is where Markdown is rendered, such as in Temporal Web. A colon or an @ would make it a link. */
export function escapeMarkdown(value: string): string {
  return value
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#|~!:@&]/g, '\\$&')
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`);
}

/** Keeps the line breaks of foreign text where Markdown is rendered. */
export function escapeMarkdownLines(value: string): string {
  return value.split('\n').map(escapeMarkdown).join('  \n');
}
