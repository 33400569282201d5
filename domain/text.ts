import { z } from 'zod';

/** Postgres holds neither NUL nor half a surrogate pair, and a workflow given either never ends. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

const NOT_STORABLE = 'must not contain NUL characters or unpaired surrogates';

/** What is only compared with what we hold: anything, but nothing that the database cannot even compare. */
export function storable(maxLength: number) {
  return z.string().max(maxLength).refine(isStorable, NOT_STORABLE);
}

/** Any text a person or a system sends us: never empty, never blank, always storable. */
export function text(maxLength: number) {
  return storable(maxLength).refine((value) => value.trim().length > 0, 'must not be empty');
}

/** Makes text from outside (an error's message, say) fit a bounded column. */
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
