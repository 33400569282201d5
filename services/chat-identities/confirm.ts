import { recordAudit } from '../../db/identity/audit.js';
import { confirmChatIdentity } from '../../db/identity/chat-identities.js';
import { describeChatAccount } from '../../domain/identity/chat-identity.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { requireSignedIn } from './require-signed-in.js';

/** Only then does the account decide: an admin's own app could have passed the code on with another account. */
export function confirmChatAccount(context: Context, identityUuid: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    await requireRecentSignIn(inside);
    const account = await confirmChatIdentity(db, requireSignedIn(by), identityUuid, now());
    if (account === null) throw notFound('chat account with this id that waits for your confirmation');
    const details = { account: describeChatAccount(account), app: account.appId };
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'chat-identity.confirm', target: by.uuid, details });
  });
}
