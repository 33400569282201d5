import { organizationsQuery } from '../queries/organizations.js';
import { useFullList } from './full-list.js';

/** The codes of the organizations that the user can choose. */
export function useOrganizationCodes(): string[] {
  return (useFullList(organizationsQuery).items ?? []).map(({ organization_code: code }) => code);
}
