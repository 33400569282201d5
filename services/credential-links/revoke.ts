import { endLink, findLink } from '../../db/connections/credential-links.js';
import { type Context, inTransaction } from '../context.js';
import { notFound } from '../errors.js';
import { auditLink } from './link.js';

/** Returns the organization of the link. Revoking an ended link changes nothing. */
export function revokeLink(context: Context, linkUuid: string): Promise<string> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const link = await findLink(db, by.organizationUuid, linkUuid);
    if (link === null) throw notFound('credential link with this id');
    if (await endLink(db, linkUuid, { revokedAt: now() })) await auditLink(inside, link, 'revoke');
    return link.organizationUuid;
  });
}
