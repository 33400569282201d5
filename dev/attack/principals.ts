import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Role } from '../../domain/identity/identity.js';
import { type Credential, call, require, type Target, withBearer, withKey } from './target.js';
import { addKey, addPerson, VICTIM } from './victim.js';

export interface AttackPrincipal {
  readonly name: string;
  readonly credential: Credential;
  /** null: the API does not accept the credential. */
  readonly role: Role | null;
  /** Whether the victim's organization is in its scope. */
  readonly isStranger: boolean;
}

const RIVAL = 'RIVAL';

/** Everyone who sends requests, from those without a key to the operator. */
export async function createPrincipals(target: Target): Promise<AttackPrincipal[]> {
  await call(target, 'POST', '/platformapi/organizations', { body: { organization_code: RIVAL, name: 'Rival' } });
  const [sender, rivalSender, revoked, ended] = [
    await addKey(target, 'sender', VICTIM),
    await addKey(target, 'sender', RIVAL),
    await addKey(target, 'admin', VICTIM),
    await addPerson(target, 'admin', VICTIM),
  ];
  const [analyst, admin, rivalAnalyst, rivalAdmin] = [
    await addPerson(target, 'analyst', VICTIM),
    await addPerson(target, 'admin', VICTIM),
    await addPerson(target, 'analyst', RIVAL),
    await addPerson(target, 'admin', RIVAL),
  ];
  const rivalAdminKey = await addKey(target, 'admin', RIVAL);
  const agent = { organization_code: RIVAL, name: `attack ${randomBytes(6).toString('hex')}` };
  const { token } = await require(z.object({ token: z.string() }), call(target, 'POST', '/platformapi/remote-agents', { body: agent }));
  await call(target, 'DELETE', `/platformapi/api-keys/${revoked.id}`);
  await call(target, 'DELETE', '/platformapi/session', { credential: ended.session });
  return [
    { name: 'anonymous', credential: [], role: null, isStranger: true },
    { name: 'revoked key', credential: revoked.credential, role: null, isStranger: true },
    { name: 'ended session', credential: ended.session, role: null, isStranger: true },
    { name: 'remote agent of another organization', credential: withBearer(token), role: null, isStranger: true },
    { name: 'sender of another organization', credential: rivalSender.credential, role: 'sender', isStranger: true },
    { name: 'analyst of another organization', credential: rivalAnalyst.session, role: 'analyst', isStranger: true },
    { name: 'admin of another organization', credential: rivalAdmin.session, role: 'admin', isStranger: true },
    { name: 'admin key of another organization', credential: rivalAdminKey.credential, role: 'admin', isStranger: true },
    { name: 'sender', credential: sender.credential, role: 'sender', isStranger: false },
    { name: 'analyst', credential: analyst.session, role: 'analyst', isStranger: false },
    { name: 'organization admin', credential: admin.session, role: 'admin', isStranger: false },
    { name: 'operator', credential: withKey(target.adminKey), role: 'admin', isStranger: false },
  ];
}
