import type { Severity } from './evidence.js';

export const SEVERITIES_DESCENDING: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'informational'];
/** Temporal's default for a task without a priority key; 1 is the most urgent. */
export const ORDINARY_PRIORITY = 3;

/** Severe alerts first. The fairness key keeps one organization's burst from delaying the others. */
export function toTaskPriority(severity: Severity | null, organizationCode: string): { priorityKey: number; fairnessKey: string } {
  return {
    priorityKey: severity === null ? ORDINARY_PRIORITY : SEVERITIES_DESCENDING.indexOf(severity) + 1,
    fairnessKey: organizationCode,
  };
}

/** For a task that a person waits for. */
export const INTERACTIVE_PRIORITY = { priorityKey: 1 } as const;
