import { readContentStart } from '../../db/alerts/outbox.js';
import type { PgClient } from '../../db/client.js';
import {
  addGeneratedPlan,
  type ChosenPlaybook,
  findPlaybookForType,
  findSharedPlaybook,
  type GeneratedPlan,
  joinSharedPlaybook,
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
import { GENERAL_PLAYBOOK, NEW_PLAYBOOKS_PER_HOUR, sharedPlaybookFor } from '../../domain/playbook/shared-playbook.js';
import { runSerially } from '../../platform/run-serially.js';

const PERSONAL = 'An analyst edited or pinned the plan for this alert type.';
const GENERATED = 'No written playbook clearly fits this alert type, so a generated plan for its categories investigates it.';
const GENERAL = `The organization got ${NEW_PLAYBOOKS_PER_HOUR} new playbooks within an hour, so the general plan investigates this alert type.`;

/**
 * In this order: the written playbook that declares the type, the organization's plan that a person edited, the written playbook
 * that clearly fits the type, and the generated plan that all types of its categories share.
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
  const generated = generatePlan(found?.alertType ?? alertType, planner);
  if (found) await addGeneratedPlan(pg, found.playbookUuid, generated);
  else {
    const type = { alertType, alertTypeKey: key };
    const shared = { ...sharedPlaybookFor(alertType), ...generated, newPerHour: NEW_PLAYBOOKS_PER_HOUR };
    await joinSharedPlaybook(pg, organizationUuid, type, shared);
  }
  const chosen = await find();
  return chosen ? toChosenPlaybook(chosen, GENERATED, isFinal) : findGeneralPlaybook(pg, organizationUuid, planner);
}

/** The type does not join it, so that it gets a plan of its own when the hour has passed. */
async function findGeneralPlaybook(pg: PgClient, organizationUuid: string, planner: Planner): Promise<ChosenPlaybook> {
  const { sharedFor, name } = GENERAL_PLAYBOOK;
  const find = () => findSharedPlaybook(pg, organizationUuid, sharedFor, planner.digest);
  const found = await find();
  const generated = generatePlan('', planner);
  if (found?.isOutdated) await addGeneratedPlan(pg, found.playbookUuid, generated);
  if (!found) await joinSharedPlaybook(pg, organizationUuid, null, { sharedFor, name, ...generated, newPerHour: Number.MAX_SAFE_INTEGER });
  const chosen = found && !found.isOutdated ? found : await find();
  if (!chosen) throw new Error(`The general playbook of organization ${organizationUuid} disappeared while it was being created.`);
  return toChosenPlaybook(chosen, GENERAL, false);
}

function generatePlan(alertType: string, planner: Planner): GeneratedPlan {
  return { plan: planner.planFor(alertType), planner: planner.digest, severity: chooseSeverityForType(alertType) };
}

/** For an alert whose type says nothing: the written playbook for the rule that its content names, or else the given one. */
export async function refinePlaybook(pg: PgClient, alertUuid: string, chosen: ChosenPlaybook): Promise<ChosenPlaybook> {
  if (chosen.isFinal) return chosen;
  const start = await readContentStart(pg, alertUuid);
  // A wave has hundreds of alerts.
  const { ruleName } = await runSerially(() => readAlertContent(start).header);
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
