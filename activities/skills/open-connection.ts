import { createHash } from 'node:crypto';
import type { ConnectorContract } from '../../connectors/kit/define.js';
import { hideInReplies } from '../../connectors/kit/hide-secrets.js';
import type { SkillContext } from '../../connectors/kit/implement.js';
import type { Db, PgClient } from '../../db/client.js';
import type { CallableConnection } from '../../db/connections/connection-calls.js';
import { ensureKeyUuid } from '../../db/connections/connections.js';
import { readStreamEvents } from '../../db/sources/stream-events.js';
import { type Keyring, openCredentials, type SecretPlace } from '../../platform/keyring.js';
import { keepCredential } from '../../services/connections/keep-credential.js';
import { asService } from '../../services/context.js';
import { parseFields } from './perform-skill.js';

export interface Opener {
  readonly db: Db;
  readonly pg: PgClient;
  readonly keyring: Keyring;
}

/** Decrypts a connection for one skill call. */
export function createOpener({ db, pg, keyring }: Opener) {
  const toSecretPlace = (connection: CallableConnection, field: string): SecretPlace => ({
    organizationUuid: connection.organizationUuid,
    connectionUuid: connection.connectionUuid,
    field,
  });
  return {
    contextFor(
      connector: ConnectorContract,
      connection: CallableConnection,
      call: Pick<SkillContext, 'http' | 'signal' | 'operationKey'>,
    ): SkillContext {
      const credentials = parseFields(connector.credentials, openCredentials(connection, keyring), 'credentials');
      return {
        ...call,
        http: hideInReplies(call.http, connector.credentials, credentials),
        connection: {
          id: connection.connectionUuid,
          generation: connection.generation,
          settings: parseFields(connector.settings, connection.settings, 'settings'),
          credentials,
        },
        async keepCredential(field, value) {
          const sealed = keyring.seal(JSON.stringify(value), toSecretPlace(connection, field));
          await keepCredential(asService(db), connection.connectionUuid, { field, ...sealed });
        },
        readStoredEvents: (question) =>
          connection.secrets.some((secret) => secret.field === 'stream') ? readStreamEvents(db, connection.connectionUuid, question) : null,
        uuidOf: (value) => ensureKeyUuid(pg, createHash('sha256').update(`alert-investigator key ${value}`).digest('base64')),
      };
    },
  };
}
