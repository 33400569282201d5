import { recordAudit } from '../../db/identity/audit.js';
import { insertChatIdentity, takeLinkCode } from '../../db/identity/chat-identities.js';
import { lockActiveUser } from '../../db/identity/holdings.js';
import { describeChatAccount, type NamedChatAccount } from '../../domain/identity/chat-identity.js';
import { inTransaction, type WorkContext } from '../context.js';
import { conflict } from '../errors.js';

/** Links the chat account to the user who created the code, who still confirms it in the dashboard. */
export async function linkChatAccount(
  context: WorkContext,
  account: NamedChatAccount,
  code: string,
  organizationUuid: string,
): Promise<{ name: string }> {
  const linked = await inTransaction(context, async ({ db, now }) => {
    const user = await takeLinkCode(db, code, now());
    const isActive = user !== null && (await lockActiveUser(db, user.uuid)) !== null;
    if (user === null || !isActive)
      throw conflict('The code is wrong, was used before, or is too old. Create a new one in the account menu.');
    // The code stays used, so this must not undo the transaction.
    if (!(await insertChatIdentity(db, account, user.uuid, now()))) return null;
    const details = { account: describeChatAccount(account), app: account.appId };
    await recordAudit(db, { by: user, organizationUuid, action: 'chat-identity.link', target: user.uuid, details });
    return { name: user.name };
  });
  if (linked !== null) return linked;
  throw conflict('This Slack account is linked to another user, who can remove the link in the account menu. Create a new code then.');
}
