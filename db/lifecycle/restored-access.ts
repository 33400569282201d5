import type { Queries } from '../client.js';

/** The number of ended items of each kind. */
export type EndedAccess = Readonly<
  Record<
    | 'sessions'
    | 'invitations'
    | 'api_keys'
    | 'sender_keys'
    | 'agents'
    | 'credential_links'
    | 'chat_link_codes'
    | 'chat_accounts'
    | 'sign_ins',
    number
  >
>;

/** What still gives access, for a person who compares it with the changes after the backup. */
export interface KeptAccess {
  readonly localUsers: number;
  readonly senderKeys: readonly string[];
  /** Whether the admin key of the environment is among the restored ones. A start with another one revokes it. */
  readonly hasEnvironmentKey: boolean;
}

/**
 * Ends everything that gives access and that an admin may have revoked after the backup, which cannot know it. The key of the
 * environment stays, because a revoked one cannot be used again: each start compares it with the setting.
 */
export async function endAccess(
  pg: Queries,
  { environmentKey, endsSenderKeys }: { readonly environmentKey: string; readonly endsSenderKeys: boolean },
): Promise<EndedAccess> {
  const sessions = await pg`update user_sessions set revoked_at = now() where revoked_at is null`;
  const invitations = await pg`update invitations set ended_at = now() where ended_at is null`;
  const keys = await pg`
    update api_keys set revoked_at = now() where revoked_at is null and (owner_uuid is not null or role <> 'sender')
      and not ${isEnvironmentKey(pg, environmentKey)}`;
  const senderKeys = endsSenderKeys ? await pg`update api_keys set revoked_at = now() where revoked_at is null and role = 'sender'` : null;
  const agents = await pg`update remote_agents set revoked_at = now() where revoked_at is null`;
  const links = await pg`update credential_links set revoked_at = now() where used_at is null and revoked_at is null`;
  const codes = await pg`delete from chat_link_codes`;
  const accounts = await pg`delete from chat_identities`;
  const signIns = await pg`delete from provider_sign_ins`;
  await pg`delete from provider_tokens`;
  return {
    sessions: sessions.count,
    invitations: invitations.count,
    api_keys: keys.count,
    sender_keys: senderKeys?.count ?? 0,
    agents: agents.count,
    credential_links: links.count,
    chat_link_codes: codes.count,
    chat_accounts: accounts.count,
    sign_ins: signIns.count,
  };
}

export async function readKeptAccess(pg: Queries, environmentKey: string): Promise<KeptAccess> {
  const [users] = await pg<{ count: number }[]>`
    select count(*)::int as count from users where password_hash is not null and deactivated_at is null`;
  const keys = await pg<{ name: string; is_environment: boolean }[]>`
    select name, ${isEnvironmentKey(pg, environmentKey)} as is_environment from api_keys
    where revoked_at is null and (expires_at is null or expires_at > now()) order by name`;
  return {
    localUsers: users?.count ?? 0,
    senderKeys: keys.filter((key) => !key.is_environment).map(({ name }) => name),
    hasEnvironmentKey: keys.some((key) => key.is_environment),
  };
}

/** No other key can have its name. An admin chooses the service of a key, also this one. */
function isEnvironmentKey(pg: Queries, environmentKey: string) {
  return pg`(name = ${environmentKey} and coalesce(service = ${environmentKey}, false) and owner_uuid is null and organization_uuid is null)`;
}
