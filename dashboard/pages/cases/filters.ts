import type { RegisteredRouter, RouteById } from '@tanstack/react-router';

export type CaseSearch = RouteById<RegisteredRouter['routeTree'], '/inside/cases'>['types']['fullSearchSchema'];

/** The filters of the address as parameters of the API. */
export function toCaseFilters({ organization, from, to, visit, ...search }: CaseSearch) {
  const { text, status, severity, verdict, assignee, unassigned, tag, sla, disagrees } = search;
  return {
    ...{ text, status, severity, verdict, assignee, unassigned, tag, sla, disagrees },
    organization_code: organization,
    opened_from: from,
    opened_before: to,
    since_last_visit: visit,
  };
}
