import { queryOptions } from '@tanstack/react-query';
import type { Join } from '../../services/invitations/wire.js';
import { api, unwrap } from '../api.js';
import { change, type FormValue } from './kit.js';

export const signInOptionsQuery = queryOptions({ queryKey: ['sign-in options'], queryFn: () => unwrap(api.GET('/session/options')) });

/** With an API key, or with the password of a local account and the code of its authenticator app. */
export const signIn = change([], (given: { api_key: string } | { email: string; password: string; code?: string }) =>
  'api_key' in given ? unwrap(api.POST('/session', { body: given })) : unwrap(api.POST('/session/password', { body: given })),
);
export const signOut = change([], () => unwrap(api.DELETE('/session')));
export const join = change([], (body: Join) => unwrap(api.POST('/session/join', { body })));
export const selectOrganization = change([], (organization_code: string | null) =>
  unwrap(api.PUT('/session/organization', { body: { organization_code } })),
);

/** Each request creates another secret. */
export const newTotpQuery = queryOptions({
  queryKey: ['new totp'],
  queryFn: () => unwrap(api.POST('/session/totp')),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
  refetchOnWindowFocus: false,
});
export const turnOnTotp = change(['session'], ({ code }: FormValue) => unwrap(api.PUT('/session/totp', { body: { code: String(code) } })));
export const turnOffTotp = change(['session'], ({ code }: FormValue) =>
  unwrap(api.POST('/session/totp/remove', { body: { code: String(code) } })),
);

export const verifySession = change(['session'], ({ password, code }: FormValue) =>
  unwrap(api.POST('/session/verify', { body: code ? { code: String(code) } : { password: String(password) } })),
);
export const changePassword = change(['session'], ({ current_password, new_password }: FormValue) =>
  unwrap(api.PUT('/session/password', { body: { current_password: String(current_password), new_password: String(new_password) } })),
);

export const chatIdentitiesQuery = queryOptions({
  queryKey: ['session', 'chat-identities'],
  queryFn: () => unwrap(api.GET('/session/chat-identities')),
});
export const createChatCode = change([], () => unwrap(api.POST('/session/chat-identities/code')));
export const confirmChatIdentity = change(['session'], (identity_id: string) =>
  unwrap(api.POST('/session/chat-identities/{identity_id}/confirm', { params: { path: { identity_id } } })),
);
export const removeChatIdentity = change(['session'], (identity_id: string) =>
  unwrap(api.DELETE('/session/chat-identities/{identity_id}', { params: { path: { identity_id } } })),
);
