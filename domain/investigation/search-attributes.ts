/** What an engineer can filter runs by in Temporal Web; all are of Temporal's type Keyword. */
export const SEARCH_ATTRIBUTES = ['AlertId', 'AlertType', 'Organization', 'Provider', 'Playbook', 'InvestigationStatus'] as const;
export type SearchAttribute = (typeof SEARCH_ATTRIBUTES)[number];
