import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type ListQuery, toBody, unwrap } from '../api.js';
import { change, type FormValue, fullList } from './kit.js';

const RECORD_PAGE_SIZE = 50;

/** Connectors change only with the version of the service, so they never become stale. */
export const connectorsQuery = queryOptions({
  queryKey: ['connectors'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await unwrap(api.GET('/connectors'))).items,
});

/** The connections of one connector, or of all. */
export const connectionsQuery = (connector?: string) =>
  fullList(['connections', connector ?? 'all'], (page) => unwrap(api.GET('/connections', { params: { query: { ...page, connector } } })));

const toParams = (connection_id: string) => ({ path: { connection_id } });

/** Creates a connection, or a link with which the customer completes a new one, or changes the connection with this ID. */
export const saveConnection = (id: string | null, asksCustomer: boolean) =>
  change(['connections'], async ({ valid_for: validFor, ...body }: FormValue) => {
    if (asksCustomer)
      return unwrap(api.POST('/credential-links', { body: toBody({ ...body, valid_hours: LINK_HOURS[String(validFor)] }) }));
    if (id === null) return unwrap(api.POST('/connections', { body: toBody(body) }));
    return unwrap(api.PATCH('/connections/{connection_id}', { params: toParams(id), body: toBody(body) }));
  });

export const makeDefault = change(['connections'], (id: string) =>
  unwrap(api.PATCH('/connections/{connection_id}', { params: toParams(id), body: { is_default: true } })),
);

export const deleteConnection = change(['connections'], (id: string) =>
  unwrap(api.DELETE('/connections/{connection_id}', { params: toParams(id) })),
);

/** Replaces the credentials. */
export const reconnect = (id: string) =>
  change(['connections'], (body: { credentials: FormValue; secret_expires_on: string | null }) =>
    unwrap(api.POST('/connections/{connection_id}/reconnect', { params: toParams(id), body })),
  );

/** Each dialog tests the connection once, and again only when the user asks. */
export const connectionTestQuery = (id: string, dialogId: string) =>
  queryOptions({
    queryKey: ['connection-test', id, dialogId],
    queryFn: () => unwrap(api.POST('/connections/{connection_id}/test', { params: toParams(id) })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const runSkill = (id: string, skill: string) =>
  change(['proposals'], (body: { input: FormValue; confirm?: true }) =>
    unwrap(api.POST('/connections/{connection_id}/skills/{skill}', { params: { path: { connection_id: id, skill } }, body })),
  );

/** The links with which customers can still hand over credentials. */
export const credentialLinksQuery = (connector: string) =>
  fullList(['connections', 'credential-links', connector], (page) =>
    unwrap(api.GET('/credential-links', { params: { query: { ...page, connector } } })),
  );

/** How long a link can be valid. */
export const LINK_HOURS: Readonly<Record<string, number>> = { '24 hours': 24, '72 hours': 72, '7 days': 168, '30 days': 720 };

export const createCredentialLink = (id: string) =>
  change(['connections'], ({ valid_for: validFor }: FormValue) =>
    unwrap(
      api.POST('/connections/{connection_id}/credential-links', {
        params: toParams(id),
        body: { valid_hours: LINK_HOURS[String(validFor)] },
      }),
    ),
  );

export const revokeCredentialLink = change(['connections'], (link_id: string) =>
  unwrap(api.DELETE('/credential-links/{link_id}', { params: { path: { link_id } } })),
);

/** The request of a link. Its token is the only credential of the person. */
export const handoverQuery = (token: string) =>
  queryOptions({
    queryKey: ['handover', token],
    queryFn: () => unwrap(api.GET('/handover', { headers: { authorization: `Bearer ${token}` } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const handOver = (token: string) =>
  change([], (body: FormValue) => unwrap(api.POST('/handover', { headers: { authorization: `Bearer ${token}` }, body: toBody(body) })));

export const recordCopiesQuery = fullList(['connections', 'record-copies'], (page) =>
  unwrap(api.GET('/third-party-record-copies', { params: { query: page } })),
);

export const recordsQuery = (query: ListQuery<'/third-party-records'>) =>
  queryOptions({
    queryKey: ['connections', 'records', query],
    queryFn: () => unwrap(api.GET('/third-party-records', { params: { query: { ...query, limit: RECORD_PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });

export const remoteAgentsQuery = fullList(['settings', 'remote-agents'], (page) =>
  unwrap(api.GET('/remote-agents', { params: { query: page } })),
);
export const createRemoteAgent = change(['settings'], (body: FormValue) => unwrap(api.POST('/remote-agents', { body: toBody(body) })));
export const confirmRemoteAgent = change(['settings'], (agent_id: string) =>
  unwrap(api.POST('/remote-agents/{agent_id}/confirm', { params: { path: { agent_id } } })),
);
export const revokeRemoteAgent = change(['settings'], (agent_id: string) =>
  unwrap(api.DELETE('/remote-agents/{agent_id}', { params: { path: { agent_id } } })),
);
