import { isUniqueViolation } from '../../db/client.js';
import { canonicalKnowledge } from '../../domain/organization/knowledge.js';
import { conflict } from '../errors.js';
import type { SaveKnowledge } from './wire.js';

export function toCanonicalFields({ kind, value, note }: SaveKnowledge): SaveKnowledge {
  return { kind, value: canonicalKnowledge(kind, value) ?? value, note: note.trim() };
}

export async function refuseDuplicate<Saved>(saved: Promise<Saved>): Promise<Saved> {
  try {
    return await saved;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('The organization already has this entry.', {
      errors: [{ pointer: '#/value', detail: 'Change the present entry instead.' }],
    });
  }
}
