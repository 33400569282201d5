import type { Transaction } from '../../db/client.js';
import {
  type ConnectionColumns,
  type ConnectionRow,
  clearDefault,
  deleteSecrets,
  updateConnectionRow,
  writeSecrets,
} from '../../db/connections/connections.js';
import { revokeLinksTo } from '../../db/connections/credential-links.js';
import { sendsSecretsElsewhere } from '../../domain/connection/connection.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import { requireConfirmedAgent } from '../agents/require-confirmed.js';
import { inTransaction } from '../context.js';
import { invalid } from '../errors.js';
import { confirmRuleChange } from '../response-rules/confirm-rule-change.js';
import { recordRuleEvent } from '../response-rules/record-rule-event.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { auditConnection } from './audit.js';
import type { ConnectionContext } from './context.js';
import { checkFields, checkSecretExpiry, splitCredentials } from './fields.js';
import { readConnection, requireLockedConnection } from './read.js';
import { checkAgent, checkFeed, refuseTakenName, requireConnector } from './setup.js';
import type { Connection, UpdateConnection } from './wire.js';

type Changes = Partial<
  Pick<
    ConnectionColumns,
    'instanceName' | 'description' | 'settings' | 'secretExpiresOn' | 'remoteAgentUuid' | 'isDefault' | 'needsSecondPerson' | 'feedsIntake'
  >
>;

/**
 * New settings may point to another host, so the state becomes untested. Given credentials replace all stored ones.
 * `pending`: the request drops the second person and waits for one; nothing has changed.
 */
export function updateConnection(
  context: ConnectionContext,
  connectionUuid: string,
  update: UpdateConnection,
): Promise<{ readonly connection: Connection } | { readonly pending: PendingRuleChange }> {
  const change = () =>
    inTransaction(context, async (inside) => {
      const { db, now, keyring } = inside;
      if (update.credentials !== undefined) await requireRecentSignIn(inside);
      checkSecretExpiry(update.secret_expires_on, now());
      const row = await requireLockedConnection(inside, connectionUuid);
      const { contract } = requireConnector(row.connectorKind);
      const changes = await checkChanges(db, row, update);
      const isMoved = sendsSecretsElsewhere(
        { settings: row.settings, remoteAgent: row.remoteAgentUuid },
        { settings: changes.settings, remoteAgent: changes.remoteAgentUuid },
      );
      if (isMoved && row.secretFields.length > 0 && update.credentials === undefined) throw missingCredentials();
      const agent = changes.remoteAgentUuid === undefined ? row.remoteAgentUuid : changes.remoteAgentUuid;
      if (agent !== row.remoteAgentUuid || update.credentials !== undefined) await requireConfirmedAgent(db, agent);
      const credentials =
        update.credentials === undefined
          ? null
          : splitCredentials(contract, checkFields(contract.credentials, update.credentials, 'credentials'), keyring, row);
      if (changes.needsSecondPerson !== undefined && relaxes(row.needsSecondPerson, changes.needsSecondPerson)) {
        const { organizationUuid, connectionUuid: target } = row;
        const asked = { organizationUuid, change: 'drop-second-person', target, value: null } as const;
        // The default is no rule that two people agreed on.
        const pending = row.needsSecondPerson === true ? await confirmRuleChange(inside, asked) : null;
        if (pending !== null) return { pending };
        recordRuleEvent(inside, 'rule.relaxed', asked);
      }
      const at = now();
      // A customer who opened a link saw where the credentials go. Links are locked before their connection, as in `redeemLink`.
      const linksRevoked = isMoved ? await revokeLinksTo(db, connectionUuid, at) : 0;
      if (changes.isDefault) await clearDefault(db, row);
      const isElsewhere = changes.settings !== undefined || credentials !== null || agent !== row.remoteAgentUuid;
      await updateConnectionRow(
        db,
        connectionUuid,
        {
          // The day of the old secret would be wrong for the new one.
          ...(credentials === null ? {} : { plainCredentials: credentials.plainCredentials, secretsSetAt: at, secretExpiresOn: null }),
          ...changes,
          ...(isElsewhere ? { state: 'untested', stateReason: null, stateSince: at } : {}),
          modifiedAt: at,
        },
        { isNewGeneration: isElsewhere },
      );
      if (credentials !== null) {
        // Also secrets that the third party issued: they must not reach the new place.
        await deleteSecrets(db, connectionUuid);
        await writeSecrets(db, connectionUuid, credentials.secrets);
      }
      await auditConnection(inside, row, 'connection.update', {
        changed: Object.keys(changes),
        ...describeChanges(row, changes),
        credentials_replaced: credentials !== null,
        ...(linksRevoked === 0 ? {} : { credential_links_revoked: linksRevoked }),
      });
      return { connection: await readConnection(inside, connectionUuid) };
    });
  return refuseTakenName(change);
}

/** From strict to loose: true, null (the default), false. */
function relaxes(before: boolean | null, after: boolean | null): boolean {
  const strictness = [false, null, true];
  return strictness.indexOf(after) < strictness.indexOf(before);
}

async function checkChanges(db: Transaction, row: ConnectionRow, update: UpdateConnection): Promise<Changes> {
  const { contract } = requireConnector(row.connectorKind);
  checkFeed(contract, update.feeds_intake);
  const { remote_agent: agent } = update;
  return {
    ...(update.instance_name === undefined ? {} : { instanceName: update.instance_name }),
    ...(update.description === undefined ? {} : { description: update.description }),
    ...(update.settings === undefined ? {} : { settings: checkFields(contract.settings, update.settings, 'settings') }),
    ...(update.secret_expires_on === undefined ? {} : { secretExpiresOn: update.secret_expires_on }),
    ...(agent === undefined ? {} : { remoteAgentUuid: await checkAgent(db, contract, row.organizationUuid, agent) }),
    ...(update.is_default === undefined ? {} : { isDefault: update.is_default }),
    ...(update.needs_second_person === undefined ? {} : { needsSecondPerson: update.needs_second_person }),
    ...(update.feeds_intake === undefined ? {} : { feedsIntake: update.feeds_intake }),
  };
}

function missingCredentials() {
  return invalid([
    {
      pointer: '#/credentials',
      detail: 'credentials: send all of them again, because this change of settings or remote_agent sends them to another place.',
    },
  ]);
}

/** The values before and after an update, without those that stay the same. Secrets are not part of them. */
function describeChanges(connection: ConnectionRow, changes: Changes) {
  const before = new Map<string, unknown>(Object.entries(connection));
  const changed = Object.entries(changes).filter(([name, value]) => JSON.stringify(before.get(name)) !== JSON.stringify(value));
  return { old: Object.fromEntries(changed.map(([name]) => [name, before.get(name)])), new: Object.fromEntries(changed) };
}
