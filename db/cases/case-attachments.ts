import { createHash } from 'node:crypto';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { ATTACHMENTS_AT_MOST, type Attachment, CASE_ATTACHMENT_BYTES } from '../../domain/case/attachment.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { addToTimeline } from '../investigations/lifecycle.js';
import { caseAttachments } from '../schema/index.js';
import { type FoundCase, findCaseUuid, lockCase, withMerged } from './case-scope.js';

const columns = {
  attachment_id: caseAttachments.attachmentUuid,
  name: caseAttachments.name,
  size: caseAttachments.size,
  sha256: caseAttachments.sha256,
  added_by: caseAttachments.addedBy,
  added_at: caseAttachments.addedAt,
};

function belongsTo({ caseUuid }: FoundCase) {
  return inArray(caseAttachments.caseUuid, withMerged(caseUuid));
}

function isAttachment(found: FoundCase, attachmentUuid: string) {
  return and(eq(caseAttachments.attachmentUuid, attachmentUuid), belongsTo(found));
}

/** null where the key cannot see the case. */
export async function listAttachments(db: Db, by: Principal, caseId: string): Promise<Attachment[] | null> {
  const found = await findCaseUuid(db, by, caseId);
  return found && db.select(columns).from(caseAttachments).where(belongsTo(found)).orderBy(asc(caseAttachments.attachmentUuid));
}

/** `full`: the case has the maximum number or size of files. null where the key cannot see the case. */
export async function addAttachment(
  db: Db,
  by: Principal,
  caseId: string,
  { name, content }: { name: string; content: Buffer },
): Promise<Attachment | 'full' | null> {
  return db.transaction(async (transaction) => {
    const found = await lockCase(transaction, by, caseId);
    if (!found) return null;
    const [used] = await transaction
      .select({ files: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(${caseAttachments.size}), 0)::float8` })
      .from(caseAttachments)
      .where(belongsTo(found));
    if ((used?.files ?? 0) >= ATTACHMENTS_AT_MOST || (used?.bytes ?? 0) + content.length > CASE_ATTACHMENT_BYTES) return 'full';
    const sha256 = createHash('sha256').update(content).digest('hex');
    const [added] = await transaction
      .insert(caseAttachments)
      .values({
        attachmentUuid: newUuid(),
        caseUuid: found.caseUuid,
        name,
        size: content.length,
        sha256,
        addedBy: by.name,
        addedAt: nowSeconds(),
        content,
      })
      .returning(columns);
    if (!added) throw new Error('The attachment was not found in the transaction that inserted it.');
    await addToTimeline(transaction, found.caseUuid, { kind: 'attachment', by: by.name, text: `Added: ${name} (SHA-256 ${sha256})` });
    const details = { case_id: caseId, size: content.length, sha256 };
    await recordAudit(transaction, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'attachment.create',
      target: added.attachment_id,
      details,
    });
    return added;
  });
}

/** Reads the content, and records who read it. null where the case has no such file. */
export async function readAttachment(
  db: Db,
  by: Principal,
  { caseId, attachmentUuid }: { caseId: string; attachmentUuid: string },
): Promise<{ name: string; content: Buffer } | null> {
  const found = await findCaseUuid(db, by, caseId);
  if (!found) return null;
  return db.transaction(async (transaction) => {
    const [file] = await transaction
      .select({ name: caseAttachments.name, sha256: caseAttachments.sha256, content: caseAttachments.content })
      .from(caseAttachments)
      .where(isAttachment(found, attachmentUuid));
    if (!file) return null;
    const details = { case_id: caseId, sha256: file.sha256 };
    await recordAudit(transaction, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'attachment.download',
      target: attachmentUuid,
      details,
    });
    return file;
  });
}

export async function deleteAttachment(
  db: Db,
  by: Principal,
  { caseId, attachmentUuid }: { caseId: string; attachmentUuid: string },
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const found = await lockCase(transaction, by, caseId);
    if (!found) return false;
    const [gone] = await transaction
      .delete(caseAttachments)
      .where(isAttachment(found, attachmentUuid))
      .returning({ name: caseAttachments.name, sha256: caseAttachments.sha256 });
    if (!gone) return false;
    const text = `Deleted: ${gone.name} (SHA-256 ${gone.sha256})`;
    await addToTimeline(transaction, found.caseUuid, { kind: 'attachment', by: by.name, text });
    const details = { case_id: caseId, sha256: gone.sha256 };
    await recordAudit(transaction, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'attachment.delete',
      target: attachmentUuid,
      details,
    });
    return true;
  });
}
