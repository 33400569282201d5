import { requireConfirmedAgent } from '../agents/require-confirmed.js';
import { inTransaction } from '../context.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import type { ConnectionContext } from './context.js';
import { checkReconnect, checkSecretExpiry, splitCredentials } from './fields.js';
import { readConnection, requireLockedConnection } from './read.js';
import { replaceCredentials } from './replace-credentials.js';
import { requireConnector } from './setup.js';
import { runTest } from './test.js';
import type { Reconnect, Reconnected } from './wire.js';

export async function reconnect(context: ConnectionContext, connectionUuid: string, given: Reconnect): Promise<Reconnected> {
  await requireRecentSignIn(context);
  checkSecretExpiry(given.secret_expires_on, context.now());
  const row = await inTransaction(context, async (inside) => {
    const locked = await requireLockedConnection(inside, connectionUuid);
    await requireConfirmedAgent(inside.db, locked.remoteAgentUuid);
    const { contract } = requireConnector(locked.connectorKind);
    const credentials = checkReconnect(contract, given.credentials, locked);
    const sealed = splitCredentials(contract, credentials, inside.keyring, locked);
    await replaceCredentials(inside, locked, { ...sealed, secretExpiresOn: given.secret_expires_on ?? null });
    return locked;
  });
  const test = await runTest(context.runner, row);
  return { connection: await readConnection(context, connectionUuid), test };
}
