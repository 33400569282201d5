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

/** One for each browser of a person. A new one ends the oldest. */
const MAX_OPEN_SESSIONS = 20;

/** Starts a session under a new token, and notes the sign-in. */
export function startSession(context: WorkContext, userUuid: string, { client, absoluteSeconds }: NewSession): Promise<string> {
  return inTransaction(context, async ({ db, now }) => {
    const [token, sessionUuid, at] = [newToken(SESSION_PREFIX), newUuid(), now()];
    // First, because it locks the user: sign-ins at the same time see each other's sessions.
    const name = await noteSignIn(db, userUuid, at);
    const session = { sessionUuid, userUuid, client, createdAt: at, lastSeenAt: at, endsAt: at + absoluteSeconds };
    await insertSession(db, token, session, MAX_OPEN_SESSIONS);
    await recordForUser(db, userUuid, { by: { uuid: userUuid, name }, action: 'session.start', target: sessionUuid });
    return token;
  });
}
