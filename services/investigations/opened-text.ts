import type { InvestigationRef } from '../../db/investigations/lifecycle.js';

/** For the timeline of a case that a change of its alert opens. */
export function toOpenedText({ alertId }: Pick<InvestigationRef, 'alertId'>): string {
  return `Opened for alert ${alertId}`;
}
