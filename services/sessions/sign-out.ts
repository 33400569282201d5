import { isSessionToken, markSessionEnded } from '../../db/identity/user-sessions.js';
import type { WorkContext } from '../context.js';

/** Ends the session of the token. Returns false if there is none: anyone can send a token, so an unknown one must cost and change nothing. */
export async function signOut({ db, now }: WorkContext, token: string): Promise<boolean> {
  return isSessionToken(token) && (await markSessionEnded(db, { token }, now()));
}
