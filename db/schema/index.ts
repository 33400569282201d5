import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { InvestigationStatusName } from '../../domain/alert/alert.js';
import type { EntityKind } from '../../domain/alert/entity.js';
import type { CaseStatus, TimelineEntry } from '../../domain/case/case.js';
import type { EvidenceKind, EvidenceSource, Severity, Verdict } from '../../domain/case/evidence.js';
import type { ConnectionState, SkillRunState } from '../../domain/connection/connection.js';
import type { Role } from '../../domain/identity/identity.js';
import type { Plan, PlaybookOrigin } from '../../domain/playbook/playbook.js';
import type { AffectedAssets } from '../../domain/response/affected-assets.js';
import type { ProposalState } from '../../domain/response/proposal.js';
import type { ProtectedKind } from '../../domain/response/response-rules.js';
import { epochSeconds, int64 } from '../columns.js';

// Every uuid that is a primary key is a version 7: time-ordered, so that it is also the key of keyset pages.

export const organizations = pgTable(
  'organizations',
  {
    organizationUuid: uuid().primaryKey(),
    organizationCode: text().notNull(),
    name: text().notNull(),
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

export const apiKeys = pgTable(
  'api_keys',
  {
    keyUuid: uuid().primaryKey(),
    name: text().notNull(),
    role: text().$type<Role>().notNull(),
    organizationUuid: uuid().references(() => organizations.organizationUuid),
    /** The first half of the hash finds the row, the whole is compared in constant time. */
    lookup: text().notNull(),
    hash: text().notNull(),
    createdAt: epochSeconds().notNull(),
    expiresAt: epochSeconds(),
    revokedAt: epochSeconds(),
  },
  (table) => [uniqueIndex('api_keys_lookup_key').on(table.lookup)],
);

/**
 * Intake writes thousands of rows a second that share a few parents: a foreign key would lock the same parent row in every
 * transaction. Parents are never deleted, so none is needed.
 */
export const alerts = pgTable(
  'alerts',
  {
    alertUuid: uuid().primaryKey(),
    alertId: text().notNull(),
    organizationUuid: uuid().notNull(),
    providerUuid: uuid().notNull(),
    alertType: text().notNull(),
    alertTypeKey: text().notNull(),
    alertContent: text().notNull(),
    createdAtSource: int64(),
    createdBy: uuid().notNull(),
    createdAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
    investigationStatus: smallint().notNull().default(0),
    investigationRetryCount: integer().notNull().default(0),
    investigationNo: integer().notNull().default(1),
    /** The investigation that Temporal last accepted; behind `investigation_no`, the row waits in the outbox. */
    dispatchedNo: integer().notNull().default(0),
    leaseUntil: epochSeconds(),
    requeueCount: smallint().notNull().default(0),
    playbookUuid: uuid(),
    /** The version of the generated plan that its newest investigation began with. */
    planVersion: integer(),
    /** Set by a re-run from a step: answers that were stored before this result are used again instead of asked again. */
    reuseBefore: uuid(),
    completedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('alerts_alert_id_key').on(table.alertId),
    index('alerts_outbox').on(table.organizationUuid, table.alertUuid).where(sql`dispatched_no < investigation_no`),
    index('alerts_by_organization').on(table.organizationUuid, table.alertUuid),
    index('alerts_by_organization_status').on(table.organizationUuid, table.investigationStatus, table.alertUuid),
    index('alerts_by_status').on(table.investigationStatus, table.alertUuid),
    index('alerts_by_provider').on(table.providerUuid, table.alertUuid),
    index('alerts_by_type').on(table.alertTypeKey, table.alertUuid),
    index('alerts_by_creator').on(table.createdBy, table.alertUuid),
  ],
);

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The words an alert can be found by, written when its case is opened: indexing text costs more than all the rest of an
 * alert's row, and intake should not wait for it.
 */
export const alertTexts = pgTable(
  'alert_texts',
  {
    alertUuid: uuid().primaryKey(),
    words: tsvector().notNull(),
  },
  (table) => [index('alert_texts_by_word').using('gin', table.words)],
);

export const alertSequences = pgTable(
  'alert_sequences',
  {
    organizationUuid: uuid().notNull(),
    providerUuid: uuid().notNull(),
    lastNumber: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.providerUuid] })],
);

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    principalUuid: uuid().notNull(),
    key: text().notNull(),
    bodyDigest: text().notNull(),
    alertUuid: uuid().notNull(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.principalUuid, table.key] }), index('idempotency_keys_by_age').on(table.createdAt)],
);

export const alertEntities = pgTable(
  'alert_entities',
  {
    alertUuid: uuid().notNull(),
    organizationUuid: uuid().notNull(),
    kind: text().$type<EntityKind>().notNull(),
    value: text().notNull(),
    /** A value may be longer than an index entry can be. */
    digest: uuid().notNull().generatedAlwaysAs(sql`md5(value)::uuid`),
  },
  (table) => [
    primaryKey({ columns: [table.alertUuid, table.kind, table.digest] }),
    index('alert_entities_by_value').on(table.organizationUuid, table.kind, table.digest, table.alertUuid),
  ],
);

export const playbooks = pgTable('playbooks', {
  playbookUuid: uuid().primaryKey(),
  /** null: serves every organization. */
  organizationUuid: uuid().references(() => organizations.organizationUuid),
  name: text().notNull(),
  origin: text().$type<PlaybookOrigin>().notNull(),
  workflowType: text().notNull(),
  severity: text().$type<Severity>(),
  /** The newest version of the plan; 1 for a written playbook. */
  version: integer().notNull().default(1),
  /** New investigations take this version; null: the newest. */
  pinnedVersion: integer(),
  createdAt: epochSeconds().notNull(),
  modifiedAt: epochSeconds().notNull(),
});

/** Plans are never changed: an edit is a new version, and an investigation keeps the one it began with. */
export const playbookPlans = pgTable(
  'playbook_plans',
  {
    playbookUuid: uuid()
      .notNull()
      .references(() => playbooks.playbookUuid),
    version: integer().notNull(),
    plan: jsonb().$type<Plan>().notNull(),
    /** Name of the principal; null where the service made it. */
    author: text(),
    madeFrom: integer(),
    /** Which planner made it; another one may make a better plan. null for a person's. */
    planner: text(),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.playbookUuid, table.version] })],
);

/** The unique key makes one playbook of two alerts that bring a new type at the same moment. */
export const playbookAlertTypes = pgTable(
  'playbook_alert_types',
  {
    organizationUuid: uuid(),
    alertTypeKey: text().notNull(),
    alertType: text().notNull(),
    playbookUuid: uuid().notNull(),
  },
  (table) => [
    unique('playbook_alert_types_key').on(table.alertTypeKey, table.organizationUuid).nullsNotDistinct(),
    index('playbook_alert_types_by_playbook').on(table.playbookUuid),
  ],
);

export const caseSequences = pgTable('case_sequences', {
  organizationUuid: uuid().primaryKey(),
  lastNumber: bigint({ mode: 'number' }).notNull(),
});

export const cases = pgTable(
  'cases',
  {
    caseUuid: uuid().primaryKey(),
    caseId: text().notNull(),
    organizationUuid: uuid().notNull(),
    /** The alert that opened it; `case_alerts` holds all. */
    alertUuid: uuid().notNull(),
    status: text().$type<CaseStatus>().notNull().default('open'),
    severity: text().$type<Severity>(),
    verdict: text().$type<Verdict>(),
    score: smallint(),
    confidence: smallint(),
    summary: text().notNull().default(''),
    assignee: text(),
    analystVerdict: text().$type<Verdict>(),
    analystVerdictReason: text(),
    /** The case that has its alerts since it was merged, and how it stood before. */
    mergedInto: uuid(),
    statusBeforeMerge: text().$type<CaseStatus>(),
    openedAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
    closedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('cases_case_id_key').on(table.caseId),
    index('cases_by_organization').on(table.organizationUuid, table.caseUuid),
    index('cases_by_organization_status').on(table.organizationUuid, table.status, table.caseUuid),
    index('cases_by_status').on(table.status, table.caseUuid),
    index('cases_by_severity').on(table.severity, table.caseUuid),
    index('cases_by_verdict').on(table.verdict, table.caseUuid),
    index('cases_by_assignee').on(table.assignee, table.caseUuid),
    index('cases_by_merge').on(table.mergedInto).where(sql`merged_into is not null`),
    index('cases_by_analyst_verdict').on(table.caseUuid).where(sql`analyst_verdict is not null`),
  ],
);

/** The primary key is the promise: an alert is in exactly one case. */
export const caseAlerts = pgTable(
  'case_alerts',
  {
    alertUuid: uuid().primaryKey(),
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid),
    /** The case that was opened for it: where it goes back to when a merge is undone. null: the same. */
    homeCaseUuid: uuid(),
  },
  (table) => [index('case_alerts_by_case').on(table.caseUuid)],
);

/** What came of each investigation of an alert; the case shows the worst of its alerts' newest. */
export const investigations = pgTable(
  'investigations',
  {
    alertUuid: uuid().notNull(),
    investigationNo: integer().notNull(),
    playbookUuid: uuid().notNull(),
    planVersion: integer(),
    status: text().$type<InvestigationStatusName>().notNull(),
    attempt: integer().notNull(),
    verdict: text().$type<Verdict>(),
    score: smallint(),
    confidence: smallint(),
    severity: text().$type<Severity>(),
    summary: text().notNull().default(''),
    startedAt: epochSeconds().notNull(),
    endedAt: epochSeconds(),
  },
  (table) => [
    primaryKey({ columns: [table.alertUuid, table.investigationNo] }),
    index('investigations_by_playbook').on(table.playbookUuid, table.alertUuid),
  ],
);

/** An investigation that is to be made again later, by a workflow of its own that starts when it is due. */
export const followUps = pgTable(
  'follow_ups',
  {
    alertUuid: uuid().notNull(),
    /** The investigation that asked for it; one asks once. */
    investigationNo: integer().notNull(),
    reason: text().notNull(),
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
    alertUuid: uuid().notNull(),
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
  (table) => [primaryKey({ columns: [table.alertUuid, table.investigationNo, table.attempt, table.step] })],
);

export const caseTimeline = pgTable(
  'case_timeline',
  {
    entryNo: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    caseUuid: uuid()
      .notNull()
      .references(() => cases.caseUuid),
    at: epochSeconds().notNull(),
    kind: text().$type<TimelineEntry['kind']>().notNull(),
    by: text(),
    text: text().notNull(),
  },
  (table) => [index('case_timeline_by_case').on(table.caseUuid, table.entryNo)],
);

/** A third-party account of an organization. What is secret of it lies sealed in `connection_secrets`. */
export const connections = pgTable(
  'connections',
  {
    connectionUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    connector: text().notNull(),
    instanceName: text().notNull(),
    description: text().notNull().default(''),
    settings: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Credential fields that are no secret: a tenant's id, say. */
    plainCredentials: jsonb().$type<Record<string, unknown>>().notNull(),
    remoteAgentUuid: uuid().references((): AnyPgColumn => remoteAgents.agentUuid),
    /** The one a playbook gets that names none. */
    isDefault: boolean().notNull().default(false),
    /** Writes asked for by one person wait for a second. */
    needsSecondPerson: boolean().notNull().default(false),
    feedsIntake: boolean().notNull().default(false),
    state: text().$type<ConnectionState>().notNull().default('untested'),
    stateReason: text(),
    stateSince: epochSeconds().notNull(),
    /** Rises when new credentials, or old ones that were broken, have been found to work. */
    generation: integer().notNull().default(1),
    blockedUntil: timestamp({ withTimezone: true, precision: 3, mode: 'string' }),
    blockReason: text(),
    failuresInARow: integer().notNull().default(0),
    secretsSetAt: epochSeconds().notNull(),
    testedAt: epochSeconds(),
    createdBy: uuid().notNull(),
    createdAt: epochSeconds().notNull(),
    modifiedAt: epochSeconds().notNull(),
  },
  (table) => [
    uniqueIndex('connections_instance_name_key').on(table.organizationUuid, table.instanceName),
    uniqueIndex('connections_default_key').on(table.organizationUuid, table.connector).where(sql`is_default`),
    index('connections_by_organization').on(table.organizationUuid, table.connectionUuid),
    index('connections_by_agent').on(table.remoteAgentUuid),
  ],
);

export const connectionSecrets = pgTable(
  'connection_secrets',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    field: text().notNull(),
    /** Which master key wraps the data key. */
    masterKeyId: text().notNull(),
    wrappedKey: text().notNull(),
    ciphertext: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.field] }), index('connection_secrets_by_key').on(table.masterKeyId)],
);

/** Requests that a connection has sent, by the second: its rate holds for all workers together. `take_turn` of the migration counts. */
export const connectionTurns = pgTable(
  'connection_turns',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    second: bigint({ mode: 'number' }).notNull(),
    taken: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.second] })],
);

/** A skill that the third party does not permit; a test that passes takes it away. */
export const connectionRefusals = pgTable(
  'connection_refusals',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    skillId: text().notNull(),
    reason: text().notNull(),
    resolution: text(),
    since: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.skillId] })],
);

/** Workflows that wait for a broken connection; `generation` is the one that failed them. */
export const connectionWaiters = pgTable(
  'connection_waiters',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    workflowId: text().notNull(),
    alertUuid: uuid(),
    skillId: text().notNull(),
    generation: integer().notNull(),
    reason: text().notNull(),
    since: epochSeconds().notNull(),
    until: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.workflowId] }), index('connection_waiters_by_alert').on(table.alertUuid)],
);

/** Every call of a skill with the whole of its answer: what travels through Temporal is a bounded part of it and this id. */
export const skillResults = pgTable(
  'skill_results',
  {
    resultUuid: uuid().primaryKey(),
    organizationUuid: uuid().notNull(),
    connectionUuid: uuid().notNull(),
    connector: text().notNull(),
    skillId: text().notNull(),
    /** Names a write for ever: the key is what keeps it from being done twice. null for a read, which may be repeated. */
    operationKey: text(),
    alertUuid: uuid(),
    runUuid: uuid(),
    status: text().$type<'started' | 'done' | 'failed'>().notNull(),
    input: jsonb().notNull(),
    output: jsonb(),
    requestDigest: text().notNull(),
    replyDigest: text(),
    error: jsonb().$type<Record<string, unknown>>(),
    attempts: integer().notNull().default(1),
    startedAt: epochSeconds().notNull(),
    durationMs: integer(),
  },
  (table) => [
    uniqueIndex('skill_results_operation_key').on(table.operationKey),
    index('skill_results_by_alert').on(table.alertUuid, table.resultUuid),
    index('skill_results_by_run').on(table.runUuid),
    index('skill_results_by_connection').on(table.connectionUuid, table.resultUuid),
    index('skill_results_writes').on(table.organizationUuid, table.startedAt).where(sql`operation_key is not null`),
  ],
);

/** A skill that a person asked for. The workflow is given only the id; what was asked stands here. */
export const skillRuns = pgTable(
  'skill_runs',
  {
    runUuid: uuid().primaryKey(),
    organizationUuid: uuid().notNull(),
    connectionUuid: uuid().notNull(),
    connector: text().notNull(),
    verb: text().notNull(),
    skillId: text().notNull(),
    input: jsonb().notNull(),
    askedBy: text().notNull(),
    askedByUuid: uuid().notNull(),
    askedAt: epochSeconds().notNull(),
    state: text().$type<SkillRunState>().notNull(),
    decidedBy: text(),
    resultUuid: uuid(),
    error: jsonb().$type<Record<string, unknown>>(),
    endedAt: epochSeconds(),
  },
  (table) => [
    index('skill_runs_by_connection').on(table.connectionUuid, table.runUuid),
    index('skill_runs_unended').on(table.askedAt).where(sql`state = 'running'`),
    index('skill_runs_proposed').on(table.organizationUuid, table.runUuid).where(sql`state = 'proposed'`),
  ],
);

/** A write that a playbook asks for. It is sent only by its own workflow, and only with the approvals in `proposal_decisions`. */
export const proposals = pgTable(
  'proposals',
  {
    proposalUuid: uuid().primaryKey(),
    organizationUuid: uuid().notNull(),
    alertUuid: uuid().notNull(),
    investigationNo: integer().notNull(),
    /** The same write for the same alert is one proposal, however often it is investigated. */
    proposalKey: text().notNull(),
    connectionUuid: uuid().notNull(),
    connector: text().notNull(),
    verb: text().notNull(),
    skillId: text().notNull(),
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    reason: text().notNull(),
    /** What it touches, as far as could be found out; null: it could not. */
    assets: jsonb().$type<AffectedAssets>(),
    state: text().$type<ProposalState>().notNull(),
    /** Why an approved one is not sent yet. */
    heldBecause: text(),
    /** Undone this long after it was done, unless somebody reconfirms it. */
    releaseAfterHours: integer(),
    /** The proposal that this one undoes, at `run_at`. */
    undoOf: uuid(),
    runAt: epochSeconds(),
    proposedAt: epochSeconds().notNull(),
    expiresAt: epochSeconds(),
    endedAt: epochSeconds(),
    resultUuid: uuid(),
    outcome: text(),
    error: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [
    uniqueIndex('proposals_key').on(table.proposalKey),
    index('proposals_by_alert').on(table.alertUuid, table.proposalUuid),
    index('proposals_by_organization').on(table.organizationUuid, table.proposalUuid),
    index('proposals_unended').on(table.proposedAt).where(sql`ended_at is null`),
  ],
);

/** One word a person. */
export const proposalDecisions = pgTable(
  'proposal_decisions',
  {
    proposalUuid: uuid()
      .notNull()
      .references(() => proposals.proposalUuid),
    principalUuid: uuid().notNull(),
    by: text().notNull(),
    decision: text().$type<'approve' | 'refuse'>().notNull(),
    reason: text(),
    at: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.proposalUuid, table.principalUuid] })],
);

/** Writes that touch one of these are said to, and need two people. */
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
    createdAt: epochSeconds().notNull(),
  },
  (table) => [uniqueIndex('protected_assets_key').on(table.organizationUuid, table.kind, sql`lower(${table.value})`)],
);

/** An organization's rules for writes; without a row, the defaults of `domain/response.ts`. */
export const responseRules = pgTable('response_rules', {
  organizationUuid: uuid()
    .primaryKey()
    .references(() => organizations.organizationUuid),
  writesPerHour: integer(),
  stoppedAt: epochSeconds(),
  stoppedBy: text(),
  stopReason: text(),
});

/** Workflow code by its hash: a run is served by the code it began with until it ends. */
export const workflowBundles = pgTable('workflow_bundles', {
  buildId: text().primaryKey(),
  /** gzip, base64 */
  code: text().notNull(),
  createdAt: epochSeconds().notNull(),
  lastUsedAt: epochSeconds().notNull(),
});

/** Our own lasting uuid for a key that must not be shown. */
export const keyUuids = pgTable('key_uuids', { digest: text().primaryKey(), keyUuid: uuid().notNull() });

export const remoteAgents = pgTable(
  'remote_agents',
  {
    agentUuid: uuid().primaryKey(),
    organizationUuid: uuid()
      .notNull()
      .references(() => organizations.organizationUuid),
    name: text().notNull(),
    tokenHash: text().notNull(),
    version: text(),
    lastSeenAt: epochSeconds(),
    createdAt: epochSeconds().notNull(),
    revokedAt: epochSeconds(),
  },
  (table) => [
    uniqueIndex('remote_agents_token_key').on(table.tokenHash),
    uniqueIndex('remote_agents_name_key').on(table.organizationUuid, table.name),
  ],
);

/** A step that waits for, or is performed by, a remote agent; Temporal's activity ends when it is reported. */
export const agentSteps = pgTable(
  'agent_steps',
  {
    stepUuid: uuid().primaryKey(),
    agentUuid: uuid().notNull(),
    connectionUuid: uuid().notNull(),
    /** One row an activity, however often Temporal tries it. */
    activityKey: text().notNull(),
    taskToken: text().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    activityName: text().notNull(),
    skillId: text().notNull(),
    alertUuid: uuid(),
    claimedAt: timestamp({ withTimezone: true, precision: 3, mode: 'string' }),
    seenAt: timestamp({ withTimezone: true, precision: 3, mode: 'string' }),
    createdAt: epochSeconds().notNull(),
  },
  (table) => [
    uniqueIndex('agent_steps_activity_key').on(table.activityKey),
    index('agent_steps_by_agent').on(table.agentUuid, table.stepUuid),
    index('agent_steps_by_alert').on(table.alertUuid),
  ],
);

/** How far a source has been read. */
export const sourceWatermarks = pgTable('source_watermarks', {
  connectionUuid: uuid()
    .primaryKey()
    .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
  readUntil: epochSeconds().notNull(),
  lastReadAt: epochSeconds(),
  lastError: text(),
});

/** What was taken from a source, by the third party's own id: the key is what keeps it from being taken twice. */
export const sourceItems = pgTable(
  'source_items',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    sourceId: text().notNull(),
    /** Changes when the third party changes the item. */
    revision: text().notNull(),
    alertUuid: uuid().notNull(),
    takenAt: epochSeconds().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connectionUuid, table.sourceId] })],
);

/** Events of a stream, stored before they are acknowledged. */
export const streamEvents = pgTable(
  'stream_events',
  {
    connectionUuid: uuid()
      .notNull()
      .references(() => connections.connectionUuid, { onDelete: 'cascade' }),
    eventKey: text().notNull(),
    at: epochSeconds().notNull(),
    event: jsonb().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionUuid, table.eventKey] }),
    index('stream_events_by_time').on(table.connectionUuid, table.at),
  ],
);

/** Append-only: a trigger of the first migration refuses updates and deletes. */
export const auditLog = pgTable(
  'audit_log',
  {
    entryNo: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: epochSeconds().notNull(),
    principalUuid: uuid(),
    principalName: text().notNull(),
    organizationUuid: uuid(),
    action: text().notNull(),
    target: text().notNull(),
    details: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [
    index('audit_log_by_organization').on(table.organizationUuid, table.entryNo),
    // Nearly every entry is an alert that came: the intake does not pay for finding the others.
    index('audit_log_by_principal').on(table.principalName, table.entryNo).where(sql`action <> 'alert.create'`),
    index('audit_log_by_target').on(table.target, table.entryNo).where(sql`action <> 'alert.create'`),
    index('audit_log_by_action').on(table.action, table.entryNo).where(sql`action <> 'alert.create'`),
  ],
);
