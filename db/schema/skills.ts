import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { AffectedAssets } from '../../domain/connection/affected-assets.js';
import type { SkillRunState } from '../../domain/connection/connection.js';
import type { SkillKey } from '../../domain/skill-key.js';
import { epochSeconds, PER_ALERT, skillKeyOfVerb, USER_OR_KEY, unreferenced } from '../columns.js';
import { organizations, users } from './identity.js';

/** Every skill call with its full answer. Workflow histories carry only the id and a truncated answer. */
export const skillResults = pgTable(
  'skill_results',
  {
    resultUuid: uuid().primaryKey(),
    organizationUuid: unreferenced(PER_ALERT, uuid().notNull()),
    connectionUuid: unreferenced('An answer outlives its connection', uuid().notNull()),
    /** The connector's kind, as in `connections`. */
    connectorKind: text().notNull(),
    skillKey: text().$type<SkillKey>().notNull(),
    /** The skill's title at the time of the call: a later version may not have the skill. */
    skillId: text().notNull(),
    /** The unique key prevents a second execution of a write. null for a read, which may be repeated. */
    operationKey: text(),
    alertUuid: unreferenced(PER_ALERT, uuid()),
    runUuid: unreferenced('Retention deletes the run with its answer', uuid()),
    status: text().$type<'started' | 'done' | 'failed'>().notNull(),
    input: jsonb().notNull(),
    output: jsonb(),
    requestDigest: text().notNull(),
    replyDigest: text(),
    error: jsonb().$type<Record<string, unknown>>(),
    attempts: integer().notNull().default(1),
    startedAt: epochSeconds().notNull(),
    /** The time of the copy that gave the answer; null: the third party answered. */
    copiedAt: epochSeconds(),
    /** When the request of a write left this service; null while it has not left. */
    sentAt: epochSeconds(),
    durationMs: integer(),
  },
  (table) => [
    uniqueIndex('skill_results_operation_key').on(table.operationKey),
    index('skill_results_by_alert').on(table.alertUuid, table.resultUuid),
    index('skill_results_by_run').on(table.runUuid),
    index('skill_results_by_question')
      .on(table.connectionUuid, table.skillKey, table.requestDigest, table.resultUuid)
      .where(sql`operation_key is null`),
    index('skill_results_by_connection').on(table.connectionUuid, table.resultUuid),
    index('skill_results_reads').on(table.organizationUuid, table.resultUuid).where(sql`operation_key is null`),
    index('skill_results_writes').on(table.organizationUuid, table.startedAt).where(sql`operation_key is not null`),
  ],
);

/** A read that a person or a source requested. The workflow gets only the id. Earlier versions stored writes here too. */
export const skillRuns = pgTable(
  'skill_runs',
  {
    runUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    connectionUuid: unreferenced('A run outlives its connection', uuid().notNull()),
    /** The catalogue key, see `proposals`. */
    connectorKey: text().notNull(),
    verb: text().notNull(),
    skillKey: skillKeyOfVerb(),
    /** The title, see `skill_results`. */
    skillId: text().notNull(),
    input: jsonb().notNull(),
    /** Of an ended write. */
    assets: jsonb().$type<AffectedAssets>(),
    askedBy: text().notNull(),
    askedByUuid: unreferenced(USER_OR_KEY, uuid().notNull()),
    askedByUserUuid: uuid().references(() => users.userUuid, { onDelete: 'set null' }),
    askedAt: epochSeconds().notNull(),
    state: text().$type<SkillRunState>().notNull(),
    /** Of an ended write of an earlier version: the name at that time. */
    decidedBy: text(),
    resultUuid: unreferenced('Written after the run; retention deletes both', uuid()),
    error: jsonb().$type<Record<string, unknown>>(),
    endedAt: epochSeconds(),
  },
  (table) => [
    index('skill_runs_by_connection').on(table.connectionUuid, table.runUuid),
    index('skill_runs_unended').on(table.askedAt).where(sql`state = 'running'`),
  ],
);
