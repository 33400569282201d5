import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api.js';

/** Who stopped the writes of an organization and why; null while the service sends them, or until it is known. */
export function useStopSwitch(organizationCode: string): string | null {
  const { data } = useQuery({
    queryKey: ['settings', '/response', organizationCode],
    queryFn: () => unwrap(api.GET('/response', { params: { query: { organization_code: organizationCode } } })),
  });
  return data?.stopped ? `${data.stopped_by ?? 'An admin'} stopped them: ${data.stop_reason ?? 'no reason given'}` : null;
}
