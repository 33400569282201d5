import type { PgClient } from '../../db/client.js';
import { addGeneratedPlan, type ChosenPlaybook, findPlaybookForType, insertGeneratedPlaybook } from '../../db/playbooks/playbooks.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import { chooseSeverityForType } from '../../domain/alert/category.js';
import type { Planner } from '../../domain/playbook/planner.js';

/**
 * The written playbook for this alert type, or else the organization's generated one. A new type gets a generated playbook.
 * Each planner adds at most one version, so that an old and a new release side by side do not overwrite each other in turn.
 */
export async function findOrCreatePlaybook(
  pg: PgClient,
  organizationUuid: string,
  alertType: string,
  planner: Planner,
): Promise<ChosenPlaybook> {
  const key = alertTypeKey(alertType);
  const find = () => findPlaybookForType(pg, organizationUuid, key, planner.digest);
  const found = await find();
  if (found && !found.isOutdated) return toChosenPlaybook(found);
  // The plan follows from the spelling of the alert that created the playbook, not of the alert that is dispatched now.
  const plannedType = found?.alertType ?? alertType;
  const generated = { plan: planner.planFor(plannedType), planner: planner.digest, severity: chooseSeverityForType(plannedType) };
  if (found) await addGeneratedPlan(pg, found.playbookUuid, generated);
  else await insertGeneratedPlaybook(pg, { organizationUuid, alertType, alertTypeKey: key, ...generated });
  const chosen = await find();
  if (!chosen) throw new Error(`The playbook for alert type "${key}" disappeared while it was being created.`);
  return toChosenPlaybook(chosen);
}

function toChosenPlaybook({ playbookUuid, name, workflowType, planVersion, severity }: ChosenPlaybook): ChosenPlaybook {
  return { playbookUuid, name, workflowType, planVersion, severity };
}
