import { z } from 'zod';

/** A linked account in the list of its user. */
export const ChatIdentity = z.object({
  identity_id: z.uuid(),
  kind: z.enum(['slack']),
  workspace: z.string(),
  workspace_name: z.string(),
  app_id: z.string().nullable(),
  chat_user_id: z.string(),
  chat_user_name: z.string(),
  linked_at: z.int(),
  confirmed_at: z.int().nullable(),
});
export type ChatIdentity = z.infer<typeof ChatIdentity>;

/** Shown once: the service stores only a hash. */
export const ChatLinkCode = z.object({ code: z.string(), expires_at: z.int() });
export type ChatLinkCode = z.infer<typeof ChatLinkCode>;
