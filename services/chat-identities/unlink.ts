import { recordAudit } from '../../db/identity/audit.js';
import { deleteChatIdentity } from '../../db/identity/chat-identities.js';
import { describeChatAccount } from '../../domain/identity/chat-identity.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { requireSignedIn } from './require-signed-in.js';

export function unlinkChatAccount(context: Context, identityUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by }) => {
    const removed = await deleteChatIdentity(db, requireSignedIn(by), identityUuid);
    if (removed === null) throw notFound('chat account with this id');
    const details = { account: describeChatAccount(removed) };
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'chat-identity.unlink', target: by.uuid, details });
  });
}
