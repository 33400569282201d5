import { recordAudit } from '../../db/identity/audit.js';
import { markPlaybookDeleted } from '../../db/playbooks/playbook-lifecycle.js';
import { type Context, inTransaction } from '../context.js';
import { lockGeneratedPlaybook } from './require-playbook.js';

/** The next alert of one of its types gets a new playbook. */
export function deletePlaybook(context: Context, playbookUuid: string): Promise<void> {
  return inTransaction(context, async ({ db, by, now }) => {
    const { organizationUuid, name } = await lockGeneratedPlaybook(db, by.organizationUuid, playbookUuid);
    await markPlaybookDeleted(db, playbookUuid, now());
    await recordAudit(db, { by, organizationUuid, action: 'playbook.delete', target: playbookUuid, details: { name } });
  });
}
