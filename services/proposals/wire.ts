import { z } from 'zod';
import { text } from '../../domain/text.js';

export const ApproveProposal = z.strictObject({
  reason: text(1000).optional(),
  release_after_hours: z.int().min(1).max(720).optional().describe('Undo it after this time unless a person reconfirms it.'),
});
export type ApproveProposal = z.infer<typeof ApproveProposal>;

export const RefuseProposal = z.strictObject({ reason: text(1000) });

export const ReconfirmProposal = z.strictObject({
  hours: z.int().min(1).max(720).nullable().describe('Undo it this many hours from now. null: never undo it.'),
  reason: text(1000),
});
export type ReconfirmProposal = z.infer<typeof ReconfirmProposal>;

export const ReleaseProposal = z.strictObject({ reason: text(1000) });
