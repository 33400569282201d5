import { readContentStart } from '../../db/alerts/outbox.js';
import type { PgClient } from '../../db/client.js';
import {
  addGeneratedPlan,
  type ChosenPlaybook,
  findPlaybookForType,
  insertGeneratedPlaybook,
  listWrittenPlaybooks,
  type PlaybookForType,
  type WrittenPlaybook,
} from '../../db/playbooks/playbooks.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import { readAlertContent } from '../../domain/alert/alert-content.js';
import { chooseSeverityForType } from '../../domain/alert/category.js';
import {
  type Choice,
  choosePlaybookByRule,
  choosePlaybookByType,
  DECLARED_TYPE,
  isUnknownType,
} from '../../domain/playbook/choose-playbook.js';
import type { Planner } from '../../domain/playbook/planner.js';

const PERSONAL = 'An analyst edited or pinned the plan for this alert type.';
const GENERATED = 'No written playbook clearly fits this alert type, so the service generated a plan for it.';

/**
 * In this order: the written playbook that declares the type, the organization's plan that a person edited, the written playbook
 * that clearly fits the type, and the organization's generated plan. A new type gets a generated plan.
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
  if (found?.organizationUuid === null) return toChosenPlaybook(found, DECLARED_TYPE);
  if (found?.isPersonal) return toChosenPlaybook(found, PERSONAL);
  const fitting = choosePlaybookByType(alertType, await listWrittenPlaybooks(pg));
  if (fitting) return toWrittenChoice(fitting);
  const isFinal = !isUnknownType(alertType);
  if (found && !found.isOutdated) return toChosenPlaybook(found, GENERATED, isFinal);
  // The plan follows from the spelling of the alert that created the playbook, not of the alert that is dispatched now.
  const plannedType = found?.alertType ?? alertType;
  const generated = { plan: planner.planFor(plannedType), planner: planner.digest, severity: chooseSeverityForType(plannedType) };
  if (found) await addGeneratedPlan(pg, found.playbookUuid, generated);
  else await insertGeneratedPlaybook(pg, { organizationUuid, alertType, alertTypeKey: key, ...generated });
  const chosen = await find();
  if (!chosen) throw new Error(`The playbook for alert type "${key}" disappeared while it was being created.`);
  return toChosenPlaybook(chosen, GENERATED, isFinal);
}

/** For an alert whose type says nothing: the written playbook for the rule that its content names, or else the given one. */
export async function refinePlaybook(pg: PgClient, alertUuid: string, chosen: ChosenPlaybook): Promise<ChosenPlaybook> {
  if (chosen.isFinal) return chosen;
  const { ruleName } = readAlertContent(await readContentStart(pg, alertUuid)).header;
  const fitting = ruleName === null ? null : choosePlaybookByRule(ruleName, await listWrittenPlaybooks(pg));
  return fitting ? toWrittenChoice(fitting) : chosen;
}

function toWrittenChoice({ playbook, reason }: Choice<WrittenPlaybook>): ChosenPlaybook {
  const { playbookUuid, name, workflowType, severity } = playbook;
  return { playbookUuid, name, workflowType, severity, planVersion: null, reason, isFinal: true };
}

function toChosenPlaybook(found: PlaybookForType, reason: string, isFinal = true): ChosenPlaybook {
  const { playbookUuid, name, workflowType, planVersion, severity } = found;
  return { playbookUuid, name, workflowType, planVersion, severity, reason, isFinal };
}
