import { isOpenSession, isSessionToken, markSessionEnded } from '../../db/identity/user-sessions.js';
import { readUserName } from '../../db/identity/users.js';
import { recordForUser } from '../audit/record-for-user.js';
import { inTransaction, type WorkContext } from '../context.js';

/** Ends the session of the token. Returns false if there is none: anyone can send a token, so an unknown one must cost and change nothing. */
export async function signOut(context: WorkContext, token: string): Promise<boolean> {
  if (!isSessionToken(token) || !(await isOpenSession(context.db, token))) return false;
  return inTransaction(context, async ({ db, now }) => {
    const ended = await markSessionEnded(db, { token }, now());
    if (ended === null) return false;
    const by = { uuid: ended.userUuid, name: await readUserName(db, ended.userUuid) };
    await recordForUser(db, ended.userUuid, { by, action: 'session.end', target: ended.sessionUuid });
    return true;
  });
}
