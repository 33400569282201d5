import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { connectDatabase, type Database } from '../db/client.js';
import { findOrganization } from '../db/identity/organizations.js';
import { type Matcher, vacuumTables } from '../db/lifecycle/erase-person.js';
import { loadEnvFile, readSettings, type Settings } from '../platform/settings.js';
import { StartError } from '../platform/start-error.js';
import { createDataConverter, temporalConnectionOptions } from '../platform/temporal.js';
import type { WorkflowRun } from '../platform/temporal-histories.js';
import { deleteHistories } from '../services/erasure/delete-histories.js';
import { erasePerson } from '../services/erasure/erase-person.js';
import { findHistories } from '../services/erasure/find-histories.js';
import { findPerson } from '../services/erasure/find-person.js';
import { createMatcher, readIdentifiers } from '../services/erasure/person-matcher.js';
import { requireErasable } from '../services/erasure/require-erasable.js';
import { findDatabaseUrl, findKeyring, findTemporalAddress } from './running-database.js';

export interface ErasureOptions {
  readonly organization: string;
  /** The path of a file with one identifier per line; `-` is the standard input. */
  readonly identifiers: string;
  readonly confirm?: boolean;
}

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
  const keyring = findKeyring(settings);
  const converter = keyring === null ? {} : { dataConverter: createDataConverter(settings, keyring) };
  const client = new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE, ...converter });
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
    await deleteHistories(client, runs);
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
  matcher: Matcher,
  say: (line: string) => void,
): Promise<WorkflowRun[]> {
  const found = await findPerson(pg, organizationUuid, matcher);
  const runs = await findHistories(db, client, organizationUuid, matcher);
  for (const { table, rows, shared, by } of found) {
    const hint = by === 'report' ? ' (not erased: change it in the settings)' : by === 'delete' ? ' (rows are deleted)' : '';
    const ofNone = shared > 0 ? `, ${shared} of them without an organization` : '';
    say(`${table}: ${rows}${ofNone}${hint}`);
  }
  say(`histories in Temporal: ${runs.length}`);
  const open = runs.filter(({ isOpen }) => isOpen).map(({ workflowId }) => workflowId);
  await requireErasable(db, organizationUuid, found, open);
  return runs;
}
