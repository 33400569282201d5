import { z } from 'zod';

/** Postgres holds neither NUL nor half a surrogate pair, and a workflow given either never ends. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

const NOT_STORABLE = 'must not contain NUL characters or unpaired surrogates';

/** Any text a person or a system sends us: never empty, never blank, always storable. */
export function text(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine((value) => value.trim().length > 0, 'must not be empty')
    .refine(isStorable, NOT_STORABLE);
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
