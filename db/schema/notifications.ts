import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { DeliveryState } from '../../domain/notification/delivery.js';
import type { RuleEvent } from '../../domain/notification/event.js';
import type { InboxPreferences } from '../../domain/notification/inbox.js';
import type { Digest, QuietHours } from '../../domain/notification/schedule.js';
import { Severity, type Verdict } from '../../domain/verdict/evidence.js';
import { epochSeconds, exactSeconds, oneOf, unreferenced } from '../columns.js';
import { organizations, users } from './identity.js';

const PER_EVENT = 'Each event writes it, and the check would lock the row of the organization, which is never deleted';

/** Commands write the events of a transaction last. The number is the order of the events. */
export const notificationEvents = pgTable(
  'notification_events',
  {
    eventNo: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Constant for all deliveries and all their repetitions. */
    eventUuid: unreferenced('The id of this row', uuid().notNull()),
    organizationUuid: unreferenced(PER_EVENT, uuid().notNull()),
    name: text().notNull(),
    /** The case, connection or agent. Deliveries of the same subject keep their order. */
    subjectUuid: unreferenced('Rows of several tables. Retention deletes the events with their case', uuid().notNull()),
    sequence: bigint({ mode: 'number' }).notNull(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    at: epochSeconds().notNull(),
    /** null: the router has not compared the event with the rules yet. */
    routedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('notification_events_event_key').on(table.eventUuid),
    index('notification_events_unrouted').on(table.eventNo).where(sql`routed_at is null`),
    index('notification_events_by_subject').on(table.subjectUuid),
    index('notification_events_by_age').on(table.at),
  ],
);

/** The last event of each subject. Writers of the same subject wait for each other here. */
export const notificationSubjects = pgTable('notification_subjects', {
  subjectUuid: uuid().primaryKey(),
  lastSequence: bigint({ mode: 'number' }).notNull(),
  lastName: text().notNull(),
});

/** `notification_secrets` has the encrypted secrets of a channel. */
export const notificationChannels = pgTable(
  'notification_channels',
  {
    channelUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    /** A key of `channels/catalogue.ts`. No check constraint, so that a new channel needs no migration. */
    kind: text().notNull(),
    name: text().notNull(),
    settings: jsonb().$type<Record<string, unknown>>().notNull(),
    isEnabled: boolean().notNull().default(true),
    /** The receiver asked for a pause. */
    blockedUntil: exactSeconds(),
    createdAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
  },
  (table) => [uniqueIndex('notification_channels_name_key').on(table.organizationUuid, table.name)],
);

export const notificationSecrets = pgTable(
  'notification_secrets',
  {
    channelUuid: uuid()
      .notNull()
      .references(() => notificationChannels.channelUuid, { onDelete: 'cascade' }),
    field: text().notNull(),
    /** The master key that wraps the data key. */
    masterKeyId: text().notNull(),
    wrappedKey: text().notNull(),
    ciphertext: text().notNull(),
    /** For the previous secret of a rotation: the end of the overlap. */
    validUntil: epochSeconds(),
  },
  (table) => [primaryKey({ columns: [table.channelUuid, table.field] }), index('notification_secrets_by_key').on(table.masterKeyId)],
);

/** Empty lists and null match every event. */
export const notificationRules = pgTable(
  'notification_rules',
  {
    ruleUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    channelUuid: uuid()
      .notNull()
      .references(() => notificationChannels.channelUuid, { onDelete: 'cascade' }),
    name: text().notNull(),
    events: jsonb().$type<RuleEvent[]>().notNull(),
    minSeverity: text().$type<Severity>(),
    verdicts: jsonb().$type<Verdict[]>().notNull(),
    assignee: text(),
    assigneeUuid: uuid().references(() => users.userUuid),
    isEnabled: boolean().notNull().default(true),
    quietHours: jsonb().$type<QuietHours>(),
    digest: jsonb().$type<Digest>(),
    criticalAtOnce: boolean().notNull().default(false),
    createdAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
  },
  (table) => [
    index('notification_rules_by_organization').on(table.organizationUuid, table.ruleUuid),
    oneOf('notification_rules', 'min_severity', Severity.options),
  ],
);

/** One row for each event and channel, with the state of its delivery. */
export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    deliveryUuid: uuid().primaryKey(),
    organizationUuid: unreferenced(PER_EVENT, uuid().notNull()),
    eventNo: bigint({ mode: 'number' })
      .notNull()
      .references(() => notificationEvents.eventNo, { onDelete: 'cascade' }),
    channelUuid: uuid()
      .notNull()
      .references(() => notificationChannels.channelUuid, { onDelete: 'cascade' }),
    /** Of a digest: its rule. */
    subjectUuid: unreferenced('The subject of the event, or a rule, which an admin can delete', uuid().notNull()),
    /** Pending deliveries of a rule that are due at the same time are one message. */
    isDigest: boolean().notNull().default(false),
    /** The end of quiet hours, or the time of the digest. null: at once. */
    notBefore: epochSeconds(),
    state: text().$type<DeliveryState>().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    /**
     * `infinity`: after an earlier delivery of the same subject. While a worker sends it: the time after which the worker is taken
     * for dead.
     */
    nextAttemptAt: exactSeconds().notNull(),
    /** A failure after this time is final. */
    expiresAt: epochSeconds().notNull(),
    lastError: text(),
    createdAt: epochSeconds().notNull(),
    endedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('notification_deliveries_key').on(table.eventNo, table.channelUuid),
    index('notification_deliveries_due').on(table.channelUuid, table.nextAttemptAt).where(sql`state = 'pending'`),
    index('notification_deliveries_order').on(table.channelUuid, table.subjectUuid, table.eventNo).where(sql`state = 'pending'`),
    index('notification_deliveries_by_organization').on(table.organizationUuid, table.deliveryUuid),
    index('notification_deliveries_by_channel').on(table.channelUuid, table.deliveryUuid),
    oneOf('notification_deliveries', 'state', DeliveryState.options),
  ],
);

/** The place of a message at the receiver, for channels whose messages can be updated. */
export const notificationMessages = pgTable(
  'notification_messages',
  {
    channelUuid: uuid()
      .notNull()
      .references(() => notificationChannels.channelUuid, { onDelete: 'cascade' }),
    correlationKey: text().notNull(),
    reference: jsonb().$type<Record<string, unknown>>().notNull(),
    sentAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.channelUuid, table.correlationKey] }), index('notification_messages_by_age').on(table.sentAt)],
);

/** An event in the inbox of a user. It is deleted with the event. */
export const inboxEntries = pgTable(
  'inbox_entries',
  {
    entryUuid: uuid().primaryKey(),
    organizationUuid: unreferenced(PER_EVENT, uuid().notNull()),
    eventNo: bigint({ mode: 'number' })
      .notNull()
      .references(() => notificationEvents.eventNo, { onDelete: 'cascade' }),
    userUuid: uuid()
      .notNull()
      .references(() => users.userUuid),
    readAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('inbox_entries_key').on(table.eventNo, table.userUuid),
    index('inbox_entries_by_user').on(table.userUuid, table.entryUuid),
    index('inbox_entries_unread').on(table.userUuid, table.entryUuid).where(sql`read_at is null`),
  ],
);

/** Users without a row have the default. */
export const inboxPreferences = pgTable('inbox_preferences', {
  userUuid: uuid()
    .primaryKey()
    .references(() => users.userUuid),
  preferences: jsonb().$type<InboxPreferences>().notNull(),
  modifiedAt: epochSeconds().notNull(),
});
