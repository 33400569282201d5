import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import type { ConnectionContext } from './context.js';
import { checkReconnect, checkSecretExpiry, splitCredentials } from './fields.js';
import { readConnection, requireConnection } from './read.js';
import { replaceCredentials } from './replace-credentials.js';
import { requireConnector } from './setup.js';
import { runTest } from './test.js';
import type { Reconnect, Reconnected } from './wire.js';

export async function reconnect(context: ConnectionContext, connectionUuid: string, given: Reconnect): Promise<Reconnected> {
  await requireRecentSignIn(context);
  checkSecretExpiry(given.secret_expires_on, context.now());
  const row = await requireConnection(context, connectionUuid);
  const { contract } = requireConnector(row.connectorKind);
  const credentials = checkReconnect(contract, given.credentials, row);
  const sealed = splitCredentials(contract, credentials, context.keyring, row);
  await replaceCredentials(context, row, { ...sealed, secretExpiresOn: given.secret_expires_on ?? null });
  const test = await runTest(context.runner, row);
  return { connection: await readConnection(context, connectionUuid), test };
}
