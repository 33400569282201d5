import { z } from 'zod';
import { listChatIdentities } from '../../db/identity/chat-identities.js';
import { confirmChatAccount } from '../../services/chat-identities/confirm.js';
import { createLinkCode } from '../../services/chat-identities/create-link-code.js';
import { unlinkChatAccount } from '../../services/chat-identities/unlink.js';
import { ChatIdentity, ChatLinkCode } from '../../services/chat-identities/wire.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const PATH = '/platformapi/session/chat-identities';

/** The chat accounts of the signed-in user, and the codes that link them. */
export function chatIdentityRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  const config = { access: ['analyst', 'admin'] as const, changes: [] };

  app.get(
    PATH,
    { config, schema: { hide: true, response: { 200: z.object({ items: z.array(ChatIdentity) }) } } },
    async ({ principal }) => ({
      items: principal.userUuid === null ? [] : await listChatIdentities(db, principal.userUuid),
    }),
  );

  app.post(`${PATH}/code`, { config, schema: { hide: true, response: { 201: ChatLinkCode } } }, async ({ context }, reply) =>
    reply.status(201).send(await createLinkCode(context)),
  );

  const params = z.object({ identity_id: z.uuid() });
  app.post(
    `${PATH}/:identity_id/confirm`,
    { config, schema: { hide: true, params, response: { 204: z.null() } } },
    async ({ context, params: path }, reply) => {
      await confirmChatAccount(context, path.identity_id);
      return reply.status(204).send(null);
    },
  );

  app.delete(
    `${PATH}/:identity_id`,
    { config, schema: { hide: true, params, response: { 204: z.null() } } },
    async ({ context, params: path }, reply) => {
      await unlinkChatAccount(context, path.identity_id);
      return reply.status(204).send(null);
    },
  );
}
