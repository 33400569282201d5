import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import { connectDatabase } from '../../db/client.js';
import { newUuid } from '../../db/ids.js';
import { listMigrations, migrateTo } from '../../db/migrate.js';
import { Keyring } from '../../platform/keyring.js';
import { createBackup } from '../../services/backups/create.js';
import { restoreBackup } from '../../services/backups/restore.js';
import { temporaryFolder } from '../local/support/scripts.js';
import { createDatabase } from '../support/databases.js';
import { startProposalKit } from '../workflows/proposals/support.js';
import { runCommand } from './support/run-command.js';

const keyring = Keyring.of({ MASTER_KEY: [randomBytes(32).toString('base64')] });

function open(url: string) {
  const database = connectDatabase(url, { poolSize: 2, name: 'test' });
  onTestFinished(() => database.close());
  return database;
}

it('the commands restore an external database into an embedded one, which can be backed up in turn', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder();
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
  const kit = await startProposalKit();
  const MASTER_KEY = kit.service.settings.MASTER_KEY?.join(',');
  const external = { cwd: folder, settings: { DATABASE_URL: kit.service.settings.DATABASE_URL, MASTER_KEY } };
  try {
    await kit.investigated(COMPUTERS[0].machineId);
    expect(await runCommand(['backup', first], external)).toMatchObject({ code: 0, said: expect.stringContaining('Backed up') });
    expect(await runCommand(['restore', first], external)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^The database is not empty/),
    });
  } finally {
    await kit.stop();
  }
  const embedded = { cwd: folder, settings: { DATA_DIR: folder, MASTER_KEY } };
  expect(await runCommand(['restore', first], embedded)).toMatchObject({ code: 0, said: expect.stringContaining('Restored') });
  expect(await runCommand(['backup', second], embedded)).toMatchObject({ code: 0 });
  const rows = (backup: string) =>
    Object.fromEntries(
      JSON.parse(readFileSync(path.join(backup, 'manifest.json'), 'utf8')).tables.map(
        ({ name, rows: count }: { name: string; rows: number }) => [name, count],
      ),
    );
  const [before, after] = [rows(first), rows(second)];
  expect(before).toMatchObject({ alerts: 1, cases: 1, connections: 1, proposals: 1 });
  for (const name of ['alerts', 'cases', 'evidence', 'connections', 'connection_secrets', 'proposals'])
    expect(after[name], name).toBe(before[name]);
  expect(existsSync(path.join(folder, 'running'))).toBe(false);
});

it('a backup of an earlier version is migrated to this one', async () => {
  const old = await createDatabase('empty');
  await migrateTo(old, listMigrations().length - 1);
  await open(old)
    .pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (gen_random_uuid(), 'OLD', 'x', now())`;
  const folder = path.join(await temporaryFolder(), 'backup');
  await createBackup(old, folder, keyring);
  const url = await createDatabase('empty');
  await restoreBackup(url, folder, { keyring });
  const { pg } = open(url);
  expect(await pg`select organization_code from organizations`).toEqual([{ organization_code: 'OLD' }]);
  expect(await tables(pg)).toContain('retention_rules');
});

describe('a backup with pending writes of a version without skill keys', () => {
  it('reserves them, and gives them their keys', async () => {
    const old = await createDatabase('empty');
    await migrateTo(old, 35);
    const { pg: before } = open(old);
    const [organization, connection] = [newUuid(), newUuid()];
    await before`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'x', now())`;
    await before`
      insert into connections (connection_uuid, organization_uuid, connector, instance_name, settings, plain_credentials, state_since,
        secrets_set_at, created_by, created_at, modified_at)
      values (${connection}, ${organization}, 'endpoint-detection', 'x', '{}', '{}', now(), now(), ${newUuid()}, now(), now())`;
    await before`
      insert into skill_runs (run_uuid, organization_uuid, connection_uuid, connector, verb, skill_id, input, asked_by, asked_by_uuid, asked_at, state)
      values (${newUuid()}, ${organization}, ${connection}, 'endpointDetection', 'isolateMachine', 'Isolate machine', '{}', 'x', ${newUuid()}, now(),
        'running')`;
    const folder = path.join(await temporaryFolder(), 'backup');
    await createBackup(old, folder, keyring);
    const url = await createDatabase('empty');
    await restoreBackup(url, folder, { keyring });
    expect([...(await open(url).pg`select connector_kind, skill_key, skill_id, status from skill_results`)]).toEqual([
      {
        connector_kind: 'endpoint-detection',
        skill_key: 'endpointDetection.isolateMachine',
        skill_id: 'Isolate machine',
        status: 'started',
      },
    ]);
  });
});

async function tables(pg: ReturnType<typeof open>['pg']): Promise<string[]> {
  const rows = await pg<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  return rows.map(({ name }) => name);
}
