import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../db/client.js';
import { newUuid } from '../../db/ids.js';
import { migrate } from '../../db/migrate.js';
import { approveProposal } from '../../services/proposals/approve.js';
import { beginProposal } from '../../services/proposals/begin.js';
import { adminPrincipal } from '../support/principal.js';
import { idleContext } from '../support/service-context.js';
import { waitFor } from '../support/wait-for.js';
import { emptyDatabase, migratedDatabase } from './support/database.js';
import { createDatabaseAt } from './support/database-at.js';

const journal = z
  .object({ entries: z.array(z.object({ tag: z.string() })).min(1) })
  .parse(JSON.parse(readFileSync(new URL('../../db/migrations/meta/_journal.json', import.meta.url), 'utf8')));

const applied = ({ pg }: Database) => pg<{ hash: string }[]>`select hash from drizzle.__drizzle_migrations order by id`;

describe('migrate', () => {
  it('moves the manual writes that have not ended to the proposals, where a second person decides on them', async () => {
    const { url, database } = await createDatabaseAt('0034');
    const { pg, db } = database;
    const [organization, connection, requester, second] = [newUuid(), newUuid(), newUuid(), newUuid()];
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'Old', now())`;
    await pg`
      insert into connections (connection_uuid, organization_uuid, connector, instance_name, settings, plain_credentials, state, state_since, secrets_set_at,
        needs_second_person, created_by, created_at, modified_at)
      values (${connection}, ${organization}, 'endpoint-detection', 'Endpoints', '{}', '{}', 'working', now(), now(), true, ${requester}, now(), now())`;
    const insert = async (run: { verb: string; state: string; decidedBy?: string; error?: object }) => {
      const uuid = newUuid();
      await pg`
        insert into skill_runs (run_uuid, organization_uuid, connection_uuid, connector, verb, skill_id, input, asked_by, asked_by_uuid, asked_at,
          state, decided_by, error)
        values (${uuid}, ${organization}, ${connection}, 'endpointDetection', ${run.verb}, 'Isolate machine', '{"machine_id":"m1"}', 'dana', ${requester},
          now(), ${run.state}, ${run.decidedBy ?? null}, ${run.error === undefined ? null : JSON.stringify(run.error)}::text::jsonb)`;
      return uuid;
    };
    const waiting = await insert({ verb: 'isolateMachine', state: 'proposed' });
    const held = await insert({ verb: 'isolateMachine', state: 'running', error: { code: 'WritesHeld', message: 'Stopped.' } });
    const sent = await insert({ verb: 'isolateMachine', state: 'running' });
    const approved = await insert({ verb: 'isolateMachine', state: 'running', decidedBy: 'ines' });
    const read = await insert({ verb: 'listMachines', state: 'running' });
    const done = await insert({ verb: 'isolateMachine', state: 'done' });
    await pg`
      insert into skill_results (result_uuid, organization_uuid, connection_uuid, connector, skill_id, run_uuid, operation_key, status, input, request_digest,
        started_at)
      values (${newUuid()}, ${organization}, ${connection}, 'endpoint-detection', 'Isolate machine', ${sent}, ${sent}, 'started', '{}', '', now())`;
    await pg`
      insert into audit_log (at, principal_uuid, principal_name, organization_uuid, action, target)
      values (now(), ${second}, 'ines', ${organization}, 'skill.approve', ${approved})`;
    await migrate(url);

    expect([...(await pg`select run_uuid from skill_runs order by run_uuid`)]).toEqual([{ run_uuid: read }, { run_uuid: done }]);
    const moved = await pg`select proposal_uuid, alert_uuid, requested_by, state, held_because from proposals order by proposal_uuid`;
    const row = { alert_uuid: null, requested_by: 'dana', held_because: null };
    expect([...moved]).toEqual([
      { ...row, proposal_uuid: waiting, state: 'waiting' },
      { ...row, proposal_uuid: held, state: 'approved', held_because: 'Stopped.' },
      { ...row, proposal_uuid: sent, state: 'running' },
      { ...row, proposal_uuid: approved, state: 'approved' },
    ]);
    for (const [uuid, name] of [
      [requester, 'dana'],
      [second, 'ines'],
    ])
      await pg`
        insert into users (user_uuid, name, email, created_at, vouched_at)
        values (${uuid ?? ''}, ${name ?? ''}, ${`${name}@old.example`}, now(), now())`;
    const idle = idleContext({ database: { db } });
    const allowed = async (uuid: string) => beginProposal(idle, uuid);
    expect([await allowed(held), await allowed(sent), await allowed(approved)]).toEqual([false, true, true]);
    await expect(approveProposal({ ...idle, by: adminPrincipal('dana', requester) }, waiting, {})).rejects.toMatchObject({
      refusal: 'conflict',
    });
    expect(await allowed(waiting)).toBe(false);
    expect(await approveProposal({ ...idle, by: adminPrincipal('ines', second) }, waiting, {})).toMatchObject({ state: 'approved' });
    expect(await allowed(waiting)).toBe(true);
  });

  it('migrates an empty database to the current version', async () => {
    // The set-up of the test run migrated its template.
    const { database } = await migratedDatabase();
    const tables = await database.pg<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'organizations',
        'providers',
        'api_keys',
        'alerts',
        'cases',
        'case_alerts',
        'evidence',
        'playbooks',
        'audit_log',
        'idempotency_keys',
      ]),
    );
    expect(await applied(database)).toHaveLength(journal.entries.length);
  });

  it('applies every migration once when five processes run it concurrently', async () => {
    const { url, database } = await emptyDatabase();
    await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
    const rows = await applied(database);
    expect(rows).toHaveLength(journal.entries.length);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(journal.entries.length);
  });

  it('waits for the lock of another migration', async () => {
    const { url, database } = await migratedDatabase();
    const holder = await database.pg.reserve();
    await holder`select pg_advisory_lock(7202611150)`;
    let done = false;
    const waiting = migrate(url).then(() => {
      done = true;
    });
    const blocked = async () =>
      (await database.pg`select 1 from pg_stat_activity where application_name = 'alert-investigator migrate' and wait_event_type = 'Lock'`)
        .length;
    await waitFor('the migration to wait for the lock', async () => (await blocked()) === 1);
    expect(done).toBe(false);
    await holder`select pg_advisory_unlock(7202611150)`;
    holder.release();
    await waiting;
    expect(done).toBe(true);
  });

  it('changes nothing on a second run, and leaves no lock and no session open', async () => {
    const { url, database } = await migratedDatabase();
    const before = await applied(database);
    await migrate(url);
    expect(await applied(database)).toEqual(before);
    expect(
      await database.pg`select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    ).toHaveLength(0);
    expect(
      await database.pg`select 1 from pg_stat_activity where datname = current_database() and application_name = 'alert-investigator migrate'`,
    ).toHaveLength(0);
  });

  it('releases the lock when it fails', async () => {
    const { url, database } = await emptyDatabase();
    await database.pg`create table alerts (in_the_way int)`;
    await expect(migrate(url)).rejects.toThrow();
    await database.pg`drop table alerts`;
    await migrate(url);
    expect(await applied(database)).toHaveLength(journal.entries.length);
  });
});
