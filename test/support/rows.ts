import { and, eq, getTableColumns, getTableName, type InferInsertModel, type InferSelectModel, isNull, ne, sql } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { v7 } from 'uuid';
import { findSkillKey } from '../../connectors/skill-index.js';
import type { Database, Db, Transaction } from '../../db/client.js';
import { newUuid } from '../../db/ids.js';
import * as schema from '../../db/schema/index.js';
import { insertStreamEvent } from '../../db/sources/stream-events.js';
import { toDay } from '../../domain/connection/secret-expiry.js';
import type { Entity } from '../../domain/entity/entity.js';
import type { RecordKind, ThirdPartyRecord } from '../../domain/record/record.js';
import { saveRecords } from '../../services/records/save.js';

interface Span {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

function toSeconds({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Span): number {
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** Epoch seconds with milliseconds, as the database compares them with its clock. */
export const fromNow = (span: Span) => Date.now() / 1000 + toSeconds(span);
export const ago = (span: Span) => Date.now() / 1000 - toSeconds(span);

/** The day in UTC, as `2026-01-31`. */
export const inDays = (days: number) => toDay(fromNow({ days }));

/** A test service, or any other holder of a database. */
export interface Stored {
  readonly database: { readonly db: Db | Transaction };
}

/**
 * Gives rows a state that no command can give them: an earlier time, a value of an earlier version, a lost write. `which` has the
 * values of the rows to change; `{}` means every row.
 */
function changer<Table extends PgTable>(table: Table) {
  const columns = getTableColumns(table);
  return async (
    { database: { db } }: Stored,
    which: Partial<InferSelectModel<Table>>,
    changes: PgUpdateSetSource<Table>,
  ): Promise<void> => {
    const conditions = Object.entries(which).map(([name, value]) => {
      const column = columns[name];
      if (!column || value === undefined) throw new Error(`${getTableName(table)} has no rows with ${name} ${value}.`);
      return value === null ? isNull(column) : eq(column, value);
    });
    const changed = await db
      .update(table)
      .set(changes)
      .where(and(...conditions))
      .returning({ one: sql`1` });
    if (conditions.length > 0 && changed.length === 0) throw new Error(`${getTableName(table)} has no row with ${JSON.stringify(which)}.`);
  };
}

export const changeAgentSteps = changer(schema.agentSteps);
export const changeAgents = changer(schema.remoteAgents);
export const changeAlerts = changer(schema.alerts);
export const changeAlertTexts = changer(schema.alertTexts);
export const changeApiKeys = changer(schema.apiKeys);
export const changeCases = changer(schema.cases);
export const changeCaseClocks = changer(schema.caseClocks);
export const changeCaseVisits = changer(schema.caseVisits);
export const changeNotificationChannels = changer(schema.notificationChannels);
export const changeChatLinkCodes = changer(schema.chatLinkCodes);
export const changeConnections = changer(schema.connections);
export const changeConnectionRefusals = changer(schema.connectionRefusals);
export const changeConnectionSecrets = changer(schema.connectionSecrets);
export const changeRateLimitBuckets = changer(schema.rateLimitBuckets);
export const changeCredentialLinks = changer(schema.credentialLinks);
export const changeDeliveries = changer(schema.notificationDeliveries);
export const changeEvents = changer(schema.notificationEvents);
export const changeEvidence = changer(schema.evidence);
export const changeFollowUps = changer(schema.followUps);
export const changeIdempotencyKeys = changer(schema.idempotencyKeys);
export const changeInvitations = changer(schema.invitations);
export const changeMemberships = changer(schema.memberships);
export const changeNotificationRules = changer(schema.notificationRules);
export const changeNotificationSecrets = changer(schema.notificationSecrets);
export const changeOrganizations = changer(schema.organizations);
export const changeProviderTokens = changer(schema.providerTokens);
export const changeListCopies = changer(schema.listCopies);
export const changeProposals = changer(schema.proposals);
export const changeRecordCopies = changer(schema.recordCopies);
export const changeRecords = changer(schema.thirdPartyRecords);
export const changeRetentionRules = changer(schema.retentionRules);
export const changeRuleChanges = changer(schema.ruleChanges);
export const changeSkillResults = changer(schema.skillResults);
export const changeSlaPolicies = changer(schema.slaPolicies);
export const changeUsers = changer(schema.users);
export const changeUserSessions = changer(schema.userSessions);

/** Moves the arrival of an alert with entities into the past. Its id contains the time. */
export async function backdateAlert({ database: { db } }: Stored, alertUuid: string, days: number): Promise<void> {
  const earlier = { alertUuid: v7({ msecs: ago({ days }) * 1000 }) };
  await db.update(schema.alertEntities).set(earlier).where(eq(schema.alertEntities.alertUuid, alertUuid));
  await db.update(schema.alerts).set(earlier).where(eq(schema.alerts.alertUuid, alertUuid));
}

/** Moves the audit log into the past. The numbers keep the order of the times. Its trigger refuses every change. */
export async function backdateAuditLog({ database: { db } }: Stored, days: number): Promise<void> {
  await db.execute(sql`alter table audit_log disable trigger user`);
  await db.update(schema.auditLog).set({ at: sql`${schema.auditLog.at} - make_interval(days => ${days}::int)` });
  await db.execute(sql`alter table audit_log enable trigger user`);
}

/** Moves all times of all case clocks into the past. */
export async function backdateCaseClocks({ database: { db } }: Stored, hours: number): Promise<void> {
  await db.execute(sql`
    update case_clocks set started_at = started_at - span, due_at = due_at - span, warn_at = warn_at - span, stopped_at = stopped_at - span
    from make_interval(hours => ${hours}::int) as span`);
}

export async function deleteAlert({ database: { db } }: Stored, alertId: string): Promise<void> {
  await db.delete(schema.alerts).where(eq(schema.alerts.alertId, alertId));
}

export async function deleteConnections({ database: { db } }: Stored): Promise<void> {
  await db.delete(schema.connections);
}

export async function deleteProvidersExcept({ database: { db } }: Stored, name: string): Promise<void> {
  await db.delete(schema.providers).where(ne(schema.providers.name, name));
}

export async function deleteMembershipsOf({ database: { db } }: Stored, userUuid: string): Promise<void> {
  await db.delete(schema.memberships).where(eq(schema.memberships.userUuid, userUuid));
}

/** The clocks of a case started at this time. The timekeeper computes their due times again. */
export async function restartCaseClocks(service: Stored, caseId: string, startedAt: number): Promise<void> {
  const [found] = await service.database.db.select().from(schema.cases).where(eq(schema.cases.caseId, caseId));
  await changeCaseClocks(service, { caseUuid: found?.caseUuid ?? '' }, { startedAt, isStale: true });
}

async function findDemo({ database: { db } }: Stored): Promise<string> {
  const [demo] = await db.select().from(schema.organizations).where(eq(schema.organizations.organizationCode, 'DEMO'));
  return demo?.organizationUuid ?? '';
}

/** Stores an answer of a skill without a call. */
export async function storeSkillResult(
  service: Stored,
  given: Partial<InferInsertModel<typeof schema.skillResults>> = {},
): Promise<string> {
  const resultUuid = given.resultUuid ?? newUuid();
  await service.database.db.insert(schema.skillResults).values({
    organizationUuid: given.organizationUuid ?? (await findDemo(service)),
    connectionUuid: newUuid(),
    connectorKind: 'threat-intelligence',
    skillKey: findSkillKey(given.skillId ?? 'Get Enrichment'),
    skillId: 'Get Enrichment',
    status: 'done',
    input: {},
    output: {},
    requestDigest: 'x',
    startedAt: fromNow({}),
    ...given,
    resultUuid,
  });
  return resultUuid;
}

/** Stores a read that a person requested, without its workflow. */
export async function storeSkillRun(service: Stored, given: Partial<InferInsertModel<typeof schema.skillRuns>> = {}): Promise<string> {
  const runUuid = newUuid();
  await service.database.db.insert(schema.skillRuns).values({
    organizationUuid: await findDemo(service),
    connectionUuid: newUuid(),
    connectorKey: 'endpointDetection',
    verb: 'listMachines',
    skillId: 'List machines',
    input: {},
    askedBy: 'dana',
    askedByUuid: newUuid(),
    askedAt: fromNow({}),
    state: 'running',
    ...given,
    runUuid,
  });
  return runUuid;
}

/** Stores a write without its workflow: the proposal of an alert, or without an alert the request of a person. */
export async function storeProposal(service: Stored, given: Partial<InferInsertModel<typeof schema.proposals>> = {}): Promise<string> {
  const proposalUuid = newUuid();
  await service.database.db.insert(schema.proposals).values({
    organizationUuid: given.organizationUuid ?? (await findDemo(service)),
    ...(given.alertUuid ? { investigationNo: 1 } : { requestedBy: 'dana', requestedByUuid: newUuid() }),
    proposalKey: proposalUuid,
    connectionUuid: newUuid(),
    connectorKey: 'endpointDetection',
    verb: 'isolateMachine',
    skillId: 'Isolate machine',
    input: {},
    reason: 'x',
    state: 'waiting',
    proposedAt: fromNow({}),
    ...given,
    proposalUuid,
  });
  return proposalUuid;
}

/** Stores a step that waits for the agent, without its activity. */
export async function storeAgentStep(
  { database: { db } }: Stored,
  given: Partial<InferInsertModel<typeof schema.agentSteps>> & { readonly agentUuid: string; readonly connectionUuid: string },
): Promise<string> {
  const stepUuid = newUuid();
  await db.insert(schema.agentSteps).values({
    activityKey: stepUuid,
    taskToken: '',
    request: {},
    skillKey: findSkillKey('List machines'),
    skillId: 'List machines',
    createdAt: fromNow({}),
    ...given,
    stepUuid,
  });
  return stepUuid;
}

/** Stores a failed delivery of an event that no rule selected. */
export async function storeDelivery(
  service: Stored,
  given: Partial<InferInsertModel<typeof schema.notificationDeliveries>> & {
    readonly organizationUuid: string;
    readonly channelUuid: string;
  },
): Promise<string> {
  const deliveryUuid = newUuid();
  const { eventNo, subjectUuid } = await storeRoutedEvent(service, given.organizationUuid);
  const times = { nextAttemptAt: fromNow({}), expiresAt: fromNow({}), createdAt: fromNow({}), endedAt: fromNow({}) };
  await service.database.db
    .insert(schema.notificationDeliveries)
    .values({ eventNo, subjectUuid, state: 'failed', ...times, ...given, deliveryUuid });
  return deliveryUuid;
}

/** Stores an unread entry in the inbox of the user. */
export async function storeInboxEntry(
  service: Stored,
  { organizationUuid, userUuid }: { readonly organizationUuid: string; readonly userUuid: string },
): Promise<string> {
  const entryUuid = newUuid();
  const { eventNo } = await storeRoutedEvent(service, organizationUuid);
  await service.database.db.insert(schema.inboxEntries).values({ entryUuid, organizationUuid, eventNo, userUuid });
  return entryUuid;
}

async function storeRoutedEvent({ database: { db } }: Stored, organizationUuid: string) {
  const subjectUuid = newUuid();
  const event = {
    name: 'notification.test',
    subjectUuid,
    sequence: 1,
    data: { channel_id: subjectUuid },
    at: fromNow({}),
    routedAt: fromNow({}),
  };
  const [stored] = await db
    .insert(schema.notificationEvents)
    .values({ eventUuid: newUuid(), organizationUuid, ...event })
    .returning({ eventNo: schema.notificationEvents.eventNo, subjectUuid: schema.notificationEvents.subjectUuid });
  if (stored === undefined) throw new Error('The event was not stored.');
  return stored;
}

/** Stores a sealed token of the identity provider. */
export async function storeProviderToken({ database: { db } }: Stored, row: InferInsertModel<typeof schema.providerTokens>): Promise<void> {
  await db.insert(schema.providerTokens).values(row);
}

/** Stores a Slack account that waits for the confirmation of the user. */
export async function storeChatIdentity(
  { database: { db } }: Stored,
  given: Partial<InferInsertModel<typeof schema.chatIdentities>> & { readonly userUuid: string },
): Promise<string> {
  const identityUuid = newUuid();
  const account = { kind: 'slack' as const, workspace: 'slack.com/T1', chatUserId: identityUuid, linkedAt: fromNow({}) };
  await db.insert(schema.chatIdentities).values({ ...account, ...given, identityUuid });
  return identityUuid;
}

export async function storeApprovals(
  { database: { db } }: Stored,
  proposalUuid: string,
  people: Readonly<Record<string, string>>,
): Promise<void> {
  const approval = { proposalUuid, decision: 'approve' as const, at: fromNow({}) };
  const rows = Object.entries(people).map(([by, principalUuid]) => ({ ...approval, by, principalUuid }));
  await db.insert(schema.proposalDecisions).values(rows);
}

/** Stores a record of the connection's third party, as a read of the third party does. */
export async function storeRecord(
  { database: { db, pg } }: { readonly database: Pick<Database, 'db' | 'pg'> },
  connectionUuid: string,
  {
    kind = 'incident',
    copiedAt = fromNow({}),
    ...given
  }: Partial<ThirdPartyRecord> & { readonly kind?: RecordKind; readonly copiedAt?: number },
): Promise<void> {
  const [connection] = await db.select().from(schema.connections).where(eq(schema.connections.connectionUuid, connectionUuid));
  if (!connection) throw new Error(`There is no connection ${connectionUuid}.`);
  const record = {
    recordId: 'r',
    title: 'x',
    severity: null,
    isOpen: true,
    conclusion: null,
    state: 'New',
    happenedAt: null,
    updatedAt: null,
    mergedInto: null,
    alsoKnownAs: [],
    techniques: [],
    values: ['v'],
    ...given,
  };
  await saveRecords(pg, connection, kind, [record], copiedAt);
}

export async function storeStreamEvent(
  { database: { pg } }: { readonly database: Pick<Database, 'pg'> },
  connectionUuid: string,
  { eventKey = 'e', at = fromNow({}), event = {} }: { readonly eventKey?: string; readonly at?: number; readonly event?: object },
): Promise<void> {
  await insertStreamEvent(pg, { connectionUuid, eventKey, at, event, raw: '', item: null }, JSON.stringify(event));
}

/** Stores the entity for each of these alerts. */
export async function storeEntity(
  { database: { db } }: Stored,
  entity: Entity,
  alerts: readonly { readonly alert_uuid: string; readonly organization_uuid: string }[],
): Promise<void> {
  const rows = alerts.map((alert) => ({ alertUuid: alert.alert_uuid, organizationUuid: alert.organization_uuid, ...entity }));
  await db.insert(schema.alertEntities).values(rows);
}

/** Stores follow-ups of later investigations, which have ended. */
export async function storeEndedFollowUps(
  { database: { db } }: Stored,
  alertId: string,
  count: number,
  given: Partial<InferInsertModel<typeof schema.followUps>> = {},
): Promise<void> {
  const [alert] = await db.select().from(schema.alerts).where(eq(schema.alerts.alertId, alertId));
  const times = { dueAt: fromNow({}), createdAt: fromNow({}), endedAt: fromNow({}) };
  const rows = Array.from({ length: count }, (_, index) => ({
    alertUuid: alert?.alertUuid ?? '',
    investigationNo: 101 + index,
    reason: 'x',
    outcome: 'x',
    ...times,
    ...given,
  }));
  await db.insert(schema.followUps).values(rows);
}

/** Stores files of these sizes with an empty content, so that the limits of a case are reached without uploads. */
export async function storeAttachments({ database: { db } }: Stored, caseId: string, sizes: readonly number[]): Promise<void> {
  const [found] = await db.select().from(schema.cases).where(eq(schema.cases.caseId, caseId));
  const caseUuid = found?.caseUuid ?? '';
  const file = { caseUuid, name: 'x', sha256: 'x', addedBy: 'x', addedAt: fromNow({}), content: Buffer.alloc(1) };
  await db.insert(schema.caseAttachments).values(sizes.map((size) => ({ ...file, attachmentUuid: newUuid(), size })));
}

export async function storeDomains({ database: { db } }: Stored, organizationUuid: string, domains: readonly string[]): Promise<void> {
  const entry = { organizationUuid, kind: 'domain' as const, note: '', createdBy: 'test', createdAt: fromNow({}) };
  await db.insert(schema.organizationKnowledge).values(domains.map((value) => ({ ...entry, knowledgeUuid: newUuid(), value })));
}

/** Stores analysts of the organization, who signed in just now. */
export async function storeAnalysts({ database: { db } }: Stored, organizationUuid: string, names: readonly string[]): Promise<void> {
  const now = fromNow({});
  const people = names.map((name) => ({ userUuid: newUuid(), name, createdAt: now, lastSignInAt: now }));
  await db.insert(schema.users).values(people);
  const membership = { organizationUuid, role: 'analyst' as const, fromClaims: false };
  await db.insert(schema.memberships).values(people.map(({ userUuid }) => ({ ...membership, membershipUuid: newUuid(), userUuid })));
}

const ENTRIES_PER_INSERT = 5_000;

export async function storeAuditEntries(
  { database: { db } }: Stored,
  entries: readonly InferInsertModel<typeof schema.auditLog>[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += ENTRIES_PER_INSERT)
    await db.insert(schema.auditLog).values(entries.slice(start, start + ENTRIES_PER_INSERT));
}
