import { and, count, eq, gt } from 'drizzle-orm';
import type { Principal } from '../../domain/identity/identity.js';
import {
  canonicalKnowledge,
  KNOWLEDGE_AT_MOST,
  type Knowledge,
  type KnowledgeEntry,
  type SaveKnowledge,
} from '../../domain/organization/knowledge.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { alerts, organizationKnowledge, organizations } from '../schema/index.js';

const columns = {
  knowledge_id: organizationKnowledge.knowledgeUuid,
  organization_code: organizations.organizationCode,
  kind: organizationKnowledge.kind,
  value: organizationKnowledge.value,
  note: organizationKnowledge.note,
  created_by: organizationKnowledge.createdBy,
  created_at: organizationKnowledge.createdAt,
};

const belongsTo = (organizationUuid: string, isRejected: boolean) =>
  and(eq(organizationKnowledge.organizationUuid, organizationUuid), eq(organizationKnowledge.isRejected, isRejected));

export async function listKnowledge(db: Db, organizationUuid: string, page: PageRequest): Promise<Page<Knowledge>> {
  const rows = await db
    .select(columns)
    .from(organizationKnowledge)
    .innerJoin(organizations, eq(organizations.organizationUuid, organizationKnowledge.organizationUuid))
    .where(and(belongsTo(organizationUuid, false), page.after === null ? undefined : gt(organizationKnowledge.knowledgeUuid, page.after)))
    .orderBy(organizationKnowledge.knowledgeUuid)
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.knowledge_id);
}

/** All entries of an organization, or all suggestions that it rejected. */
export async function readKnowledge(
  db: Db | Transaction,
  organizationUuid: string,
  { isRejected = false } = {},
): Promise<KnowledgeEntry[]> {
  return db
    .select({ kind: organizationKnowledge.kind, value: organizationKnowledge.value })
    .from(organizationKnowledge)
    .where(belongsTo(organizationUuid, isRejected));
}

/** What the organization of an alert knows about itself. */
export async function readAlertKnowledge(db: Db, alertUuid: string): Promise<KnowledgeEntry[]> {
  return db
    .select({ kind: organizationKnowledge.kind, value: organizationKnowledge.value })
    .from(alerts)
    .innerJoin(organizationKnowledge, eq(organizationKnowledge.organizationUuid, alerts.organizationUuid))
    .where(and(eq(alerts.alertUuid, alertUuid), eq(organizationKnowledge.isRejected, false)));
}

/** Adds an entry, also one that was rejected before. 'full': the organization has the maximum. Throws a unique violation for a known entry. */
export async function addKnowledge(db: Db, by: Principal, organizationUuid: string, given: SaveKnowledge): Promise<Knowledge | 'full'> {
  return db.transaction(async (transaction) => {
    // Concurrent additions wait, so that the count holds.
    await transaction.select().from(organizations).where(eq(organizations.organizationUuid, organizationUuid)).for('update');
    const [present] = await transaction.select({ entries: count() }).from(organizationKnowledge).where(belongsTo(organizationUuid, false));
    if ((present?.entries ?? 0) >= KNOWLEDGE_AT_MOST) return 'full';
    const fields = toFields(given);
    await transaction
      .delete(organizationKnowledge)
      .where(
        and(belongsTo(organizationUuid, true), eq(organizationKnowledge.kind, fields.kind), eq(organizationKnowledge.value, fields.value)),
      );
    const knowledgeUuid = newUuid();
    await transaction
      .insert(organizationKnowledge)
      .values({ knowledgeUuid, organizationUuid, ...fields, createdBy: by.name, createdAt: nowSeconds() });
    await recordAudit(transaction, { by, organizationUuid, action: 'knowledge.create', target: knowledgeUuid, details: fields });
    return findEntry(transaction, knowledgeUuid);
  });
}

/** null where the organization has no such entry. Throws a unique violation where another entry has the value. */
export async function changeKnowledge(
  db: Db,
  by: Principal,
  organizationUuid: string,
  knowledgeUuid: string,
  given: SaveKnowledge,
): Promise<Knowledge | null> {
  return db.transaction(async (transaction) => {
    const fields = toFields(given);
    const changed = await transaction
      .update(organizationKnowledge)
      .set(fields)
      .where(and(belongsTo(organizationUuid, false), eq(organizationKnowledge.knowledgeUuid, knowledgeUuid)))
      .returning();
    if (changed.length === 0) return null;
    await recordAudit(transaction, { by, organizationUuid, action: 'knowledge.update', target: knowledgeUuid, details: fields });
    return findEntry(transaction, knowledgeUuid);
  });
}

/** False where the organization has no such entry. */
export async function removeKnowledge(db: Db, by: Principal, organizationUuid: string, knowledgeUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [gone] = await transaction
      .delete(organizationKnowledge)
      .where(and(belongsTo(organizationUuid, false), eq(organizationKnowledge.knowledgeUuid, knowledgeUuid)))
      .returning();
    if (!gone) return false;
    const { kind, value } = gone;
    await recordAudit(transaction, { by, organizationUuid, action: 'knowledge.delete', target: knowledgeUuid, details: { kind, value } });
    return true;
  });
}

/** Remembers a suggestion that an admin does not want. Has no effect on an entry or on one rejected before. */
export async function rejectSuggestion(db: Db, by: Principal, organizationUuid: string, given: SaveKnowledge): Promise<void> {
  await db.transaction(async (transaction) => {
    const fields = toFields(given);
    const knowledgeUuid = newUuid();
    const added = await transaction
      .insert(organizationKnowledge)
      .values({ knowledgeUuid, organizationUuid, ...fields, isRejected: true, createdBy: by.name, createdAt: nowSeconds() })
      .onConflictDoNothing()
      .returning();
    if (added.length > 0)
      await recordAudit(transaction, { by, organizationUuid, action: 'knowledge.reject', target: knowledgeUuid, details: fields });
  });
}

function toFields({ kind, value, note }: SaveKnowledge): SaveKnowledge {
  return { kind, value: canonicalKnowledge(kind, value) ?? value, note: note.trim() };
}

async function findEntry(transaction: Transaction, knowledgeUuid: string): Promise<Knowledge> {
  const [found] = await transaction
    .select(columns)
    .from(organizationKnowledge)
    .innerJoin(organizations, eq(organizations.organizationUuid, organizationKnowledge.organizationUuid))
    .where(eq(organizationKnowledge.knowledgeUuid, knowledgeUuid));
  if (!found) throw new Error('The entry was not found in the transaction that wrote it.');
  return found;
}
