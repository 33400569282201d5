import { api, unwrap } from '../api.js';
import { useFullList } from './full-list.js';

export function useOrganizations() {
  return useFullList(['settings', 'organizations'], (page) => unwrap(api.GET('/organizations', { params: { query: page } })));
}

export function useRemoteAgents() {
  return useFullList(['settings', 'remote-agents'], (page) => unwrap(api.GET('/remote-agents', { params: { query: page } })));
}

/** The connections of one connector, or of all. */
export function useConnections(connector?: string) {
  return useFullList(['connections', connector ?? 'all'], (page) =>
    unwrap(api.GET('/connections', { params: { query: { ...page, connector } } })),
  );
}
