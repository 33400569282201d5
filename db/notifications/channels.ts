import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { notificationChannels, notificationSecrets, organizations } from '../schema/index.js';
import { inOrganization } from '../scope.js';

/** A sealed secret of a channel. */
export interface StoredSecret {
  readonly field: string;
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

const countDeliveries = (state: string) => sql<number>`(select count(*)::int from notification_deliveries as delivery
  where delivery.channel_uuid = ${notificationChannels.channelUuid} and delivery.state = ${state})`;

const columns = {
  organizationUuid: notificationChannels.organizationUuid,
  channel_id: notificationChannels.channelUuid,
  organization_code: organizations.organizationCode,
  name: notificationChannels.name,
  kind: notificationChannels.kind,
  settings: notificationChannels.settings,
  is_enabled: notificationChannels.isEnabled,
  pending: countDeliveries('pending'),
  failed: countDeliveries('failed'),
  previous_secret_valid_until: sql<number | null>`(select floor(extract(epoch from valid_until))::float8 from notification_secrets as secret
    where secret.channel_uuid = ${notificationChannels.channelUuid} and valid_until > now())`,
  created_at: notificationChannels.createdAt,
  modified_at: notificationChannels.modifiedAt,
};

function selectChannels(db: Db | Transaction) {
  return db
    .select(columns)
    .from(notificationChannels)
    .innerJoin(organizations, eq(organizations.organizationUuid, notificationChannels.organizationUuid))
    .$dynamic();
}
export type ChannelRow = Awaited<ReturnType<typeof selectChannels>>[number];

export async function listChannels(db: Db | Transaction, scope: string | null, page: PageRequest): Promise<Page<ChannelRow>> {
  const rows = await selectChannels(db)
    .where(
      and(
        inOrganization(notificationChannels.organizationUuid, scope),
        page.after === null ? undefined : gt(notificationChannels.channelUuid, page.after),
      ),
    )
    .orderBy(asc(notificationChannels.channelUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.channel_id);
}

/** Until the end of the transaction, for a command that decides by the row of the channel. */
export async function lockChannel(transaction: Transaction, channelUuid: string): Promise<void> {
  await transaction.execute(sql`select from notification_channels where channel_uuid = ${channelUuid} for no key update`);
}

export async function findChannel(db: Db | Transaction, scope: string | null, channelUuid: string): Promise<ChannelRow | null> {
  const [row] = await selectChannels(db).where(
    and(eq(notificationChannels.channelUuid, channelUuid), inOrganization(notificationChannels.organizationUuid, scope)),
  );
  return row ?? null;
}

/** Concurrent additions wait, so that the count holds until the end of the transaction. */
export async function countChannels(transaction: Transaction, organizationUuid: string): Promise<number> {
  await transaction.select().from(organizations).where(eq(organizations.organizationUuid, organizationUuid)).for('update');
  return transaction.$count(notificationChannels, eq(notificationChannels.organizationUuid, organizationUuid));
}

/** Throws a unique violation for a name that is taken. */
export async function insertChannel(transaction: Transaction, channel: typeof notificationChannels.$inferInsert): Promise<void> {
  await transaction.insert(notificationChannels).values(channel);
}

/** Throws a unique violation for a name that is taken. */
export async function updateChannelRow(
  transaction: Transaction,
  channelUuid: string,
  changes: Partial<Pick<typeof notificationChannels.$inferInsert, 'name' | 'settings' | 'isEnabled' | 'modifiedAt'>>,
): Promise<void> {
  await transaction.update(notificationChannels).set(changes).where(eq(notificationChannels.channelUuid, channelUuid));
}

/** Its rules and deliveries go with it. */
export async function deleteChannelRow(transaction: Transaction, channelUuid: string): Promise<void> {
  await transaction.delete(notificationChannels).where(eq(notificationChannels.channelUuid, channelUuid));
}

/** Replaces all secrets of the channel. */
export async function replaceSecrets(transaction: Transaction, channelUuid: string, secrets: readonly StoredSecret[]): Promise<void> {
  await transaction.delete(notificationSecrets).where(eq(notificationSecrets.channelUuid, channelUuid));
  if (secrets.length > 0) await transaction.insert(notificationSecrets).values(secrets.map((secret) => ({ channelUuid, ...secret })));
}

/** `validUntil`: null for a secret without an end. */
export async function saveSecret(
  transaction: Transaction,
  channelUuid: string,
  secret: StoredSecret & { validUntil: number | null },
): Promise<void> {
  await transaction
    .insert(notificationSecrets)
    .values({ channelUuid, ...secret })
    .onConflictDoUpdate({ target: [notificationSecrets.channelUuid, notificationSecrets.field], set: secret });
}

export async function findSecret(db: Db | Transaction, channelUuid: string, field: string): Promise<StoredSecret | null> {
  const { masterKeyId, wrappedKey, ciphertext } = notificationSecrets;
  const [secret] = await db
    .select({ field: notificationSecrets.field, masterKeyId, wrappedKey, ciphertext })
    .from(notificationSecrets)
    .where(and(eq(notificationSecrets.channelUuid, channelUuid), eq(notificationSecrets.field, field)));
  return secret ?? null;
}
