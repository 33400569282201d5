import { webcrypto } from 'node:crypto';
import { insertAttachment, measureAttachments } from '../../db/cases/case-attachments.js';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { MAX_ATTACHMENTS, MAX_CASE_ATTACHMENT_BYTES } from '../../domain/case/limits.js';
import { lockCase } from '../cases/require-case.js';
import { addToTimeline } from '../cases/timeline.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import type { Attachment } from './wire.js';

export async function addAttachment(context: Context, caseId: string, file: { name: string; content: Buffer }): Promise<Attachment> {
  const { name, content } = file;
  // In a thread of the runtime.
  const sha256 = Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex');
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const { caseUuid, organizationUuid } = await lockCase(inside, caseId);
    const { files, bytes } = await measureAttachments(db, { caseUuid, organizationUuid });
    if (files >= MAX_ATTACHMENTS || bytes + content.length > MAX_CASE_ATTACHMENT_BYTES)
      throw conflict('A case holds at most 50 files and 100 MiB. Delete a file first.');
    const added = await insertAttachment(db, {
      attachmentUuid: newUuid(),
      caseUuid,
      name,
      size: content.length,
      sha256,
      addedBy: by.name,
      addedByUuid: by.userUuid,
      addedAt: now(),
      content,
    });
    await addToTimeline(inside, caseUuid, { kind: 'attachment', by: by.name, text: `Added: ${name} (SHA-256 ${sha256})` });
    await recordAudit(db, {
      by,
      organizationUuid,
      action: 'attachment.create',
      target: added.attachment_id,
      details: { case_id: caseId, size: content.length, sha256 },
    });
    return added;
  });
}
