import type { PgClient } from '../../db/client.js';

/** One row, or several, of each kind that gives access. */
export async function insertOpenAccess(pg: PgClient): Promise<void> {
  const [user] = await pg<{ id: string }[]>`
    insert into users (user_uuid, name, email, password_hash, created_at) values (gen_random_uuid(), 'Dana', 'dana@acme.example', 'x', now())
    returning user_uuid as id`;
  const [organization] = await pg<{ id: string }[]>`
    insert into organizations (organization_uuid, organization_code, name, created_at) values (gen_random_uuid(), 'ACME', 'Acme', now())
    returning organization_uuid as id`;
  const [userUuid, organizationUuid] = [user?.id ?? '', organization?.id ?? ''];
  await pg`
    insert into user_sessions (session_uuid, user_uuid, token_hash, client, created_at, last_seen_at, ends_at)
    values (gen_random_uuid(), ${userUuid}, 'session', 'x', now(), now(), now() + interval '1 day')`;
  await pg`
    insert into invitations (invitation_uuid, token_hash, email, role, organization_uuid, invited_by, created_at, expires_at)
    values (gen_random_uuid(), 'invitation', 'new@acme.example', 'admin', ${organizationUuid}, 'Dana', now(), now() + interval '1 day'),
      (gen_random_uuid(), 'set-up', null, 'admin', null, 'start', now(), now() + interval '1 day')`;
  for (const { name, role, owner, service } of [
    { name: 'Dana at home', role: 'analyst', owner: userUuid, service: null },
    { name: 'Dana sends', role: 'sender', owner: userUuid, service: null },
    { name: 'reports', role: 'admin', owner: null, service: 'reports' },
    { name: 'no key of the environment', role: 'admin', owner: null, service: 'ADMIN_API_KEY' },
    { name: 'mail gateway', role: 'sender', owner: null, service: 'mail gateway' },
    { name: 'ADMIN_API_KEY', role: 'admin', owner: null, service: 'ADMIN_API_KEY' },
  ])
    await pg`
      insert into api_keys (key_uuid, name, role, lookup, hash, created_at, owner_uuid, service)
      values (gen_random_uuid(), ${name}, ${role}, ${name}, 'x', now(), ${owner}, ${service})`;
  await pg`
    insert into remote_agents (agent_uuid, organization_uuid, name, token_hash, created_at)
    values (gen_random_uuid(), ${organizationUuid}, 'site', 'agent', now())`;
  await pg`
    insert into credential_links (link_uuid, organization_uuid, token_hash, new_connection, created_by, created_at, expires_at)
    values (gen_random_uuid(), ${organizationUuid}, 'link', '{}', 'Dana', now(), now() + interval '1 day')`;
  await pg`insert into chat_link_codes (user_uuid, code_hash, expires_at) values (${userUuid}, 'code', now() + interval '1 day')`;
  await pg`
    insert into chat_identities (identity_uuid, kind, workspace, chat_user_id, user_uuid, linked_at)
    values (gen_random_uuid(), 'slack', 'slack.com T1', 'U1', ${userUuid}, now())`;
  await pg`insert into provider_sign_ins (state_hash, nonce, code_verifier, return_to, expires_at) values ('x', 'x', 'x', '/', now() + interval '1 day')`;
}
