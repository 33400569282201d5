import { readAttachmentContent } from '../../db/cases/case-attachments.js';
import { findCaseUuid } from '../../db/cases/case-scope.js';
import { recordAudit } from '../../db/identity/audit.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';

/** Reads the content, and records who read it. */
export function downloadAttachment(
  context: Context,
  { caseId, attachmentUuid }: { caseId: string; attachmentUuid: string },
): Promise<{ name: string; content: Buffer }> {
  return inTransaction(context, async ({ db, by }) => {
    const found = await findCaseUuid(db, by.organizationUuid, caseId);
    const file = found && (await readAttachmentContent(db, found, attachmentUuid));
    if (!file) throw notFound('file with this id');
    await recordAudit(db, {
      by,
      organizationUuid: found.organizationUuid,
      action: 'attachment.download',
      target: attachmentUuid,
      details: { case_id: caseId, sha256: file.sha256 },
    });
    return file;
  });
}
