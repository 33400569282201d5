import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { copyPlaybookForType, lockPlaybookOfType } from '../../db/playbooks/playbook-lifecycle.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import { type Context, inTransaction } from '../context.js';
import { CommandError, conflict } from '../errors.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { requirePlaybook } from './require-playbook.js';
import type { CreatePlaybook, Playbook } from './wire.js';

/** Gives an alert type that shares a playbook one of its own, which starts with a copy of the plan in use. */
export function createOwnPlaybook(context: Context, given: CreatePlaybook): Promise<Playbook> {
  return inTransaction(context, async ({ db, by, now }) => {
    const organizationUuid = await requireOrganization(db, by, given.organization_code);
    const typeKey = alertTypeKey(given.alert_type);
    const present = await lockPlaybookOfType(db, organizationUuid, typeKey);
    if (present === null)
      throw new CommandError(
        'not-found',
        'The organization has no playbook for this alert type yet. The first alert of the type creates it.',
      );
    if (present.isWritten) throw conflict('A playbook that is written in TypeScript declares this alert type.');
    if (!present.isShared) throw conflict('This alert type shares its playbook with no other type. Edit its plan.');
    const playbookUuid = newUuid();
    await copyPlaybookForType(db, { playbookUuid, organizationUuid, typeKey, createdAt: now() });
    const details = { alert_type: given.alert_type };
    await recordAudit(db, { by, organizationUuid, action: 'playbook.create', target: playbookUuid, details });
    return requirePlaybook(db, by.organizationUuid, playbookUuid);
  });
}
