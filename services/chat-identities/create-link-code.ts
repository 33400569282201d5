import { saveLinkCode } from '../../db/identity/chat-identities.js';
import { newToken } from '../../db/tokens.js';
import type { Context } from '../context.js';
import { requireSignedIn } from './require-signed-in.js';
import type { ChatLinkCode } from './wire.js';

const VALID_SECONDS = 600;

export async function createLinkCode({ db, by, now }: Context): Promise<ChatLinkCode> {
  const userUuid = requireSignedIn(by);
  const [code, expiresAt] = [newToken('link'), now() + VALID_SECONDS];
  await saveLinkCode(db, userUuid, code, expiresAt);
  return { code, expires_at: expiresAt };
}
