import type { Severity, Verdict } from '../verdict/evidence.js';
import type { CaseStatus } from './case.js';

/** How many cases have these values. */
interface CountedCases {
  readonly status: CaseStatus;
  readonly severity: Severity | null;
  readonly verdict: Verdict | null;
  readonly count: number;
}

const COUNTED = ['status', 'severity', 'verdict'] as const;
type Counted = (typeof COUNTED)[number];
type Chosen = { readonly [Name in Counted]?: CountedCases[Name] | undefined };

/** The number of cases of each value under the other chosen values, so that a choice shows how many cases it would list. */
export function countByValue(groups: readonly CountedCases[], chosen: Chosen): Record<Counted, { value: string; count: number }[]> {
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
