import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { connectDatabase, type Database } from '../../db/client.js';
import { findOrganization } from '../../db/identity/organizations.js';
import { listForeignWorkflows, vacuumTables } from '../../db/lifecycle/erase-person.js';
import { loadEnvFile, readSettings, type Settings } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import { temporalConnectionOptions } from '../../platform/temporal.js';
import { deleteRuns, listRuns, type WorkflowRun } from '../../platform/temporal-histories.js';
import { erasePerson } from '../../services/erasure/erase-person.js';
import { findPerson } from '../../services/erasure/find-person.js';
import { requireErasable } from '../../services/erasure/require-erasable.js';
import { findDatabaseUrl, findTemporalAddress } from '../running-database.js';
import { createMatcher, type PersonMatcher, readIdentifiers } from './identifiers.js';

export interface ErasureOptions {
  readonly organization: string;
  /** The path of a file with one identifier per line; `-` is the standard input. */
  readonly identifiers: string;
  readonly confirm?: boolean;
}

const RUNS_AT_ONCE = 50;
const LOOK_EVERY_MS = 250;
const DELETION_LIMIT_MS = 120_000;

/** Without `confirm` it only reports the places. Prints no identifier. */
export async function runErasure(options: ErasureOptions): Promise<void> {
  loadEnvFile();
  const settings = readSettings(process.env);
  const source = options.identifiers === '-' ? 0 : options.identifiers;
  await erase(settings, readIdentifiers(readFileSync(source, 'utf8')), options, (line) => process.stdout.write(`${line}\n`));
}

export async function erase(
  settings: Settings,
  identifiers: readonly string[],
  { organization: code, confirm = false }: Pick<ErasureOptions, 'organization' | 'confirm'>,
  say: (line: string) => void,
): Promise<void> {
  const matcher = createMatcher(identifiers);
  const database = connectDatabase(findDatabaseUrl(settings), { poolSize: 2, name: 'alert-investigator erase' });
  const connection = await Connection.connect(
    await temporalConnectionOptions({ ...settings, TEMPORAL_ADDRESS: findTemporalAddress(settings) }),
  );
  const client = new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE });
  try {
    const found = await findOrganization(database.db, code);
    if (found === null) throw new StartError(`There is no organization with the code ${code}.`);
    const organization = { uuid: found.organization_uuid, code: found.organization_code };
    const runs = await report(database, client, organization.uuid, matcher, say);
    if (!confirm) {
      say('This was a dry run. Nothing was changed. Repeat the command with --confirm to erase the data.');
      return;
    }
    const erased = await erasePerson(database.pg, organization, matcher, runs.length);
    say(`Erased the data in ${Object.keys(erased).length} tables.`);
    await deleteRuns(client, runs);
    await untilDeleted(client, runs);
    say(`Deleted ${runs.length} histories.`);
    await vacuumTables(database.pg, Object.keys(erased));
    // An investigation that began in the meantime may have read the old content.
    if ((await findPerson(database.pg, organization.uuid, matcher)).some(({ by }) => by !== 'report'))
      throw new StartError('New data with the identifiers arrived meanwhile. Run the command again.');
    say('Done. The write-ahead log and the backups of Postgres and Temporal contain the old data until they expire.');
  } finally {
    await connection.close();
    await database.close();
  }
}

/** Returns the histories to delete. Refuses while a hold or unfinished work needs the data. */
async function report(
  { db, pg }: Database,
  client: Client,
  organizationUuid: string,
  matcher: PersonMatcher,
  say: (line: string) => void,
): Promise<WorkflowRun[]> {
  const found = await findPerson(pg, organizationUuid, matcher);
  const runs = await findHistories({ db }, client, organizationUuid, matcher);
  for (const { table, rows, by } of found) {
    const hint = by === 'report' ? ' (not erased: change it in the settings)' : by === 'delete' ? ' (rows are deleted)' : '';
    say(`${table}: ${rows}${hint}`);
  }
  say(`histories in Temporal: ${runs.length}`);
  const open = runs.filter(({ isOpen }) => isOpen).map(({ workflowId }) => workflowId);
  await requireErasable(db, organizationUuid, found, open);
  return runs;
}

/** Reads every history of the namespace: a run can contain data that the database no longer has. */
async function findHistories(
  { db }: Pick<Database, 'db'>,
  client: Client,
  organizationUuid: string,
  matcher: PersonMatcher,
): Promise<WorkflowRun[]> {
  const found: WorkflowRun[] = [];
  let page: WorkflowRun[] = [];
  const searchPage = async () => {
    const foreign = await listForeignWorkflows(
      db,
      organizationUuid,
      page.map(({ workflowId }) => workflowId),
    );
    for (const run of page) {
      if (foreign.has(run.workflowId)) continue;
      if (await hasIdentifier(client, run, matcher)) found.push(run);
    }
    page = [];
  };
  for await (const run of listRuns(client, '')) {
    page.push(run);
    if (page.length === RUNS_AT_ONCE) await searchPage();
  }
  await searchPage();
  return found;
}

async function hasIdentifier({ workflow }: Client, { workflowId, runId }: WorkflowRun, matcher: PersonMatcher): Promise<boolean> {
  try {
    return containsDeep(await workflow.getHandle(workflowId, runId).fetchHistory(), matcher);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function containsDeep(value: unknown, matcher: PersonMatcher): boolean {
  if (typeof value === 'string') return matcher.contains(value);
  if (value instanceof Uint8Array) return matcher.contains(Buffer.from(value).toString('utf8'));
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => containsDeep(each, matcher));
}

/** Temporal deletes in the background. */
async function untilDeleted(client: Client, runs: readonly WorkflowRun[]): Promise<void> {
  const limit = Date.now() + DELETION_LIMIT_MS;
  for (const { workflowId, runId } of runs) {
    for (;;) {
      const isGone = await client.workflow
        .getHandle(workflowId, runId)
        .describe()
        .then(
          () => false,
          (error: unknown) => {
            if (error instanceof WorkflowNotFoundError) return true;
            throw error;
          },
        );
      if (isGone) break;
      if (Date.now() > limit) throw new StartError('Temporal has not deleted all histories yet. Run the command again.');
      await sleep(LOOK_EVERY_MS);
    }
  }
}
