import { recordAudit } from '../../db/identity/audit.js';
import { saveLinkCode } from '../../db/identity/chat-identities.js';
import { newToken } from '../../db/tokens.js';
import { type Context, inTransaction } from '../context.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { lockCreator } from '../users/lock-creator.js';
import { requireSignedIn } from './require-signed-in.js';
import type { ChatLinkCode } from './wire.js';

const VALID_SECONDS = 600;

export function createLinkCode(context: Context): Promise<ChatLinkCode> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const userUuid = requireSignedIn(by);
    // The linked account decides also after the session.
    await requireRecentSignIn(inside);
    await lockCreator(inside);
    const [code, expiresAt] = [newToken('link'), now() + VALID_SECONDS];
    await saveLinkCode(db, userUuid, code, expiresAt);
    await recordAudit(db, { by, organizationUuid: by.organizationUuid, action: 'chat-identity.code', target: userUuid });
    return { code, expires_at: expiresAt };
  });
}
