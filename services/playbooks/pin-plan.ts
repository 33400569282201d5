import { recordAudit } from '../../db/identity/audit.js';
import { copyPlanOf } from '../../db/playbooks/playbook-lifecycle.js';
import { updatePlaybook } from '../../db/playbooks/playbooks.js';
import { type Context, inTransaction } from '../context.js';
import { invalid } from '../errors.js';
import { lockGeneratedPlaybook, requirePlaybook } from './require-playbook.js';
import type { Playbook } from './wire.js';

/** New investigations use the pinned version; null unpins it, so that they use the newest. */
export function pinPlan(context: Context, playbookUuid: string, version: number | null): Promise<Playbook> {
  return inTransaction(context, async ({ db, by, now }) => {
    const { organizationUuid, planOf, version: newest } = await lockGeneratedPlaybook(db, by.organizationUuid, playbookUuid);
    if (version !== null && version > newest)
      throw invalid([{ pointer: '#/version', detail: `This version does not exist. The newest version is ${newest}.` }]);
    if (planOf !== null) await copyPlanOf(db, playbookUuid, now());
    await updatePlaybook(db, playbookUuid, { pinnedVersion: version, modifiedAt: now() });
    await recordAudit(db, { by, organizationUuid, action: 'playbook.pin', target: playbookUuid, details: { version } });
    return requirePlaybook(db, by.organizationUuid, playbookUuid);
  });
}
