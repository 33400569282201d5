/** Filters for runs in Temporal Web; all have Temporal's type Keyword. */
export const SEARCH_ATTRIBUTES = [
  'AlertId',
  'AlertType',
  'Organization',
  'Provider',
  'Playbook',
  'InvestigationStatus',
  'Verdict',
  'CaseId',
] as const;
export type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[number];

/** The form that Temporal's clients and workflows take. An attribute without a value is left out. */
export function toSearchAttributes(values: Partial<Record<SearchAttribute, string | null | undefined>>) {
  return SEARCH_ATTRIBUTES.flatMap((name) => {
    const value = values[name];
    return value === null || value === undefined ? [] : [{ key: { name, type: 'KEYWORD' as const }, value }];
  });
}
