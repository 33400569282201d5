import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api.js';

/** The names of the people who work on the cases of an organization; empty until they are read. */
export function usePeople(organizationCode: string): string[] {
  const params = { path: { organization_code: organizationCode } };
  const { data } = useQuery({
    queryKey: ['settings', 'people', organizationCode],
    queryFn: () => unwrap(api.GET('/organizations/{organization_code}/people', { params })),
  });
  return data?.items.map(({ name }) => name) ?? [];
}
