import { randomUUID } from 'node:crypto';
import { saveMembership } from '../../db/identity/memberships.js';
import { findOrganization } from '../../db/identity/organizations.js';
import type { Role } from '../../domain/identity/identity.js';
import { asService, inTransaction } from '../../services/context.js';
import { createSetUpLink } from '../../services/invitations/create-set-up-link.js';
import type { CreatedInvitation } from '../../services/invitations/wire.js';
import type { Session } from '../../services/sessions/wire.js';
import { vouchForUser } from '../../services/users/vouch.js';
import type { TestService } from './service.js';

export const PASSWORD = 'a long enough password';

/** The token of a session from the reply to a sign-in. */
export function readToken(headers: Headers): string {
  return /(?:^|, )(?:__Host-)?Session=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
}

export function join(service: TestService, given: { token: string; name: string; email?: string; password?: string }) {
  const body = { password: PASSWORD, ...given };
  return service.request<Session>('POST', '/platformapi/session/join', { key: null, body });
}

/** Creates the first admin with the set-up link. */
export async function setUp(service: TestService, name = 'Ada Admin') {
  const token = (await createSetUpLink(asService(service.database.db))) ?? '';
  const email = `${randomUUID()}@demo.example`;
  const { headers, body } = await join(service, { token, name, email });
  return { session: readToken(headers), email, name, userUuid: body.user_uuid ?? '' };
}

/** Invites a person, who joins, and for whom the operator vouches. */
export async function inviteAndJoin(service: TestService, role: Role = 'analyst', organizationCode: string | null = 'DEMO', key?: string) {
  const email = `${randomUUID()}@demo.example`;
  const body = { email, role, organization_code: organizationCode };
  const invited = await service.request<CreatedInvitation>('POST', '/platformapi/invitations', {
    body,
    ...(key === undefined ? {} : { key }),
  });
  const name = `user ${randomUUID()}`;
  const joined = await join(service, { token: invited.body.token, name });
  await vouchForUser(asService(service.database.db), email);
  return { session: readToken(joined.headers), email, name, userUuid: joined.body.user_uuid ?? '' };
}

export function signInWithPassword(service: TestService, email: string, password = PASSWORD, headers: Record<string, string> = {}) {
  return service.request<Session>('POST', '/platformapi/session/password', { key: null, body: { email, password }, headers });
}

/** Gives a user a role in another organization. */
export async function addMembership(service: TestService, userUuid: string, code: string, role: Role): Promise<void> {
  const { db } = service.database;
  const organization = await findOrganization(db, code);
  const membership = { userUuid, organizationUuid: organization?.organization_uuid ?? '', role, fromClaims: false };
  await inTransaction(asService(db), (inside) => saveMembership(inside.db, membership));
}
