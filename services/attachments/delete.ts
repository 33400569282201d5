import { deleteAttachmentRow } from '../../db/cases/case-attachments.js';
import { recordAudit } from '../../db/identity/audit.js';
import { lockCase } from '../cases/require-case.js';
import { addToTimeline } from '../cases/timeline.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { requireNotHeld } from '../legal-holds/require-not-held.js';

const WANTED = 'file with this id';

export function deleteAttachment(context: Context, { caseId, attachmentUuid }: { caseId: string; attachmentUuid: string }): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by } = inside;
    const found = await lockCase(inside, caseId, WANTED);
    await requireNotHeld(db, found, 'this file');
    const deleted = await deleteAttachmentRow(db, found, attachmentUuid);
    if (deleted === null) throw notFound(WANTED);
    const text = `Deleted: ${deleted.name} (SHA-256 ${deleted.sha256})`;
    await addToTimeline(inside, found.caseUuid, { kind: 'attachment', by: by.name, text });
    await recordAudit(db, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'attachment.delete',
      target: attachmentUuid,
      details: { case_id: caseId, sha256: deleted.sha256 },
    });
  });
}
