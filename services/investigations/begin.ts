import { begin, type InvestigationRef } from '../../db/investigations/lifecycle.js';
import type { InvestigationContext } from './context.js';
import { toOpenedText } from './opened-text.js';

type Attempt = Omit<Parameters<typeof begin>[2], 'at' | 'openedText'>;

/** Sets status 10 and opens the case. null where the investigation is stale. */
export function beginInvestigation({ pg, now }: Pick<InvestigationContext, 'pg' | 'now'>, ref: InvestigationRef, attempt: Attempt) {
  return begin(pg, ref, { ...attempt, at: now(), openedText: toOpenedText(ref) });
}
