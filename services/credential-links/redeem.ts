import { isUniqueViolation } from '../../db/client.js';
import { findConnection, lockConnection } from '../../db/connections/connections.js';
import { endLink, findLink, type LinkRow, setLinkConnection } from '../../db/connections/credential-links.js';
import { newUuid } from '../../db/ids.js';
import { findLinkEnd } from '../../domain/connection/credential-link.js';
import { requireConfirmedAgent } from '../agents/require-confirmed.js';
import type { ConnectionContext } from '../connections/context.js';
import { checkFields, checkSecretExpiry, splitCredentials } from '../connections/fields.js';
import { insertConnection } from '../connections/insert.js';
import { replaceCredentials } from '../connections/replace-credentials.js';
import { requireConnector } from '../connections/setup.js';
import { runTest } from '../connections/test.js';
import { type Inside, inTransaction } from '../context.js';
import { conflict, invalid } from '../errors.js';
import { auditLink, LinkEnded, linkHolder } from './link.js';
import type { HandedOver } from './wire.js';

const NAME_TAKEN =
  'The organization has got a connection with the name of this one since the link was made. Your credentials are not stored. Ask for a new link.';

/** Ends the link and stores the credentials in one transaction, so that a failure leaves the link open. */
export async function redeemLink(context: Omit<ConnectionContext, 'by'>, link: LinkRow, given: HandedOver): Promise<void> {
  if (link.remoteAgentUuid !== null && given.consents_to_agent !== true) {
    const detail = 'consents_to_agent: must be true, because the credentials reach a remote agent in cleartext.';
    throw invalid([{ pointer: '#/consents_to_agent', detail }]);
  }
  checkSecretExpiry(given.secret_expires_on, context.now());
  const { contract } = requireConnector(link.connectorKind);
  const credentials = checkFields(contract.credentials, given.credentials, 'credentials');
  const place = { organizationUuid: link.organizationUuid, connectionUuid: link.connectionUuid ?? newUuid() };
  const sealed = { ...splitCredentials(contract, credentials, context.keyring, place), secretExpiresOn: given.secret_expires_on ?? null };
  try {
    await inTransaction({ ...context, by: linkHolder(link) }, async (inside) => {
      const { db } = inside;
      await takeLink(inside, link);
      // The link can be older than this rule.
      await requireConfirmedAgent(db, link.remoteAgentUuid);
      if (link.newConnection !== null) await insertConnection(inside, { ...link.newConnection, ...place, ...sealed });
      else {
        await lockConnection(db, place.connectionUuid);
        const connection = await findConnection(db, link.organizationUuid, place.connectionUuid);
        if (connection === null) throw new LinkEnded('revoked');
        const plainCredentials = { ...connection.plainCredentials, ...sealed.plainCredentials };
        await replaceCredentials(inside, connection, { ...sealed, plainCredentials });
      }
      await setLinkConnection(db, link.linkUuid, place.connectionUuid);
      await auditLink(inside, { ...link, connectionUuid: place.connectionUuid }, 'use', { remote_agent: link.remoteAgentUuid });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? conflict(NAME_TAKEN) : error;
  }
  // Staff see the result on the connection. Without Temporal they can start the test later.
  runTest(context.runner, { ...place, instanceName: link.instanceName }, 0).catch(() => {});
}

async function takeLink({ db, now }: Inside<ConnectionContext>, { linkUuid }: LinkRow): Promise<void> {
  const at = now();
  if (await endLink(db, linkUuid, { usedAt: at })) return;
  const current = await findLink(db, null, linkUuid);
  throw new LinkEnded(current === null ? 'revoked' : (findLinkEnd(current, at) ?? 'expired'));
}
