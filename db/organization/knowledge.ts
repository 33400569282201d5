import { and, count, eq, gt } from 'drizzle-orm';
import type { KnowledgeEntry } from '../../domain/organization/knowledge.js';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { alerts, organizationKnowledge, organizations } from '../schema/index.js';

const columns = {
  knowledge_id: organizationKnowledge.knowledgeUuid,
  organization_code: organizations.organizationCode,
  kind: organizationKnowledge.kind,
  value: organizationKnowledge.value,
  note: organizationKnowledge.note,
  created_by: currentName(organizationKnowledge.createdByUuid, organizationKnowledge.createdBy),
  created_at: organizationKnowledge.createdAt,
};

const belongsTo = (organizationUuid: string, isRejected: boolean) =>
  and(eq(organizationKnowledge.organizationUuid, organizationUuid), eq(organizationKnowledge.isRejected, isRejected));

function selectKnowledge(db: Db | Transaction) {
  return db
    .select(columns)
    .from(organizationKnowledge)
    .innerJoin(organizations, eq(organizations.organizationUuid, organizationKnowledge.organizationUuid));
}
type KnowledgeRow = Awaited<ReturnType<typeof selectKnowledge>>[number];

export async function listKnowledge(db: Db, organizationUuid: string, page: PageRequest): Promise<Page<KnowledgeRow>> {
  const rows = await selectKnowledge(db)
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

/** Concurrent additions wait, so that the count holds until the end of the transaction. */
export async function countKnowledge(transaction: Transaction, organizationUuid: string): Promise<number> {
  await transaction.select().from(organizations).where(eq(organizations.organizationUuid, organizationUuid)).for('update');
  const [present] = await transaction.select({ entries: count() }).from(organizationKnowledge).where(belongsTo(organizationUuid, false));
  return present?.entries ?? 0;
}

export async function deleteRejected(transaction: Transaction, organizationUuid: string, { kind, value }: KnowledgeEntry): Promise<void> {
  await transaction
    .delete(organizationKnowledge)
    .where(and(belongsTo(organizationUuid, true), eq(organizationKnowledge.kind, kind), eq(organizationKnowledge.value, value)));
}

/** Throws a unique violation for a known entry. */
export async function insertKnowledge(transaction: Transaction, row: typeof organizationKnowledge.$inferInsert): Promise<KnowledgeRow> {
  await transaction.insert(organizationKnowledge).values(row);
  return findEntry(transaction, row.knowledgeUuid);
}

/** False for an entry, and for a suggestion that was rejected before. */
export async function insertRejected(transaction: Transaction, row: typeof organizationKnowledge.$inferInsert): Promise<boolean> {
  const added = await transaction
    .insert(organizationKnowledge)
    .values({ ...row, isRejected: true })
    .onConflictDoNothing()
    .returning();
  return added.length > 0;
}

/** null where the organization has no such entry. Throws a unique violation where another entry has the value. */
export async function updateKnowledge(
  transaction: Transaction,
  organizationUuid: string,
  knowledgeUuid: string,
  fields: Pick<typeof organizationKnowledge.$inferInsert, 'kind' | 'value' | 'note'>,
): Promise<KnowledgeRow | null> {
  const changed = await transaction
    .update(organizationKnowledge)
    .set(fields)
    .where(and(belongsTo(organizationUuid, false), eq(organizationKnowledge.knowledgeUuid, knowledgeUuid)))
    .returning();
  return changed.length === 0 ? null : findEntry(transaction, knowledgeUuid);
}

/** Returns the deleted entry; null where the organization has no such entry. */
export async function deleteKnowledgeRow(
  transaction: Transaction,
  organizationUuid: string,
  knowledgeUuid: string,
): Promise<KnowledgeEntry | null> {
  const [gone] = await transaction
    .delete(organizationKnowledge)
    .where(and(belongsTo(organizationUuid, false), eq(organizationKnowledge.knowledgeUuid, knowledgeUuid)))
    .returning({ kind: organizationKnowledge.kind, value: organizationKnowledge.value });
  return gone ?? null;
}

async function findEntry(transaction: Transaction, knowledgeUuid: string): Promise<KnowledgeRow> {
  const [found] = await selectKnowledge(transaction).where(eq(organizationKnowledge.knowledgeUuid, knowledgeUuid));
  if (!found) throw new Error('The entry was not found in the transaction that wrote it.');
  return found;
}
