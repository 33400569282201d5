import { isDeepStrictEqual } from 'node:util';
import { catalogue } from '../../activities/connectors/catalogue.js';
import { createEntityExtractor, type EntityExtractor } from '../../activities/entities/extractor.js';
import { truncateForHistory } from '../../activities/investigation.js';
import { searchCopies } from '../../activities/records.js';
import { findDatabaseUrl } from '../../cli/running-database.js';
import { findSharedEntities } from '../../db/alerts/correlation.js';
import { connectDatabase, type PgClient } from '../../db/client.js';
import { alertTypeKey, InvestigationStatus } from '../../domain/alert/alert.js';
import { alertTime } from '../../domain/alert/source-time.js';
import type { Verdict } from '../../domain/case/evidence.js';
import { toSkillReply } from '../../domain/connection/skill-call.js';
import type { AlertFacts } from '../../domain/investigation/investigation.js';
import { selectCounted } from '../../domain/investigation/verdict.js';
import type { KnowledgeEntry } from '../../domain/organization/knowledge.js';
import { listOwn } from '../../domain/organization/own-entities.js';
import type { Plan } from '../../domain/playbook/playbook.js';
import { loadEnvFile, readSettings } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import type { PlaybookWorkflow } from '../../workflows/index.js';
import * as workflows from '../../workflows/index.js';
import { exportName } from '../build/playbook-list.js';
import { type AuthorRun, runAuthor } from './author-run.js';

const COMPARED_AT_MOST = 100;
const DAY_SECONDS = 86_400;

export interface Comparison {
  readonly alertId: string;
  readonly before: Verdict | null;
  readonly after: Verdict;
  /** The finding with the most points in the new run. */
  readonly decidedBy: string;
}

interface Compared {
  readonly run: (given: Parameters<typeof runAuthor>[1]) => Promise<AuthorRun>;
  readonly plan: Plan | null;
  readonly playbookUuids: readonly string[];
  readonly typeKeys: readonly string[];
}

/** Runs the current code of a playbook over the recorded answers of past investigations. Only reads. */
export async function comparePlaybook(pg: PgClient, name: string, last = COMPARED_AT_MOST): Promise<Comparison[]> {
  const compared = (await writtenPlaybook(pg, name)) ?? (await generatedPlaybook(pg, name));
  if (!compared)
    throw new StartError(`There is no playbook ${name}. Enter the name of a written playbook, or the alert type of a generated one.`);
  const extractor = createEntityExtractor();
  try {
    const comparisons: Comparison[] = [];
    for (const alert of await pastInvestigations(pg, compared, last)) comparisons.push(await compareOne(pg, extractor, compared, alert));
    return comparisons;
  } finally {
    await extractor.close();
  }
}

async function writtenPlaybook(pg: PgClient, name: string): Promise<Compared | null> {
  const exported: Readonly<Record<string, unknown>> = workflows;
  const workflow = [name, exportName(name)].map((each) => exported[each]).find(isPlaybook);
  if (!workflow || workflow.definition.alertTypes.length === 0) return null;
  const rows = await pg<{ uuid: string }[]>`
    select playbook_uuid as uuid from playbooks where origin = 'written' and workflow_type = any(${[name, exportName(name)]}::text[])`;
  return {
    run: (given) => runAuthor(workflow, given),
    plan: null,
    playbookUuids: rows.map(({ uuid }) => uuid),
    typeKeys: workflow.definition.alertTypes.map(alertTypeKey),
  };
}

function isPlaybook(workflow: unknown): workflow is PlaybookWorkflow {
  return typeof workflow === 'function' && 'definition' in workflow;
}

async function generatedPlaybook(pg: PgClient, name: string): Promise<Compared | null> {
  const rows = await pg<{ uuid: string; organization: string; plan: Plan }[]>`
    select playbooks.playbook_uuid as uuid, organization_code as organization, plan
    from playbook_alert_types as types join playbooks using (playbook_uuid)
      join organizations on organizations.organization_uuid = types.organization_uuid
      join playbook_plans on playbook_plans.playbook_uuid = playbooks.playbook_uuid
        and playbook_plans.version = coalesce(pinned_version, playbooks.version)
    where types.alert_type_key = ${alertTypeKey(name)} or playbooks.playbook_uuid::text = ${name}`;
  const [found, ...others] = rows;
  if (!found) return null;
  if (others.length > 0) {
    const ids = rows.map(({ uuid, organization }) => `${uuid} (${organization})`).join(', ');
    throw new StartError(`Several organizations have a plan for "${name}". Enter the id of one: ${ids}.`);
  }
  return { run: (given) => runAuthor(workflows.generated, given), plan: found.plan, playbookUuids: [found.uuid], typeKeys: [] };
}

interface PastAlert extends Omit<AlertFacts, 'contentTruncated'> {
  readonly uuid: string;
  readonly verdict: Verdict | null;
}

/** Newest first: alerts of the playbook's types, and alerts that the playbook investigated. */
function pastInvestigations(pg: PgClient, { playbookUuids, typeKeys }: Compared, last: number): Promise<PastAlert[]> {
  return pg<PastAlert[]>`
    select alerts.alert_uuid as uuid, alert_id as id, organization_code as organization, providers.name as provider, alert_type as type,
      alert_content as content, extract(epoch from alerts.created_at)::float8 as "createdAt", created_at_source::float8 as "createdAtSource",
      coalesce(investigations.verdict, cases.verdict) as verdict
    from alerts join organizations using (organization_uuid) join providers using (provider_uuid)
      join case_alerts on case_alerts.alert_uuid = alerts.alert_uuid
      join cases on cases.case_uuid = case_alerts.case_uuid
      left join investigations on investigations.alert_uuid = alerts.alert_uuid and investigations.investigation_no = alerts.investigation_no
    where investigation_status = ${InvestigationStatus.Completed}
      and (alerts.playbook_uuid = any(${[...playbookUuids]}::uuid[]) or alert_type_key = any(${[...typeKeys]}::text[]))
    order by alerts.alert_uuid desc limit ${last}`;
}

async function compareOne(pg: PgClient, extractor: EntityExtractor, { run, plan }: Compared, past: PastAlert): Promise<Comparison> {
  const { uuid, verdict: before, ...alert } = past;
  const stored = await pg<{ connector: string; skillId: string; input: unknown; output: object }[]>`
    select connector, skill_id as "skillId", input, output from skill_results
    where alert_uuid = ${uuid} and status = 'done' and operation_key is null order by result_uuid desc`;
  const { entities } = await extractor.extract(alert.content);
  const knowledge = await pg<KnowledgeEntry[]>`
    select kind, value from organization_knowledge join alerts using (organization_uuid) where alert_uuid = ${uuid} and not is_rejected`;
  const facts = truncateForHistory(alert);
  const { conclusion, evidence } = await run({
    alert: facts,
    entities,
    own: listOwn(entities, knowledge),
    plan,
    answer({ kind, contract }, input) {
      const asked = contract.input.safeParse(input);
      const found = stored.find(
        (each) => each.connector === kind && each.skillId === contract.title && isDeepStrictEqual(each.input, asked.data),
      );
      const output = found && contract.output.safeParse(toSkillReply('', found.output, '').output);
      return output?.data ?? null;
    },
    searchRecords: (values) => searchCopies(pg, catalogue, { alertId: alert.id, values, around: alertTime(facts) }),
    correlate: ({ by, withinDays }) =>
      findSharedEntities(pg, { alertId: alert.id, kinds: by, sinceSeconds: alert.createdAt - withinDays * DAY_SECONDS }),
  });
  const [deciding] = selectCounted(evidence).sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const decidedBy = deciding ? `${deciding.points > 0 ? '+' : ''}${deciding.points} ${deciding.title}` : 'no finding';
  return { alertId: alert.id, before, after: conclusion.verdict, decidedBy };
}

function report(name: string, comparisons: readonly Comparison[]): string {
  const changed = comparisons.filter(({ before, after }) => before !== after);
  const width = Math.max(0, ...changed.map(({ alertId }) => alertId.length));
  const lines = changed.map(({ alertId, before, after, decidedBy }) => `  ${alertId.padEnd(width)}  ${before} → ${after}  (${decidedBy})`);
  const many = comparisons.length === 1 ? '1 past investigation' : `${comparisons.length} past investigations`;
  return [`${name} over ${many}: ${changed.length} would change ${changed.length === 1 ? 'its' : 'their'} verdict.`, ...lines].join('\n');
}

/** `alert-investigator playbook compare`. */
export async function reportComparison(name: string, last?: number): Promise<void> {
  loadEnvFile();
  const { pg, close } = connectDatabase(findDatabaseUrl(readSettings(process.env)), { poolSize: 1, name: 'alert-investigator compare' });
  try {
    console.log(report(name, await comparePlaybook(pg, name, last)));
  } finally {
    await close();
  }
}
