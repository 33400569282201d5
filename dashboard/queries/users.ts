import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type ListQuery, toBody, unwrap } from '../api.js';
import { change, type FormValue, fullList } from './kit.js';

const AUDIT_PAGE_SIZE = 50;
/** A form without an organization means all of them. */
const inAll = (given: FormValue) => ({ organization_code: null, ...given });

export const usersQuery = fullList(['settings', 'users'], (page) => unwrap(api.GET('/users', { params: { query: page } })));
export const deactivateUser = change(['settings'], (user_id: string) =>
  unwrap(api.POST('/users/{user_id}/deactivate', { params: { path: { user_id } } })),
);

export const belongingsQuery = (user_id: string) =>
  queryOptions({
    queryKey: ['settings', 'belongings', user_id],
    queryFn: () => unwrap(api.GET('/users/{user_id}/belongings', { params: { path: { user_id } } })),
  });
export const handOver = change(['settings', 'cases'], ({ from, to }: { from: string; to: string }) =>
  unwrap(api.POST('/users/{user_id}/hand-over', { params: { path: { user_id: from } }, body: { to_user_id: to } })),
);

export const invitationsQuery = fullList(['settings', 'invitations'], (page) =>
  unwrap(api.GET('/invitations', { params: { query: page } })),
);
export const invite = change(['settings'], (given: FormValue) => unwrap(api.POST('/invitations', { body: toBody(inAll(given)) })));
export const revokeInvitation = change(['settings'], (invitation_id: string) =>
  unwrap(api.DELETE('/invitations/{invitation_id}', { params: { path: { invitation_id } } })),
);

export const sessionsQuery = fullList(['settings', 'sessions'], (page) => unwrap(api.GET('/sessions', { params: { query: page } })));
export const endSession = change(['settings'], (session_id: string) =>
  unwrap(api.DELETE('/sessions/{session_id}', { params: { path: { session_id } } })),
);

export const claimMappingsQuery = fullList(['settings', 'claim-mappings'], (page) =>
  unwrap(api.GET('/claim-mappings', { params: { query: page } })),
);
export const mapClaim = change(['settings'], (given: FormValue) => unwrap(api.POST('/claim-mappings', { body: toBody(inAll(given)) })));
export const deleteClaimMapping = change(['settings'], (mapping_id: string) =>
  unwrap(api.DELETE('/claim-mappings/{mapping_id}', { params: { path: { mapping_id } } })),
);

export const apiKeysQuery = fullList(['settings', 'api-keys'], (page) => unwrap(api.GET('/api-keys', { params: { query: page } })));
export const createApiKey = change(['settings'], (key: FormValue) => unwrap(api.POST('/api-keys', { body: toBody(inAll(key)) })));
export const revokeApiKey = change(['settings'], (key_id: string) =>
  unwrap(api.DELETE('/api-keys/{key_id}', { params: { path: { key_id } } })),
);

export const auditQuery = (query: ListQuery<'/audit'>) =>
  queryOptions({
    queryKey: ['settings', 'audit', query],
    queryFn: () => unwrap(api.GET('/audit', { params: { query: { ...query, limit: AUDIT_PAGE_SIZE } } })),
    placeholderData: keepPreviousData,
  });
