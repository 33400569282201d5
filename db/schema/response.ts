import { sql } from 'drizzle-orm';
import { type AnyPgColumn, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import type { ProposalState } from '../../domain/response/proposal.js';
import { ProtectedKind } from '../../domain/response/response-rules.js';
import { RuleChangeKind } from '../../domain/response/rule-change.js';
import { epochSeconds, oneOf, skillKeyOfVerb, USER_OR_KEY, unreferenced } from '../columns.js';
import { alerts } from './alerts.js';
import { organizations, users } from './identity.js';

/**
 * A write that a playbook proposes, or that a person requests. Only its workflow sends it, and only with the approvals in
 * `proposal_decisions`. The request of a person is the first of them.
 */
export const proposals = pgTable(
  'proposals',
  {
    proposalUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    /** null for a write that a person requests. */
    alertUuid: uuid().references(() => alerts.alertUuid),
    investigationNo: integer(),
    requestedBy: text(),
    requestedByUuid: unreferenced(USER_OR_KEY, uuid()),
    requestedByUserUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    /** The same write for the same alert is one proposal in all investigations. */
    proposalKey: text().notNull(),
    connectionUuid: unreferenced('A proposal outlives its connection', uuid().notNull()),
    /** The catalogue key (`endpointDetection`). */
    connectorKey: text().notNull(),
    verb: text().notNull(),
    skillKey: skillKeyOfVerb(),
    /** The title, see `skill_results`. */
    skillId: text().notNull(),
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    reason: text().notNull(),
    /** The affected assets; null where they are unknown. */
    assets: jsonb().$type<AffectedAssets>(),
    state: text().$type<ProposalState>().notNull(),
    /** Why an approved proposal is not sent yet. */
    heldBecause: text(),
    /** Undone after this time, unless a person reconfirms it. */
    releaseAfterHours: integer(),
    /** The proposal that this one undoes at `run_at`. */
    undoOf: uuid().references((): AnyPgColumn => proposals.proposalUuid),
    runAt: epochSeconds(),
    proposedAt: epochSeconds().notNull(),
    expiresAt: epochSeconds(),
    endedAt: epochSeconds(),
    resultUuid: unreferenced('A proposal outlives the answer, which retention deletes', uuid()),
    outcome: text(),
    error: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [
    uniqueIndex('proposals_key').on(table.proposalKey),
    index('proposals_by_alert').on(table.alertUuid, table.proposalUuid),
    index('proposals_by_organization').on(table.organizationUuid, table.proposalUuid),
    index('proposals_by_undo').on(table.undoOf).where(sql`undo_of is not null`),
    index('proposals_unended').on(table.proposedAt).where(sql`ended_at is null`),
    index('proposals_manual').on(table.organizationUuid, table.proposalUuid).where(sql`alert_uuid is null`),
    check('proposals_origin', sql`num_nonnulls(alert_uuid, requested_by_uuid) = 1`),
  ],
);

/** One decision for each person. */
export const proposalDecisions = pgTable(
  'proposal_decisions',
  {
    proposalUuid: uuid()
      .notNull()
      .references(() => proposals.proposalUuid),
    principalUuid: unreferenced(USER_OR_KEY, uuid().notNull()),
    by: text().notNull(),
    byUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    decision: text().$type<'approve' | 'refuse'>().notNull(),
    reason: text(),
    at: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.proposalUuid, table.principalUuid] })],
);

/** A write that affects one of these shows a caution and needs two approvals. */
export const protectedAssets = pgTable(
  'protected_assets',
  {
    assetUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    kind: text().$type<ProtectedKind>().notNull(),
    value: text().notNull(),
    reason: text().notNull(),
    createdBy: text().notNull(),
    createdByUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [
    uniqueIndex('protected_assets_key').on(table.organizationUuid, table.kind, sql`lower(${table.value})`),
    oneOf('protected_assets', 'kind', ProtectedKind.options),
  ],
);

/** Without a row, the defaults of `domain/response/response-rules.ts` apply. */
export const responseRules = pgTable('response_rules', {
  organizationUuid: uuid()
    .primaryKey()
    .references(() => organizations.organizationUuid),
  writesPerHour: integer(),
  stoppedAt: epochSeconds(),
  stoppedBy: text(),
  stoppedByUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
  stopReason: text(),
});

/** A relaxed rule that waits for a second person, who repeats the request. */
export const ruleChanges = pgTable(
  'rule_changes',
  {
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    change: text().$type<RuleChangeKind>().notNull(),
    target: unreferenced('A connection, a protected asset, a proposal, a remote agent or the organization itself', uuid().notNull()),
    value: integer(),
    askedBy: text().notNull(),
    askedByUuid: unreferenced(USER_OR_KEY, uuid().notNull()),
    askedByUserUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    askedAt: epochSeconds().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationUuid, table.change, table.target] }),
    oneOf('rule_changes', 'change', RuleChangeKind.options),
  ],
);
