import { api, unwrap } from '../api.js';
import { useFullList } from './full-list.js';

export function useOrganizations() {
  return useFullList(['settings', 'organizations'], (page) => unwrap(api.GET('/organizations', { params: { query: page } })));
}

export function useRemoteAgents() {
  return useFullList(['settings', 'remote-agents'], (page) => unwrap(api.GET('/remote-agents', { params: { query: page } })));
}

/** The links with which customers can still hand over credentials. */
export function useCredentialLinks(connector: string) {
  return useFullList(['connections', 'credential-links', connector], (page) =>
    unwrap(api.GET('/credential-links', { params: { query: { ...page, connector } } })),
  );
}

/** The connections of one connector, or of all. */
export function useConnections(connector?: string) {
  return useFullList(['connections', connector ?? 'all'], (page) =>
    unwrap(api.GET('/connections', { params: { query: { ...page, connector } } })),
  );
}
