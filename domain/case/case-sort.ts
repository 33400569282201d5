/** The orders of the list of cases. Each one is the order of an index. */
export const CASE_SORTS = ['-opened_at', 'opened_at', '-severity', 'severity'] as const;
export type CaseSort = (typeof CASE_SORTS)[number];
export const NEWEST_CASES: CaseSort = '-opened_at';
