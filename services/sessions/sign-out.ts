import { markSessionEnded } from '../../db/identity/user-sessions.js';
import type { WorkContext } from '../context.js';

/** Ends the session of the token, if it is one. */
export async function signOut({ db, now }: WorkContext, token: string): Promise<void> {
  await markSessionEnded(db, { token }, now());
}
