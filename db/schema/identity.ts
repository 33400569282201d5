import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { Role } from '../../domain/identity/identity.js';
import { epochSeconds, oneOf, USER_OR_KEY, unreferenced } from '../columns.js';

export const organizations = pgTable(
  'organizations',
  {
    organizationUuid: uuid().primaryKey(),
    organizationCode: text().notNull(),
    name: text().notNull(),
    /** Local users with a role in the organization need a code of an authenticator app. */
    requiresTwoFactor: boolean().notNull().default(false),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [uniqueIndex('organizations_code_key').on(sql`lower(${table.organizationCode})`)],
);

export const providers = pgTable(
  'providers',
  {
    providerUuid: uuid().primaryKey(),
    name: text().notNull(),
    segment: text().notNull(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [uniqueIndex('providers_name_key').on(table.name), uniqueIndex('providers_segment_key').on(table.segment)],
);

export interface SealedTotp {
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

/** A person. A deactivated user keeps the row, because decisions and the audit log lead to it. */
export const users = pgTable(
  'users',
  {
    userUuid: uuid().primaryKey(),
    name: text().notNull(),
    email: text(),
    /** argon2id; null for a user of the identity provider. */
    passwordHash: text(),
    /** Both from the identity provider; null for a local user. */
    issuer: text(),
    subject: text(),
    /** The sealed secret of the authenticator app, and one that waits for its first code. */
    totp: jsonb().$type<SealedTotp>(),
    totpPending: jsonb().$type<SealedTotp>(),
    /** The last used time step: a code counts once. */
    totpStep: bigint({ mode: 'number' }),
    /** Codes that were not right since then. */
    codeGuesses: integer().notNull().default(0),
    codeGuessesSince: epochSeconds(),
    createdAt: epochSeconds().notNull(),
    lastSignInAt: epochSeconds(),
    deactivatedAt: epochSeconds(),
    /** Set by the operator: the account of a person whom the operator knows. The two-person rules count it. */
    vouchedAt: epochSeconds(),
    /** A user of the identity provider must sign in again after this time, unless a check confirms the account before. null: no limit. */
    accessUntil: epochSeconds(),
  },
  (table) => [
    // Unique only among the users of an organization, so that no organization learns whom another one has. `addUser` checks it.
    index('users_by_email').on(sql`lower(${table.email})`).where(sql`issuer is null and deactivated_at is null`),
    index('users_by_name').on(sql`lower(${table.name})`).where(sql`deactivated_at is null`),
    uniqueIndex('users_subject_key').on(table.issuer, table.subject),
  ],
);

/** With it, the service asks the identity provider in the background whether a user still has a role. */
export const providerTokens = pgTable(
  'provider_tokens',
  {
    userUuid: uuid()
      .primaryKey()
      .references(() => users.userUuid),
    /** The sealed refresh token. */
    token: jsonb().$type<SealedTotp>().notNull(),
    /** Rises with each sign-in and each check: only the newest of them changes the token. */
    version: integer().notNull().default(1),
    /** The next check. A process that begins one moves it, so that no other one uses the token meanwhile. */
    dueAt: epochSeconds().notNull(),
    /** A request with this token got no reply, so the provider may have replaced it. */
    isUncertain: boolean().notNull().default(false),
  },
  (table) => [index('provider_tokens_by_due').on(table.dueAt)],
);

/** The role of a user in one organization, or in all. */
export const memberships = pgTable(
  'memberships',
  {
    membershipUuid: uuid().primaryKey(),
    userUuid: uuid()
      .notNull()
      .references(() => users.userUuid),
    /** null: all organizations. */
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    role: text().$type<Role>().notNull(),
    /** Set by the claims of the last sign-in, which can also take it away. */
    fromClaims: boolean().notNull(),
  },
  (table) => [
    unique('memberships_key').on(table.userUuid, table.organizationUuid).nullsNotDistinct(),
    index('memberships_by_organization').on(table.organizationUuid),
    oneOf('memberships', 'role', Role.options),
  ],
);

export const userSessions = pgTable(
  'user_sessions',
  {
    sessionUuid: uuid().primaryKey(),
    userUuid: uuid()
      .notNull()
      .references(() => users.userUuid),
    tokenHash: text().notNull(),
    /** The active membership. A session whose membership ends continues with another one of the user. */
    membershipUuid: uuid().references(() => memberships.membershipUuid, { onDelete: 'set null' }),
    client: text().notNull(),
    createdAt: epochSeconds().notNull(),
    lastSeenAt: epochSeconds().notNull(),
    endsAt: epochSeconds().notNull(),
    /** The last time the user entered a password or a code again; null: not since the sign-in. */
    verifiedAt: epochSeconds(),
    revokedAt: epochSeconds(),
  },
  (table) => [uniqueIndex('user_sessions_token_key').on(table.tokenHash), index('user_sessions_by_user').on(table.userUuid)],
);

/** A link with which one person becomes a local user. */
export const invitations = pgTable(
  'invitations',
  {
    invitationUuid: uuid().primaryKey(),
    tokenHash: text().notNull(),
    /** null: the set-up link of the first admin, who enters the address. */
    email: text(),
    role: text().$type<Role>().notNull(),
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    invitedBy: text().notNull(),
    invitedByUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    holderUuid: uuid().references(() => users.userUuid),
    createdAt: epochSeconds().notNull(),
    expiresAt: epochSeconds().notNull(),
    /** Used or revoked. */
    endedAt: epochSeconds(),
    userUuid: uuid().references(() => users.userUuid),
    /** The operator vouches for the person who uses the link: it was shown only on the terminal of the start. */
    vouches: boolean().notNull().default(false),
  },
  (table) => [
    uniqueIndex('invitations_token_key').on(table.tokenHash),
    index('invitations_by_organization').on(table.organizationUuid),
    index('invitations_by_holder').on(table.holderUuid).where(sql`ended_at is null`),
    oneOf('invitations', 'role', Role.options),
  ],
);

/** A claim of the identity provider that gives its users a role. */
export const claimMappings = pgTable(
  'claim_mappings',
  {
    mappingUuid: uuid().primaryKey(),
    claim: text().notNull(),
    value: text().notNull(),
    role: text().$type<Role>().notNull(),
    /** null: all organizations. */
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [
    unique('claim_mappings_key').on(table.claim, table.value, table.organizationUuid).nullsNotDistinct(),
    oneOf('claim_mappings', 'role', Role.options),
  ],
);

/** A sign-in that is at the identity provider. The row is deleted when the browser returns, so that a reply counts once. */
export const providerSignIns = pgTable('provider_sign_ins', {
  stateHash: text().primaryKey(),
  nonce: text().notNull(),
  codeVerifier: text().notNull(),
  returnTo: text().notNull(),
  expiresAt: epochSeconds().notNull(),
});

export const apiKeys = pgTable(
  'api_keys',
  {
    keyUuid: uuid().primaryKey(),
    name: text().notNull(),
    role: text().$type<Role>().notNull(),
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    /** The first half of the hash finds the row; the full hash is compared in constant time. */
    lookup: text().notNull(),
    hash: text().notNull(),
    createdAt: epochSeconds().notNull(),
    expiresAt: epochSeconds(),
    revokedAt: epochSeconds(),
    /** The user whom the key acts for; null: the key of a service. */
    ownerUuid: uuid().references(() => users.userUuid),
    /** null: a key from before services had names, whose own name is the service. */
    service: text(),
    /** The person who counts in approvals: the owner, or the person who created the key; null: the key itself. */
    personUuid: unreferenced(USER_OR_KEY, uuid()),
    /** Of the key of a service: the person whose access ends it. First the creator, then the person who took it over. */
    holderUuid: uuid().references(() => users.userUuid),
  },
  (table) => [
    uniqueIndex('api_keys_lookup_key').on(table.lookup),
    uniqueIndex('api_keys_name_key')
      .on(sql`coalesce(${table.organizationUuid}, '00000000-0000-0000-0000-000000000000')`, sql`lower(${table.name})`)
      .where(sql`revoked_at is null`),
    index('api_keys_by_owner').on(table.ownerUuid).where(sql`owner_uuid is not null`),
    index('api_keys_by_holder').on(table.holderUuid).where(sql`revoked_at is null`),
    oneOf('api_keys', 'role', Role.options),
  ],
);

/** Append-only: a trigger refuses updates and deletes, except by a retention rule and by a running erasure. */
export const auditLog = pgTable(
  'audit_log',
  {
    entryNo: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: epochSeconds().notNull(),
    principalUuid: unreferenced(USER_OR_KEY, uuid()),
    /** The name at that time, also after a rename: the log is append-only. */
    principalName: text().notNull(),
    organizationUuid: unreferenced('The intake writes an entry for each alert, and each would lock the row of the organization', uuid()),
    action: text().notNull(),
    target: text().notNull(),
    details: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [
    index('audit_log_by_organization').on(table.organizationUuid, table.entryNo),
    // Most entries are `alert.create`. The partial indexes exclude them, so that the intake does not pay for them.
    index('audit_log_by_principal').on(table.principalName, table.entryNo).where(sql`action <> 'alert.create'`),
    index('audit_log_by_target').on(table.target, table.entryNo).where(sql`action <> 'alert.create'`),
    index('audit_log_by_action').on(table.action, table.entryNo).where(sql`action <> 'alert.create'`),
  ],
);
