import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import { CHANNELS_AT_MOST, type Channel, type CreateChannel, type UpdateChannel } from '../../domain/notification/channel.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { notificationChannels, notificationEvents, notificationSecrets, organizations } from '../schema/index.js';
import { addDeliveries } from './routing.js';

/** A sealed secret of a channel. */
export interface StoredSecret {
  readonly field: string;
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

export type ChannelRow = Channel & { readonly organizationUuid: string };

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

function within(scope: string | null) {
  return scope === null ? undefined : eq(notificationChannels.organizationUuid, scope);
}

export async function listChannels(db: Db, scope: string | null, page: PageRequest): Promise<Page<ChannelRow>> {
  const rows = await selectChannels(db)
    .where(and(within(scope), page.after === null ? undefined : gt(notificationChannels.channelUuid, page.after)))
    .orderBy(asc(notificationChannels.channelUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.channel_id);
}

export async function findChannel(db: Db | Transaction, scope: string | null, channelUuid: string): Promise<ChannelRow | null> {
  const [row] = await selectChannels(db).where(and(eq(notificationChannels.channelUuid, channelUuid), within(scope)));
  return row ?? null;
}

/** Throws a unique violation for a name that is taken. `full`: the organization has the maximum. */
export async function createChannel(
  db: Db,
  by: Principal,
  given: Omit<CreateChannel, 'organization_code' | 'secrets'> & {
    organizationUuid: string;
    channelUuid: string;
    secrets: readonly StoredSecret[];
  },
): Promise<ChannelRow | 'full'> {
  const { organizationUuid, channelUuid, kind, name, settings, secrets } = given;
  return db.transaction(async (transaction) => {
    // Concurrent additions wait, so that the count holds.
    await transaction.select().from(organizations).where(eq(organizations.organizationUuid, organizationUuid)).for('update');
    const own = eq(notificationChannels.organizationUuid, organizationUuid);
    if ((await transaction.$count(notificationChannels, own)) >= CHANNELS_AT_MOST) return 'full';
    const now = nowSeconds();
    await transaction
      .insert(notificationChannels)
      .values({ channelUuid, organizationUuid, kind, name, settings, createdAt: now, modifiedAt: now });
    if (secrets.length > 0) await transaction.insert(notificationSecrets).values(secrets.map((secret) => ({ channelUuid, ...secret })));
    await audit(transaction, by, { organizationUuid, channel_id: channelUuid }, 'create', { kind, name });
    return requireChannel(transaction, channelUuid);
  });
}

/** Given secrets replace all stored ones. */
export async function updateChannel(
  db: Db,
  by: Principal,
  found: ChannelRow,
  update: Omit<UpdateChannel, 'secrets'> & { secrets?: readonly StoredSecret[] },
): Promise<ChannelRow> {
  const { channel_id: channelUuid } = found;
  return db.transaction(async (transaction) => {
    const { secrets } = update;
    const { name = found.name, settings = found.settings, is_enabled: isEnabled = found.is_enabled } = update;
    await transaction
      .update(notificationChannels)
      .set({ name, settings, isEnabled, modifiedAt: nowSeconds() })
      .where(eq(notificationChannels.channelUuid, channelUuid));
    if (secrets !== undefined) {
      await transaction.delete(notificationSecrets).where(eq(notificationSecrets.channelUuid, channelUuid));
      if (secrets.length > 0) await transaction.insert(notificationSecrets).values(secrets.map((secret) => ({ channelUuid, ...secret })));
    }
    await audit(transaction, by, found, 'update', { changed: Object.keys(update) });
    return requireChannel(transaction, channelUuid);
  });
}

/** Its rules and deliveries go with it. */
export async function deleteChannel(db: Db, by: Principal, channelUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const found = await findChannel(transaction, by.organizationUuid, channelUuid);
    if (!found) return false;
    await transaction.delete(notificationChannels).where(eq(notificationChannels.channelUuid, channelUuid));
    await audit(transaction, by, found, 'delete', { name: found.name });
    return true;
  });
}

/** Secrets of a rotation: `current` replaces the one in use, which stays valid as `previous` until the end of the overlap. */
export async function replaceSecret(
  db: Db,
  by: Principal,
  channel: ChannelRow,
  secrets: { current: StoredSecret; previous: StoredSecret; previousUntil: number },
): Promise<ChannelRow> {
  const { channel_id: channelUuid } = channel;
  return db.transaction(async (transaction) => {
    for (const row of [
      { ...secrets.current, validUntil: null },
      { ...secrets.previous, validUntil: secrets.previousUntil },
    ])
      await transaction
        .insert(notificationSecrets)
        .values({ channelUuid, ...row })
        .onConflictDoUpdate({ target: [notificationSecrets.channelUuid, notificationSecrets.field], set: row });
    await audit(transaction, by, channel, 'rotate-secret', {});
    return requireChannel(transaction, channelUuid);
  });
}

export async function findSecret(db: Db, channelUuid: string, field: string): Promise<StoredSecret | null> {
  const { masterKeyId, wrappedKey, ciphertext } = notificationSecrets;
  const [secret] = await db
    .select({ field: notificationSecrets.field, masterKeyId, wrappedKey, ciphertext })
    .from(notificationSecrets)
    .where(and(eq(notificationSecrets.channelUuid, channelUuid), eq(notificationSecrets.field, field)));
  return secret ?? null;
}

/** A test is an event for this channel only, with one attempt. Returns its delivery. */
export async function addTest(db: Db, by: Principal, channel: ChannelRow): Promise<string> {
  const { channel_id: channelUuid, organizationUuid } = channel;
  return db.transaction(async (transaction) => {
    const now = nowSeconds();
    const eventUuid = newUuid();
    const [event] = await transaction
      .insert(notificationEvents)
      .values({
        eventUuid,
        organizationUuid,
        name: 'notification.test',
        // Its own subject, so that it waits for no other delivery.
        subjectUuid: eventUuid,
        sequence: 1,
        data: { channel_id: channelUuid },
        at: now,
        routedAt: now,
      })
      .returning({ eventNo: notificationEvents.eventNo });
    const added = { organizationUuid, eventNo: event?.eventNo ?? 0, channelUuid, subjectUuid: eventUuid };
    const [deliveryUuid = ''] = await addDeliveries(transaction, [added], 0);
    await audit(transaction, by, channel, 'test', {});
    return deliveryUuid;
  });
}

async function requireChannel(transaction: Transaction, channelUuid: string): Promise<ChannelRow> {
  const channel = await findChannel(transaction, null, channelUuid);
  if (!channel) throw new Error('The channel was not found in the transaction that saved it.');
  return channel;
}

async function audit(
  transaction: Transaction,
  by: Principal,
  { organizationUuid, channel_id: target }: Pick<ChannelRow, 'organizationUuid' | 'channel_id'>,
  verb: string,
  details: Record<string, unknown>,
): Promise<void> {
  await recordAudit(transaction, { by, organizationUuid, action: `notification-channel.${verb}`, target, details });
}
