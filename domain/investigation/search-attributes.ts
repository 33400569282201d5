/** Filters for runs in Temporal Web; all have Temporal's type Keyword. */
export const SEARCH_ATTRIBUTES = ['AlertId', 'AlertType', 'Organization', 'Provider', 'Playbook', 'InvestigationStatus'] as const;
export type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[number];
