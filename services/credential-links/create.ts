import { insertLink } from '../../db/connections/credential-links.js';
import { newUuid } from '../../db/ids.js';
import type { ConnectionDefinition } from '../../db/schema/index.js';
import { hashToken, newToken } from '../../db/tokens.js';
import { PAGES } from '../../domain/pages.js';
import { requireConfirmedAgent } from '../agents/require-confirmed.js';
import { requireLockedConnection } from '../connections/read.js';
import { requireConnector } from '../connections/setup.js';
import { type Context, type Inside, inTransaction } from '../context.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { lockCreator } from '../users/lock-creator.js';
import { auditLink, describeLink } from './link.js';
import type { CreateCredentialLink, CreatedCredentialLink } from './wire.js';

/** A link to the credentials of an existing connection. */
export function createLink(context: Context, connectionId: string, given: CreateCredentialLink): Promise<CreatedCredentialLink> {
  return inTransaction(context, async (inside) => {
    const { organizationUuid, connectionUuid, connectorKind } = await requireLockedConnection(inside, connectionId);
    requireConnector(connectorKind);
    return storeLink(inside, { organizationUuid, connectionUuid }, given.valid_hours);
  });
}

/** `of`: an existing connection, or the one that the credentials create. */
export async function storeLink(
  inside: Inside<Context>,
  of: { readonly organizationUuid: string } & ({ readonly connectionUuid: string } | { readonly newConnection: ConnectionDefinition }),
  validHours: number,
): Promise<CreatedCredentialLink> {
  const { db, by, now } = inside;
  await requireRecentSignIn(inside);
  const holderUuid = await lockCreator(inside);
  const token = newToken('link');
  const createdAt = now();
  const expiresAt = createdAt + validHours * 3_600;
  const link = await insertLink(db, {
    ...of,
    linkUuid: newUuid(),
    tokenHash: hashToken(token),
    createdBy: by.name,
    createdByUuid: by.userUuid,
    holderUuid,
    createdAt,
    expiresAt,
  });
  await requireConfirmedAgent(db, link.remoteAgentUuid);
  await auditLink(inside, link, 'create', { expires_at: expiresAt });
  // The browser keeps the part after # to itself, so no log and no other site learns the token.
  return { ...describeLink(link), path: `${PAGES.handover}#${token}` };
}
