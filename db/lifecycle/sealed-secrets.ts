import type { PgClient, Queries } from '../client.js';
import type { SealedTotp } from '../schema/identity.js';

/** The tables of sealed secrets, and the records that own them. */
export const SECRET_TABLES = [
  { secrets: 'connection_secrets', owners: 'connections', key: 'connection_uuid', label: 'connection' },
  { secrets: 'notification_secrets', owners: 'notification_channels', key: 'channel_uuid', label: 'notification channel' },
] as const;
export type SecretTable = (typeof SECRET_TABLES)[number];

export interface SecretRow extends SealedTotp {
  readonly ownerUuid: string;
  readonly organizationUuid: string;
  readonly field: string;
}

/** The number of secrets under each master key, those of users included. */
export async function countSecretsByKey(pg: PgClient): Promise<{ id: string; secrets: number }[]> {
  return pg<{ id: string; secrets: number }[]>`
    select id, count(*)::int as secrets from (
      select master_key_id as id from connection_secrets union all select master_key_id from notification_secrets
      union all select totp->>'masterKeyId' from users where totp is not null
      union all select totp_pending->>'masterKeyId' from users where totp_pending is not null
      union all select token->>'masterKeyId' from provider_tokens) as sealed
    group by 1 order by 1`;
}

/** Locks the next secrets under another key, and leaves out those that another transaction locks. */
export async function lockSecretsUnderOtherKeys(
  transaction: Queries,
  { secrets, owners, key }: SecretTable,
  page: { keyId: string; after: Pick<SecretRow, 'ownerUuid' | 'field'> | null; limit: number },
): Promise<SecretRow[]> {
  const { ownerUuid, field } = page.after ?? { ownerUuid: '00000000-0000-0000-0000-000000000000', field: '' };
  return transaction<SecretRow[]>`
    select ${transaction(key)} as "ownerUuid", organization_uuid as "organizationUuid", field,
      master_key_id as "masterKeyId", wrapped_key as "wrappedKey", ciphertext
    from ${transaction(secrets)} join ${transaction(owners)} using (${transaction(key)})
    where master_key_id <> ${page.keyId} and (${transaction(key)}, field) > (${ownerUuid}::uuid, ${field}::text)
    order by ${transaction(key)}, field limit ${page.limit} for update of ${transaction(secrets)} skip locked`;
}

export async function updateWrappedKey(
  transaction: Queries,
  { secrets, key }: SecretTable,
  row: Pick<SecretRow, 'ownerUuid' | 'field' | 'masterKeyId' | 'wrappedKey'>,
): Promise<void> {
  await transaction`
    update ${transaction(secrets)} set master_key_id = ${row.masterKeyId}, wrapped_key = ${row.wrappedKey}
    where ${transaction(key)} = ${row.ownerUuid} and field = ${row.field}`;
}

/** The secrets of users: authenticator apps, also those that wait for their first code, and tokens of the identity provider. */
export const USER_SECRETS = [
  { table: 'users', column: 'totp' },
  { table: 'users', column: 'totp_pending' },
  { table: 'provider_tokens', column: 'token' },
] as const;
export type UserSecret = (typeof USER_SECRETS)[number];

export async function listUserSecretsUnderOtherKeys(
  pg: PgClient,
  { table, column }: UserSecret,
  keyId: string,
): Promise<{ userUuid: string; sealed: SealedTotp }[]> {
  return pg<{ userUuid: string; sealed: SealedTotp }[]>`
    select user_uuid as "userUuid", ${pg(column)} as sealed from ${pg(table)} where ${pg(column)}->>'masterKeyId' <> ${keyId}`;
}

/** Changes nothing if the secret was replaced in the meantime. */
export async function replaceUserSecret(
  pg: PgClient,
  { table, column }: UserSecret,
  userUuid: string,
  before: SealedTotp,
  wrapped: SealedTotp,
): Promise<void> {
  await pg`
    update ${pg(table)} set ${pg(column)} = ${JSON.stringify(wrapped)}::text::jsonb
    where user_uuid = ${userUuid} and ${pg(column)}->>'wrappedKey' = ${before.wrappedKey}`;
}
