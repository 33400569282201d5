import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import { connectDatabase } from '../../db/client.js';
import { Keyring } from '../../platform/keyring.js';
import { createBackup } from '../../services/backups/create.js';
import { requireNamespaceWithoutRuns } from '../../services/backups/require-namespace-without-runs.js';
import { restoreBackup } from '../../services/backups/restore.js';
import { temporaryFolder } from '../local/support/scripts.js';
import { createDatabase } from '../support/databases.js';
import { startTestService } from '../support/service.js';
import { type ProposalKit, startProposalKit } from '../workflows/proposals/support.js';
import { removeProtection } from './support/old-backup.js';

const [DANA_PC, RUI_PC, FILE_SERVER] = COMPUTERS;
let kit: ProposalKit;
beforeAll(async () => {
  kit = await startProposalKit();
});
afterAll(() => kit?.stop());

function open(url: string) {
  const database = connectDatabase(url, { poolSize: 2, name: 'test' });
  onTestFinished(() => database.close());
  return database;
}

const keyring = () => Keyring.of(kit.service.settings);
const restore = (url: string, folder: string) => restoreBackup(url, folder, { keyring: keyring() });

const backedUp = async () => {
  const folder = path.join(await temporaryFolder(), 'backup');
  await createBackup(kit.service.settings.DATABASE_URL ?? '', folder, keyring());
  return folder;
};

describe('a restored service', () => {
  it('has every alert from before the backup, ends each, and repeats no write', { timeout: 300_000 }, async () => {
    const { service } = kit;
    const done = await kit.investigated(DANA_PC.machineId);
    await kit.decide(done.proposal.proposal_id, 'approve', {});
    await kit.reach(done.proposal.proposal_id, 'done');
    const [lost, waiting] = [await kit.investigated(RUI_PC.machineId), await kit.investigated(FILE_SERVER.machineId)];
    await service.stopWorker();
    const acknowledged: string[] = [];
    for (let sent = 0; sent < 5; sent += 1) acknowledged.push((await service.sendAlert()).alert_id);

    // Under load: more alerts arrive and are investigated while the tables are copied.
    await service.startWorker();
    let isOver = false;
    const load = Array.from({ length: 2 }, async () => {
      for (let sent = 0; sent < 4 && !isOver; sent += 1) await service.sendAlert();
    });
    const folder = await backedUp();
    isOver = true;
    await Promise.all(load);
    // After the backup a write happens that the backup does not know.
    await kit.decide(lost.proposal.proposal_id, 'approve', {});
    await kit.reach(lost.proposal.proposal_id, 'done');
    await service.stopWorker();

    const url = await createDatabase('empty');
    await restore(url, folder);
    const { pg } = open(url);
    // The restore ended the key with which this test asks.
    expect(await pg`update api_keys set revoked_at = null where revoked_at is not null and owner_uuid is null returning 1`).not.toEqual([]);
    const restored = new Set((await pg<{ id: string }[]>`select alert_id as id from alerts`).map(({ id }) => id));
    expect(acknowledged.filter((id) => !restored.has(id))).toEqual([]);
    const elsewhere = await startTestService({
      env: { ...kit.egress, DATABASE_URL: url },
      reconcile: { everySeconds: 1, untouchedForSeconds: 0 },
    });
    onTestFinished(() => elsewhere.stop());
    for (const id of restored) await elsewhere.waitForStatus(id, 15, 20);
    for (const { proposal } of [lost, waiting]) {
      const approve = `/platformapi/proposals/${proposal.proposal_id}/approve`;
      expect((await elsewhere.request('POST', approve, { body: {} })).status).toBe(200);
    }
    for (const { proposal } of [done, lost, waiting])
      await expect
        .poll(async () => (await elsewhere.request('GET', `/platformapi/proposals/${proposal.proposal_id}`)).body, { timeout: 120_000 })
        .toMatchObject({ state: 'done' });
    for (const { machineId } of [DANA_PC, RUI_PC, FILE_SERVER]) expect(kit.actionsOn(machineId, 'Isolate'), machineId).toHaveLength(1);
    // New entries continue after the restored ones.
    expect((await elsewhere.sendAlert()).alert_id).not.toBeOneOf([...restored]);
    await service.startWorker();
  });

  it('needs a Temporal namespace without runs of another database', async () => {
    await expect(requireNamespaceWithoutRuns(kit.service.temporal)).rejects.toThrow('runs of another database');
    const { connection } = kit.service.temporal;
    await requireNamespaceWithoutRuns(new Client({ connection, namespace: 'not-there-yet' }));
  });
});

describe('a backup', () => {
  it('contains sealed secrets, no master key, and no link for credentials that could be used again', async () => {
    const [connection] = await kit.service.database.pg<{ id: string }[]>`select connection_uuid as id from connections limit 1`;
    const links = `/platformapi/connections/${connection?.id}/credential-links`;
    expect((await kit.service.request('POST', links, { body: {} })).status).toBe(201);
    const url = await createDatabase('empty');
    await restore(url, await backedUp());
    const read = (pg: ReturnType<typeof open>['pg']) => pg`select * from connection_secrets order by connection_uuid, field`;
    const { pg } = open(url);
    const secrets = await read(pg);
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets).toEqual(await read(kit.service.database.pg));
    const { clientSecret } = kit.endpoints.state.identity;
    const key = kit.service.settings.MASTER_KEY?.[0] ?? expect.fail('there is no key');
    const said = JSON.stringify(await Promise.all((await tables(pg)).map((name) => pg`select * from ${pg(name)}`)));
    expect(said).not.toContain(clientSecret);
    expect(said).not.toContain(key);
    expect(await pg`select revoked_at is not null as revoked from credential_links`).toEqual([{ revoked: true }]);
  });

  it('goes only into a new folder, and only from there into an empty database', async () => {
    const folder = await backedUp();
    const source = kit.service.settings.DATABASE_URL ?? '';
    await expect(createBackup(source, folder, keyring())).rejects.toThrow('Enter the path of a new folder');
    await expect(restore(source, folder)).rejects.toThrow('The database is not empty');
    await expect(createBackup(await createDatabase('empty'), `${folder}-2`, keyring())).rejects.toThrow('no tables of this service');
    expect(readdirSync(path.dirname(folder))).toEqual(['backup']);
  });

  it('is refused as a whole if a file is damaged or it comes from a newer version', async () => {
    const folder = await backedUp();
    await removeProtection(folder, keyring());
    const accept = (url: string) => restoreBackup(url, folder, { keyring: null, acceptsUnverified: true });
    const url = await createDatabase('empty');
    const file = path.join(folder, 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...manifest, migrations: [...manifest.migrations, 'later'] }));
    await expect(accept(url)).rejects.toThrow('newer version');
    writeFileSync(file, JSON.stringify(manifest));
    appendFileSync(path.join(folder, 'cases.copy.gz'), 'x');
    await expect(accept(url)).rejects.toThrow('damaged');
    expect(await tables(open(url).pg)).toEqual([]);
  });

  it('is refused as a whole if Postgres refuses the rows of a table', async () => {
    const folder = await backedUp();
    const twice = (rows: Buffer) => gzipSync(Buffer.concat([rows, rows]));
    await removeProtection(folder, keyring(), (table, content) => (table === 'organizations' ? twice(gunzipSync(content)) : content));
    const url = await createDatabase('empty');
    await expect(restoreBackup(url, folder, { keyring: null, acceptsUnverified: true })).rejects.toThrow(
      'Postgres refused the rows of the table organizations',
    );
    expect(await open(url).pg`select from api_keys`).toHaveLength(0);
  });
});

async function tables(pg: ReturnType<typeof open>['pg']): Promise<string[]> {
  const rows = await pg<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  return rows.map(({ name }) => name);
}
