import { readVerifiedAt } from '../../db/identity/user-sessions.js';
import type { WorkContext } from '../context.js';
import { forbidden } from '../errors.js';

const RECENT_SECONDS = 3_600;

/**
 * For acts that outlive a session, such as a new key: a browser that was left open, or a stolen cookie, is not enough. API keys have no
 * sign-in and keep their rights.
 */
export async function requireRecentSignIn({ db, by, now }: Pick<WorkContext, 'db' | 'by' | 'now'>): Promise<void> {
  if (by === null || by.sessionUuid === null) return;
  if ((await readVerifiedAt(db, by.sessionUuid)) > now() - RECENT_SECONDS) return;
  throw forbidden(
    'You signed in more than an hour ago. Choose “Confirm that it is you” in the account menu, or sign in again. Then try again.',
  );
}
