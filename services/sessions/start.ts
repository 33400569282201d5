import { insertSession, noteSignIn, SESSION_PREFIX } from '../../db/identity/user-sessions.js';
import { newUuid } from '../../db/ids.js';
import { newToken } from '../../db/tokens.js';
import { recordForUser } from '../audit/record-for-user.js';
import { inTransaction, type WorkContext } from '../context.js';

export interface NewSession {
  /** The browser, as it describes itself. */
  readonly client: string;
  readonly absoluteSeconds: number;
}

/** Starts a session under a new token, and notes the sign-in. */
export function startSession(context: WorkContext, userUuid: string, { client, absoluteSeconds }: NewSession): Promise<string> {
  return inTransaction(context, async ({ db, now }) => {
    const [token, sessionUuid, at] = [newToken(SESSION_PREFIX), newUuid(), now()];
    await insertSession(db, token, { sessionUuid, userUuid, client, createdAt: at, lastSeenAt: at, endsAt: at + absoluteSeconds });
    const name = await noteSignIn(db, userUuid, at);
    await recordForUser(db, userUuid, { by: { uuid: userUuid, name }, action: 'session.start', target: sessionUuid });
    return token;
  });
}
