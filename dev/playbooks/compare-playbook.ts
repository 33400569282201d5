import { readFileSync } from 'node:fs';
import { createEntityExtractor } from '../../activities/entities/extractor.js';
import { type ComparisonDeps, compareWithPast } from '../../activities/investigations/playbook-comparison.js';
import { findDatabaseUrl } from '../../cli/running-database.js';
import { SKILLS } from '../../connectors/skill-index.js';
import { connectDatabase, type Database, type PgClient } from '../../db/client.js';
import { alertTypeKey } from '../../domain/alert/alert.js';
import {
  type AuthorRun,
  type Comparison,
  describeChange,
  isChanged,
  listDismissed,
  MAX_COMPARED,
} from '../../domain/playbook/comparison.js';
import { findErrorPlace } from '../../domain/playbook/error-place.js';
import { checkPlan } from '../../domain/playbook/plan-check.js';
import { Plan } from '../../domain/playbook/playbook.js';
import { loadEnvFile, readSettings } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import type { PlaybookWorkflow } from '../../workflows/index.js';
import * as workflows from '../../workflows/index.js';
import { type AuthorGiven, runAuthor } from '../../workflows/lib/author-run.js';
import { exportName } from '../build/playbook-list.js';

export interface CompareOptions {
  readonly last?: number;
  /** The code of an organization. */
  readonly organization?: string;
  /** A JSON file with the plan to compare, instead of the stored one. */
  readonly plan?: string;
}

interface Compared {
  readonly run: (given: Omit<AuthorGiven, 'plan'>) => Promise<AuthorRun>;
  readonly playbookUuids: readonly string[];
  readonly typeKeys: readonly string[];
}

/** Runs the current code of a playbook over the recorded answers of past investigations. Only reads. */
export async function comparePlaybook({ db, pg }: Database, name: string, options: CompareOptions = {}): Promise<Comparison[]> {
  const organizationUuid = options.organization === undefined ? null : await findOrganization(pg, options.organization);
  const compared =
    (options.plan === undefined ? await findWritten(pg, name) : null) ?? (await findGenerated(pg, name, organizationUuid, options.plan));
  if (!compared)
    throw new StartError(`There is no playbook ${name}. Enter the name of a written playbook, or the alert type of a generated one.`);
  const entities = createEntityExtractor();
  try {
    const { playbookUuids, typeKeys } = compared;
    const filter = { playbookUuids, typeKeys, organizationUuid, limit: options.last ?? MAX_COMPARED };
    return await compareWithPast({ db, pg, entities }, filter, (past) => runOne(name, compared, past));
  } finally {
    await entities.close();
  }
}

type PastAlert = Omit<Parameters<ComparisonDeps['runPlan']>[0], 'plan'>;

async function runOne(name: string, { run }: Compared, past: PastAlert): Promise<AuthorRun> {
  try {
    return await run(past);
  } catch (error) {
    const place = findErrorPlace(error instanceof Error ? error.stack : undefined);
    const at = place === null ? '' : ` at ${place}`;
    throw new StartError(
      `The playbook ${name} fails for the alert ${past.alert.id}${at}: ${String(error)}. Correct it and compare again.`,
      {
        cause: error,
      },
    );
  }
}

async function findOrganization(pg: PgClient, code: string): Promise<string> {
  const [found] = await pg<{ uuid: string }[]>`select organization_uuid as uuid from organizations where organization_code = ${code}`;
  if (!found) throw new StartError(`There is no organization ${code}. Enter the code of an organization.`);
  return found.uuid;
}

async function findWritten(pg: PgClient, name: string): Promise<Compared | null> {
  const exported: Readonly<Record<string, unknown>> = workflows;
  const workflow = [name, exportName(name)].map((each) => exported[each]).find(isPlaybook);
  if (!workflow || workflow.definition.alertTypes.length === 0) return null;
  const rows = await pg<{ uuid: string }[]>`
    select playbook_uuid as uuid from playbooks where origin = 'written' and workflow_type = any(${[name, exportName(name)]}::text[])`;
  return {
    run: (given) => runAuthor(workflow, { ...given, plan: null }),
    playbookUuids: rows.map(({ uuid }) => uuid),
    typeKeys: workflow.definition.alertTypes.map(alertTypeKey),
  };
}

function isPlaybook(workflow: unknown): workflow is PlaybookWorkflow {
  return typeof workflow === 'function' && 'definition' in workflow;
}

async function findGenerated(pg: PgClient, name: string, organizationUuid: string | null, file?: string): Promise<Compared | null> {
  const rows = await pg<{ uuid: string; organization: string; plan: Plan }[]>`
    select playbooks.playbook_uuid as uuid, organization_code as organization, plan
    from playbook_alert_types as types join playbooks using (playbook_uuid)
      join organizations on organizations.organization_uuid = types.organization_uuid
      join playbook_plans on playbook_plans.playbook_uuid = playbooks.playbook_uuid
        and playbook_plans.version = coalesce(pinned_version, playbooks.version)
    where (types.alert_type_key = ${alertTypeKey(name)} or playbooks.playbook_uuid::text = ${name})
      and (${organizationUuid}::uuid is null or types.organization_uuid = ${organizationUuid}::uuid)`;
  const [found, ...others] = rows;
  if (!found) return null;
  if (others.length > 0) {
    const codes = rows.map(({ organization }) => organization).join(', ');
    throw new StartError(`Several organizations have a plan for "${name}" (${codes}). Select one with --organization CODE.`);
  }
  const plan = file === undefined ? found.plan : readPlanFile(file);
  return { run: (given) => runAuthor(workflows.generated, { ...given, plan }), playbookUuids: [found.uuid], typeKeys: [] };
}

/** Takes a plan, or the reply of `GET /platformapi/playbooks/{playbook_id}/plan`. */
function readPlanFile(file: string): Plan {
  const parsed = Plan.safeParse(readJson(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new StartError(`${file}: the plan is not valid at /${issue?.path.join('/')}: ${issue?.message}. Correct the file.`);
  }
  const [problem] = checkPlan(parsed.data, (name) => SKILLS.get(name)?.contract ?? null);
  if (problem) throw new StartError(`${file}: ${problem.detail} The place is ${problem.pointer}.`);
  return parsed.data;
}

function readJson(file: string): unknown {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof content === 'object' && content !== null && 'plan' in content ? content.plan : content;
  } catch (cause) {
    throw new StartError(`${file} cannot be read as JSON. Enter the path of a file with a plan.`, { cause });
  }
}

function describeComparisons(name: string, comparisons: readonly Comparison[]): string {
  const changed = comparisons.filter(isChanged);
  const width = Math.max(0, ...changed.map(({ alert_id: alertId }) => alertId.length));
  const lines = changed.map(
    (comparison) => `  ${comparison.alert_id.padEnd(width)}  ${describeChange(comparison)}  (${comparison.decided_by})`,
  );
  const many = comparisons.length === 1 ? '1 past investigation' : `${comparisons.length} past investigations`;
  const verdicts = changed.filter(({ before, after }) => before.verdict !== after.verdict).length;
  const dismissed = listDismissed(comparisons).length;
  return [
    `${name} over ${many}: ${changed.length} would change, ${verdicts} of them the verdict.`,
    ...lines,
    ...(dismissed > 0 ? [`${dismissed} would change from malicious to benign.`] : []),
  ].join('\n');
}

/** `alert-investigator playbook compare`. Exits with 1 if an attack would become benign. */
export async function reportComparison(name: string, options: CompareOptions): Promise<void> {
  loadEnvFile();
  const database = connectDatabase(findDatabaseUrl(readSettings(process.env)), { poolSize: 4, name: 'alert-investigator compare' });
  try {
    const comparisons = await comparePlaybook(database, name, options);
    console.log(describeComparisons(name, comparisons));
    if (listDismissed(comparisons).length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}
