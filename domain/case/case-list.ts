import { z } from 'zod';
import type { CaseStatus } from './case.js';
import type { Severity, Verdict } from './evidence.js';

/** A visit ends when the key does not use the list of cases for this time. */
export const VISIT_PAUSE_SECONDS = 30 * 60;

export const CaseVisit = z.object({
  last_visit_at: z
    .int()
    .nullable()
    .describe(
      'The end of the previous visit of this API key: its last use of the list before a pause of 30 minutes. null: this is the first.',
    ),
});
export type CaseVisit = z.infer<typeof CaseVisit>;

const Count = z.object({ value: z.string(), count: z.int() });
export const CaseCounts = z.object({
  status: z.array(Count),
  severity: z.array(Count),
  verdict: z.array(Count),
  is_complete: z.boolean().describe('false: one status has more cases than the service counts, so only its newest cases are counted.'),
});
export type CaseCounts = z.infer<typeof CaseCounts>;

/** How many cases have these values. */
export interface CountedCases {
  readonly status: CaseStatus;
  readonly severity: Severity | null;
  readonly verdict: Verdict | null;
  readonly count: number;
}

const COUNTED = ['status', 'severity', 'verdict'] as const;
type Counted = (typeof COUNTED)[number];
type Chosen = { readonly [Name in Counted]?: CountedCases[Name] | undefined };

/** The number of cases of each value under the other chosen values, so that a choice shows how many cases it would list. */
export function countByValue(groups: readonly CountedCases[], chosen: Chosen): Pick<CaseCounts, Counted> {
  const countOne = (counted: Counted) => {
    const others = COUNTED.filter((name) => name !== counted && chosen[name] !== undefined);
    const counts = new Map<string, number>();
    for (const group of groups) {
      const value = group[counted];
      if (value === null || others.some((name) => group[name] !== chosen[name])) continue;
      counts.set(value, (counts.get(value) ?? 0) + group.count);
    }
    return [...counts].map(([value, count]) => ({ value, count }));
  };
  return { status: countOne('status'), severity: countOne('severity'), verdict: countOne('verdict') };
}
