import { recordAudit } from '../../db/identity/audit.js';
import { copyPlanOf, findPlaybookOfType } from '../../db/playbooks/playbook-lifecycle.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import { type Context, inTransaction } from '../context.js';
import { CommandError, conflict } from '../errors.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { lockGeneratedPlaybook, requirePlaybook } from './require-playbook.js';
import type { CreatePlaybook, Playbook } from './wire.js';

/** The playbook of an alert type gets a copy of the plan of its category, to edit independently of the category. */
export function createOwnPlaybook(context: Context, given: CreatePlaybook): Promise<Playbook> {
  return inTransaction(context, async ({ db, by, now }) => {
    const organizationUuid = await requireOrganization(db, by, given.organization_code);
    const found = await findPlaybookOfType(db, organizationUuid, alertTypeKey(given.alert_type));
    if (found?.isWritten) throw conflict('A playbook that is written in TypeScript declares this alert type.');
    if (found === null || found.playbookUuid === null)
      throw new CommandError(
        'not-found',
        'The organization has no playbook for this alert type yet. The first alert of the type creates it.',
      );
    const { playbookUuid, planOf } = await lockGeneratedPlaybook(db, by.organizationUuid, found.playbookUuid);
    if (planOf === null) throw conflict('This alert type has a plan of its own already. Edit its plan.');
    await copyPlanOf(db, playbookUuid, now());
    const details = { alert_type: given.alert_type };
    await recordAudit(db, { by, organizationUuid, action: 'playbook.create', target: playbookUuid, details });
    return requirePlaybook(db, by.organizationUuid, playbookUuid);
  });
}
