import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { caseAttachments } from '../schema/index.js';
import { type FoundCase, withMerged } from './case-scope.js';

const columns = {
  attachment_id: caseAttachments.attachmentUuid,
  name: caseAttachments.name,
  size: caseAttachments.size,
  sha256: caseAttachments.sha256,
  added_by: currentName(caseAttachments.addedByUuid, caseAttachments.addedBy),
  added_at: caseAttachments.addedAt,
};

function belongsTo({ caseUuid }: FoundCase) {
  return inArray(caseAttachments.caseUuid, withMerged(caseUuid));
}

function isAttachment(found: FoundCase, attachmentUuid: string) {
  return and(eq(caseAttachments.attachmentUuid, attachmentUuid), belongsTo(found));
}

export async function listAttachments(db: Db | Transaction, found: FoundCase) {
  return db.select(columns).from(caseAttachments).where(belongsTo(found)).orderBy(asc(caseAttachments.attachmentUuid));
}
type AttachmentRow = Awaited<ReturnType<typeof listAttachments>>[number];

export async function measureAttachments(transaction: Transaction, found: FoundCase): Promise<{ files: number; bytes: number }> {
  const [used] = await transaction
    .select({ files: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(${caseAttachments.size}), 0)::float8` })
    .from(caseAttachments)
    .where(belongsTo(found));
  return used ?? { files: 0, bytes: 0 };
}

export async function insertAttachment(transaction: Transaction, row: typeof caseAttachments.$inferInsert): Promise<AttachmentRow> {
  const [added] = await transaction.insert(caseAttachments).values(row).returning(columns);
  if (!added) throw new Error('The attachment was not found in the transaction that inserted it.');
  return added;
}

export async function readAttachmentContent(transaction: Transaction, found: FoundCase, attachmentUuid: string) {
  const [file] = await transaction
    .select({ name: caseAttachments.name, sha256: caseAttachments.sha256, content: caseAttachments.content })
    .from(caseAttachments)
    .where(isAttachment(found, attachmentUuid));
  return file ?? null;
}

export async function deleteAttachmentRow(transaction: Transaction, found: FoundCase, attachmentUuid: string) {
  const [deleted] = await transaction
    .delete(caseAttachments)
    .where(isAttachment(found, attachmentUuid))
    .returning({ name: caseAttachments.name, sha256: caseAttachments.sha256 });
  return deleted ?? null;
}
