import { readContentStart } from '../../db/alerts/outbox.js';
import type { PgClient } from '../../db/client.js';
import {
  addGeneratedPlan,
  type ChosenPlaybook,
  changePlanOf,
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
import {
  asksEverything,
  GENERAL_PLAYBOOK,
  NEW_PER_HOUR,
  nameOfType,
  readShared,
  type SharedPlaybook,
  sharedPlaybookFor,
  sharedPlaybookForContent,
} from '../../domain/playbook/shared-playbook.js';
import { runSerially } from '../../platform/run-serially.js';

const PERSONAL = 'An analyst edited or pinned the plan for this alert type.';
const GENERATED = 'No written playbook clearly fits this alert type, so a generated plan for its categories investigates it.';
const GENERAL = `The organization got ${NEW_PER_HOUR.types} new alert types or ${NEW_PER_HOUR.categories} new categories within an hour, so the general plan investigates this alert type.`;

/**
 * In this order: the written playbook that declares the type, the organization's plan that a person edited, the written playbook
 * that clearly fits the type, and the type's own playbook, which uses the generated plan of its category.
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
  const isNamed = found !== null && (found.isNamed || found.sharedFor === null);
  if (found?.isPersonal && isNamed) return toChosenPlaybook(found, PERSONAL);
  const fitting = found?.isPersonal ? null : choosePlaybookByType(alertType, await listWrittenPlaybooks(pg));
  if (fitting) return toWrittenChoice(fitting);
  const isFinal = !isUnknownType(alertType);
  if (found && isNamed && !found.isOutdated) return toChosenPlaybook(found, GENERATED, isFinal);
  if (found?.isOutdated) await addGeneratedPlan(pg, found.planUuid, generateAgain(found, planner));
  if (!isNamed) {
    const type = { alertType, alertTypeKey: key, name: nameOfType(alertType) };
    const shared = sharedPlaybookFor(alertType);
    await joinSharedPlaybook(pg, organizationUuid, type, { ...shared, ...generatePlan(shared, planner), newPerHour: NEW_PER_HOUR });
  }
  const chosen = await find();
  if (!chosen) return findGeneralPlaybook(pg, organizationUuid, planner);
  return chosen.isPersonal ? toChosenPlaybook(chosen, PERSONAL) : toChosenPlaybook(chosen, GENERATED, isFinal);
}

/** The type gets no playbook of its own before the hour has passed. */
async function findGeneralPlaybook(pg: PgClient, organizationUuid: string, planner: Planner): Promise<ChosenPlaybook> {
  const chosen = await findOrCreateShared(pg, organizationUuid, GENERAL_PLAYBOOK, planner, Number.MAX_SAFE_INTEGER);
  if (!chosen) throw new Error(`The general playbook of organization ${organizationUuid} disappeared while it was being created.`);
  return toChosenPlaybook(chosen, GENERAL, false);
}

/** null: the organization got too many new categories within the hour. */
async function findOrCreateShared(
  pg: PgClient,
  organizationUuid: string,
  shared: SharedPlaybook,
  planner: Planner,
  maxCategories: number,
): Promise<PlaybookForType | null> {
  const find = () => findSharedPlaybook(pg, organizationUuid, shared.sharedFor, planner.digest);
  const found = await find();
  if (found && !found.isOutdated) return found;
  const generated = generatePlan(shared, planner);
  if (found) await addGeneratedPlan(pg, found.planUuid, generated);
  else {
    const newPerHour = { categories: maxCategories, types: 0 };
    await joinSharedPlaybook(pg, organizationUuid, null, { ...shared, ...generated, newPerHour });
  }
  return find();
}

function generatePlan({ categories, severity }: SharedPlaybook, planner: Planner): GeneratedPlan {
  return { plan: planner.planFor('', categories), planner: planner.digest, severity };
}

/** A plan for one type only follows from the spelling of the alert that created it, not of the alert that is dispatched now. */
function generateAgain({ sharedFor, alertType }: PlaybookForType, planner: Planner): GeneratedPlan {
  if (sharedFor !== null) return generatePlan(readShared(sharedFor), planner);
  return { plan: planner.planFor(alertType), planner: planner.digest, severity: chooseSeverityForType(alertType) };
}

interface RefinedAlert {
  readonly alertUuid: string;
  readonly organizationUuid: string;
}

/**
 * For an alert whose type says nothing, by the rule, tactics and techniques in its content: the written playbook, or else the plan of
 * the category. The alert still shows the playbook of its type.
 */
export async function refinePlaybook(
  pg: PgClient,
  { alertUuid, organizationUuid }: RefinedAlert,
  chosen: ChosenPlaybook,
  planner: Planner,
): Promise<ChosenPlaybook> {
  if (chosen.isFinal) return chosen;
  const start = await readContentStart(pg, alertUuid);
  // A wave has hundreds of alerts.
  const stated = await runSerially(() => readAlertContent(start).header);
  const fitting = stated.ruleName === null ? null : choosePlaybookByRule(stated.ruleName, await listWrittenPlaybooks(pg));
  if (fitting) return toWrittenChoice(fitting);
  const shared = sharedPlaybookForContent(stated);
  if (shared === GENERAL_PLAYBOOK || shared.sharedFor === chosen.sharedFor) return chosen;
  const found = await findOrCreateShared(pg, organizationUuid, shared, planner, NEW_PER_HOUR.categories);
  if (!found) return chosen;
  // Only a plan that fits the other alerts of the type too replaces the general one for all of them.
  if (asksEverything(shared)) await replaceGeneralPlan(pg, chosen, found);
  const { planUuid, planVersion, severity } = found;
  const reason = `The rule, tactic or technique that the alert names belongs to the category "${shared.name}", whose plan investigates it.`;
  return { ...chosen, planUuid, planVersion, severity, reason };
}

async function replaceGeneralPlan(pg: PgClient, { playbookUuid, planUuid, sharedFor }: ChosenPlaybook, by: PlaybookForType): Promise<void> {
  if (sharedFor !== GENERAL_PLAYBOOK.sharedFor || playbookUuid === planUuid) return;
  await changePlanOf(pg, playbookUuid, { from: planUuid, to: by.planUuid, severity: by.severity });
}

function toWrittenChoice({ playbook, reason }: Choice<WrittenPlaybook>): ChosenPlaybook {
  const { playbookUuid, name, workflowType, severity } = playbook;
  return { playbookUuid, planUuid: playbookUuid, name, workflowType, severity, sharedFor: null, planVersion: null, reason, isFinal: true };
}

function toChosenPlaybook(found: PlaybookForType, reason: string, isFinal = true): ChosenPlaybook {
  const { playbookUuid, planUuid, name, workflowType, planVersion, severity, sharedFor } = found;
  return { playbookUuid, planUuid, name, workflowType, planVersion, severity, sharedFor, reason, isFinal };
}
