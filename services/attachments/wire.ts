import { z } from 'zod';
import { storable } from '../../domain/text.js';

/** A file of a case. The service never opens it, and browsers only download it. */
export const Attachment = z.object({
  attachment_id: z.uuid(),
  name: z.string(),
  size: z.int().describe('Bytes.'),
  sha256: z.string().describe('Of the content, in hexadecimal digits.'),
  added_by: z.string(),
  added_at: z.int(),
});
export type Attachment = z.infer<typeof Attachment>;

/** A name without a path and without characters that a file system or a header gives a meaning. */
export const AttachmentName = storable(200)
  .min(1)
  .refine((name) => !/[\\/:*?"<>|\p{Cc}\p{Cf}]/u.test(name) && name.trim() !== '' && !/^\.+$/.test(name), {
    error: 'must be a file name without a path, quotes and control characters',
  });
