import { z } from 'zod';
import { addLinkCode, listChatIdentities, removeChatIdentity } from '../../db/identity/chat-identities.js';
import { newToken } from '../../db/tokens.js';
import type { Principal } from '../../domain/identity/identity.js';
import { conflict, notFound } from '../../services/errors.js';
import type { RouteDeps, ZodApp } from '../http/route.js';

const PATH = '/platformapi/session/chat-identities';

/** The chat accounts of the signed-in user, and the codes that link them. */
export function chatIdentityRoutes(app: ZodApp, { database: { db } }: RouteDeps): void {
  const access = ['analyst', 'admin'] as const;
  const config = { access, changes: [] };

  /** A key could end while the account that it linked stays. */
  function requireUser(principal: Principal): Principal & { userUuid: string } {
    const { sessionUuid, userUuid } = principal;
    if (sessionUuid === null || userUuid === null)
      throw conflict('Only a user who signed in can link a chat account. Sign in as a user, not with a key.');
    return { ...principal, userUuid };
  }

  app.get(PATH, { config, schema: { hide: true } }, async ({ principal }) => ({
    items: principal.userUuid === null ? [] : await listChatIdentities(db, principal.userUuid),
  }));

  app.post(`${PATH}/code`, { config, schema: { hide: true } }, async ({ principal }, reply) => {
    const { userUuid } = requireUser(principal);
    const code = newToken('link');
    return reply.status(201).send({ code, expires_at: await addLinkCode(db, userUuid, code) });
  });

  const params = z.object({ identity_id: z.uuid() });
  app.delete(`${PATH}/:identity_id`, { config, schema: { hide: true, params } }, async ({ principal, params: path }, reply) => {
    if (!(await removeChatIdentity(db, requireUser(principal), path.identity_id))) throw notFound('chat account with this id');
    return reply.status(204).send(null);
  });
}
