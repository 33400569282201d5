import { z } from 'zod';
import { isStorable } from '../text.js';

export const MAX_TAGS = 20;
const TAG_LENGTH = 50;

/** One spelling of each tag, so that a filter finds all cases with it. */
export const Tag = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'must not be empty')
  .max(TAG_LENGTH)
  .regex(/^[^,\n]*$/, 'must not contain commas or line breaks')
  .refine(isStorable, 'must not contain NUL characters or unpaired surrogates');

export const Tags = z.array(Tag).max(MAX_TAGS);
