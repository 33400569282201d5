import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { pipeline as connectStreams, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Client, Connection } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { catalogue } from '../../connectors/catalogue.js';
import { prepareRestoredWork, type WriteSkill } from '../../db/lifecycle/restored-work.js';
import {
  connectForCopies,
  countRows,
  listAppliedMigrations,
  listTables,
  moveSequences,
  writeTable,
} from '../../db/lifecycle/table-copies.js';
import { listMigrations, migrate, migrateTo } from '../../db/migrate.js';
import type { Settings } from '../../platform/settings.js';
import { StartError } from '../../platform/start-error.js';
import { temporalConnectionOptions } from '../../platform/temporal.js';
import { Digest, type Manifest, readManifest, tableFile } from './format.js';

/** Loads a backup into an empty database, all or nothing, and migrates it to this version. */
export async function restore(databaseUrl: string, source: string, say: (line: string) => void): Promise<void> {
  const folder = path.resolve(source);
  const manifest = readManifest(folder);
  await requireIntact(folder, manifest);
  requireKnownVersion(manifest);
  await requireEmpty(databaseUrl, manifest);
  await migrateTo(databaseUrl, manifest.migrations.length);
  const pg = connectForCopies(databaseUrl);
  try {
    const writes = await pg.begin(async (transaction) => {
      // The triggers of versions before migration 0030 wrote events for each row.
      await transaction`set local alert_investigator.without_events = 'on'`;
      for (const table of manifest.tables) {
        // The copy of the rows reports an error of the file.
        const rowsOfTable = connectStreams(createReadStream(tableFile(folder, table)), createGunzip(), () => {});
        await writeTable(transaction, table, rowsOfTable);
        const rows = await countRows(transaction, table.name).catch((cause: unknown) => {
          throw new StartError(`Postgres refused the rows of the table ${table.name}: its log has the reason. Nothing was restored.`, {
            cause,
          });
        });
        if (rows !== table.rows)
          throw new StartError(`The table ${table.name} has ${rows} rows instead of ${table.rows}. Nothing was restored.`);
      }
      await moveSequences(transaction);
      return prepareRestoredWork(transaction, { backupAt: manifest.created_at, writes: listWriteSkills() });
    });
    await migrate(databaseUrl);
    const keys = await pg<{ id: string }[]>`
      select master_key_id as id from connection_secrets union select master_key_id from notification_secrets
      union select totp->>'masterKeyId' from users where totp is not null order by 1`;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    say(`Restored ${rows} rows of ${manifest.tables.length} tables from ${manifest.created_at}.`);
    if (writes > 0) say(`${writes} pending writes are looked up at the third parties before they are sent.`);
    if (keys.length > 0)
      say(`The secrets need the master key ${keys.map(({ id }) => id).join(', ')}. Provide it before you start the service.`);
    say('Start the service with a Temporal namespace without runs. It starts the unfinished investigations again within minutes.');
  } finally {
    await pg.end({ timeout: 5 });
  }
}

/** Before the first change: a damaged file must not leave half a database. */
async function requireIntact(folder: string, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const file = tableFile(folder, table);
    if (!existsSync(file) || (await digestFile(file)) !== table.sha256)
      throw new StartError(`${file} is missing or damaged: its checksum differs from the manifest. Use another copy of the backup.`);
  }
}

async function digestFile(file: string): Promise<string> {
  const digest = new Digest();
  await pipeline(createReadStream(file), digest, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return digest.sha256;
}

function requireKnownVersion({ migrations }: Manifest): void {
  const known = listMigrations();
  if (migrations.some((hash, index) => known[index] !== hash))
    throw new StartError('A newer version of the service made this backup. Restore it with that version.');
}

async function requireEmpty(databaseUrl: string, { migrations }: Manifest): Promise<void> {
  const pg = connectForCopies(databaseUrl);
  try {
    const applied = await listAppliedMigrations(pg);
    if (applied.length > migrations.length)
      throw new StartError('The database has tables of a newer version than the backup. Create a database without tables.');
    for (const { name } of await listTables(pg)) {
      const [row] = await pg`select 1 from ${pg(name)} limit 1`;
      if (row) throw new StartError(`The database is not empty: the table ${name} has rows. Restore into a new database.`);
    }
  } finally {
    await pg.end({ timeout: 5 });
  }
}

function listWriteSkills(): WriteSkill[] {
  return Object.entries(catalogue).flatMap(([connectorKey, { skills }]) =>
    Object.entries(skills).flatMap(([verb, { effect }]) => (effect === 'write' ? [{ connectorKey, verb }] : [])),
  );
}

/** Runs of the time after the backup would have the ids of other alerts. */
export async function requireNamespaceWithoutRuns(settings: Settings): Promise<void> {
  const { TEMPORAL_NAMESPACE: namespace } = settings;
  const connection = await Connection.connect(await temporalConnectionOptions(settings));
  try {
    const { count } = await new Client({ connection, namespace }).workflow.count("WorkflowType not in ('reconcile', 'retention')");
    if (count > 0)
      throw new StartError(
        `The Temporal namespace ${namespace} has ${count} runs of another database. Set TEMPORAL_NAMESPACE to a new namespace, or use an empty Temporal server.`,
      );
  } catch (error) {
    if (!(error instanceof NamespaceNotFoundError)) throw error;
  } finally {
    await connection.close();
  }
}
