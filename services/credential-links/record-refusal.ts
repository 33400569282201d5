import type { LinkRow } from '../../db/connections/credential-links.js';
import type { LinkEnd } from '../../domain/connection/credential-link.js';
import { inTransaction, type WorkContext } from '../context.js';
import { auditLink, linkHolder } from './link.js';

export function recordRefusal(context: WorkContext, link: LinkRow, reason: LinkEnd): Promise<void> {
  return inTransaction(context, ({ db }) => auditLink({ db, by: linkHolder(link) }, link, 'refuse', { reason }));
}
