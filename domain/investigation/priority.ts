import type { Severity } from '../case/evidence.js';

export const SEVERITIES_DESCENDING: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'informational'];
/** Temporal's own for a task without a priority key; 1 is served first. */
export const ORDINARY_PRIORITY = 3;

/** Severe first; an organization's flood waits for its own turn, not for that of others. */
export function toTaskPriority(severity: Severity | null, organizationCode: string): { priorityKey: number; fairnessKey: string } {
  return {
    priorityKey: severity === null ? ORDINARY_PRIORITY : SEVERITIES_DESCENDING.indexOf(severity) + 1,
    fairnessKey: organizationCode,
  };
}

/** What somebody waits for. */
export const INTERACTIVE_PRIORITY = { priorityKey: 1 } as const;
