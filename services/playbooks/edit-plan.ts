import { recordAudit } from '../../db/identity/audit.js';
import { copyPlanOf } from '../../db/playbooks/playbook-lifecycle.js';
import { insertPlanVersion, toPlanVersion, updatePlaybook } from '../../db/playbooks/playbooks.js';
import { type Context, inTransaction } from '../context.js';
import { lockForEdit, outdated, requireRunnable } from './plan-edit.js';
import type { EditPlan, PlanVersion } from './wire.js';

/** Adds a person's version of the plan, edited from the newest one. */
export async function editPlan(context: Context, playbookUuid: string, edit: EditPlan): Promise<PlanVersion> {
  requireRunnable(edit.plan);
  return inTransaction(context, async ({ db, by, now }) => {
    const playbook = await lockForEdit(db, by.organizationUuid, playbookUuid, edit);
    const { plan, made_from: madeFrom } = edit;
    const [version, at] = [madeFrom + 1, now()];
    if (playbook.planOf !== null) await copyPlanOf(db, playbookUuid, at);
    const made = await insertPlanVersion(db, {
      playbookUuid,
      version,
      plan,
      author: by.name,
      authorUuid: by.userUuid,
      madeFrom,
      createdAt: at,
    });
    // The service added its own next version in between.
    if (made === null) throw outdated(version);
    await updatePlaybook(db, playbookUuid, { version, modifiedAt: at });
    const { organizationUuid } = playbook;
    const details = { version, made_from: madeFrom };
    await recordAudit(db, { by, organizationUuid, action: 'playbook.edit', target: playbookUuid, details });
    return toPlanVersion({ ...playbook, version }, made);
  });
}
