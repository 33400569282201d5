import { recordAudit } from '../../db/identity/audit.js';
import { upsertPreferences } from '../../db/notifications/inbox.js';
import type { InboxPreferences } from '../../domain/notification/inbox.js';
import { type Context, inTransaction } from '../context.js';
import { requireInbox } from './require-inbox.js';

export function saveInboxPreferences(context: Context, preferences: InboxPreferences): Promise<InboxPreferences> {
  return inTransaction(context, async ({ db, by, now }) => {
    const { userUuid, scope: organizationUuid } = requireInbox(by);
    await upsertPreferences(db, userUuid, preferences, now());
    await recordAudit(db, { by, organizationUuid, action: 'inbox-preferences.update', target: userUuid });
    return preferences;
  });
}
