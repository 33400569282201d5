import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { InvestigationStatus, type InvestigationStatusName } from '../../domain/alert/alert.js';
import type { UnansweredQuestion } from '../../domain/investigation/investigation.js';
import { EvidenceKind, type EvidenceSource, Severity, type StoredReason, Verdict } from '../../domain/verdict/evidence.js';
import { epochSeconds, oneOf, PER_ALERT, unreferenced } from '../columns.js';

/** The case shows the most severe verdict among the newest investigations of its alerts. */
export const investigations = pgTable(
  'investigations',
  {
    alertUuid: unreferenced(PER_ALERT, uuid().notNull()),
    investigationNo: integer().notNull(),
    playbookUuid: unreferenced(PER_ALERT, uuid().notNull()),
    planVersion: integer(),
    /** The workflow build that runs it. null: the Temporal server has no Worker Versioning, or an earlier release began it. */
    build: text(),
    status: text().$type<InvestigationStatusName>().notNull(),
    attempt: integer().notNull(),
    verdict: text().$type<Verdict>(),
    score: smallint(),
    confidence: smallint(),
    severity: text().$type<Severity>(),
    summary: text().notNull().default(''),
    /** null: not ended, or an older version wrote the row. */
    reasons: jsonb().$type<readonly StoredReason[]>(),
    startedAt: epochSeconds().notNull(),
    endedAt: epochSeconds(),
  },
  (table) => [
    primaryKey({ columns: [table.alertUuid, table.investigationNo] }),
    index('investigations_by_playbook').on(table.playbookUuid, table.alertUuid),
    oneOf('investigations', 'status', Object.keys(InvestigationStatus)),
    oneOf('investigations', 'verdict', Verdict.options),
    oneOf('investigations', 'severity', Severity.options),
  ],
);

/** A later investigation, started by its own workflow when it is due. */
export const followUps = pgTable(
  'follow_ups',
  {
    alertUuid: unreferenced(PER_ALERT, uuid().notNull()),
    /** The investigation that requested the follow-up; at most one each. */
    investigationNo: integer().notNull(),
    reason: text().notNull(),
    /** The questions that a third party could not answer; the follow-up starts early if it answers again. null: a playbook's own follow-up. */
    waitsFor: jsonb().$type<UnansweredQuestion[]>(),
    dueAt: epochSeconds().notNull(),
    createdAt: epochSeconds().notNull(),
    endedAt: epochSeconds(),
    outcome: text(),
  },
  (table) => [
    primaryKey({ columns: [table.alertUuid, table.investigationNo] }),
    index('follow_ups_open').on(table.dueAt).where(sql`ended_at is null`),
  ],
);

export const evidence = pgTable(
  'evidence',
  {
    alertUuid: unreferenced(PER_ALERT, uuid().notNull()),
    investigationNo: integer().notNull(),
    attempt: integer().notNull(),
    step: text().notNull(),
    at: epochSeconds().notNull(),
    kind: text().$type<EvidenceKind>().notNull(),
    source: jsonb().$type<EvidenceSource>(),
    title: text().notNull(),
    points: smallint().notNull(),
    reason: text().notNull(),
    techniques: text().array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.alertUuid, table.investigationNo, table.attempt, table.step] }),
    // Entries without points repeat the questions of the playbook and explain no verdict.
    index('evidence_findings').using('gin', table.reason.op('gin_trgm_ops'), table.title.op('gin_trgm_ops')).where(sql`points <> 0`),
    oneOf('evidence', 'kind', EvidenceKind.options),
  ],
);

/** Workflow code by its hash: a run keeps the code that it began with. */
export const workflowBundles = pgTable('workflow_bundles', {
  buildId: text().primaryKey(),
  /** gzip, base64 */
  code: text().notNull(),
  /** Of id and code; null for a bundle that an earlier version stored. */
  authentication: jsonb().$type<{ readonly masterKeyId: string; readonly code: string }>(),
  createdAt: epochSeconds().notNull(),
  lastUsedAt: epochSeconds().notNull(),
});
