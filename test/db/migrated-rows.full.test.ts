import { describe, expect, it } from 'vitest';
import { acquireSlot } from '../../db/connections/connection-calls.js';
import { newUuid } from '../../db/ids.js';
import { migrate } from '../../db/migrate.js';
import { createDatabaseAt } from './support/database-at.js';

describe('migrate', () => {
  it('gives the cases, entries and tasks of a user their id, except where two people had the name', async () => {
    const { url, database } = await createDatabaseAt('0034');
    const { pg } = database;
    const [organization, other, dana, elsewhere] = [newUuid(), newUuid(), newUuid(), newUuid()];
    const [one, two, found] = [newUuid(), newUuid(), newUuid()];
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at)
      values (${organization}, 'OLD', 'Old', now()), (${other}, 'OTHER', 'Other', now())`;
    for (const [user, name, place] of [
      [dana, 'dana', organization],
      [elsewhere, 'rui', other],
      [one, 'kim', organization],
      [two, 'kim', organization],
    ] as const) {
      await pg`insert into users (user_uuid, name, created_at, deactivated_at) values (${user}, ${name}, now(), ${user === one ? new Date().toISOString() : null})`;
      await pg`insert into memberships (membership_uuid, user_uuid, organization_uuid, role, from_claims)
        values (${newUuid()}, ${user}, ${place}, 'analyst', false)`;
    }
    await pg`insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, assignee, opened_at, modified_at)
      values (${found}, 'OLD-CASE-1', ${organization}, ${newUuid()}, 'dana', now(), now())`;
    for (const by of ['dana', 'rui', 'kim', null])
      await pg`insert into case_timeline (case_uuid, at, kind, by, text) values (${found}, now(), 'comment', ${by}, 'x')`;
    await pg`insert into case_tasks (task_uuid, case_uuid, title, created_by, created_at, done_by, done_at)
      values (${newUuid()}, ${found}, 'x', 'dana', now(), 'automation', now())`;
    await migrate(url);
    expect(await pg`select assignee, assignee_uuid from cases`).toMatchObject([{ assignee: 'dana', assignee_uuid: dana }]);
    expect(await pg`select by_uuid from case_timeline order by entry_no`).toMatchObject(
      [dana, null, null, null].map((by_uuid) => ({ by_uuid })),
    );
    expect(await pg`select created_by_uuid, done_by_uuid from case_tasks`).toMatchObject([{ created_by_uuid: dana, done_by_uuid: null }]);
  });

  it('gives what a person created to that person, also what a key of theirs created', async () => {
    const { url, database } = await createDatabaseAt('0048');
    const { pg } = database;
    const [organization, dana, own, ofService, early, agent, invitation, link] = Array.from({ length: 8 }, newUuid) as string[];
    if (!organization || !dana || !own || !ofService || !early || !agent || !invitation || !link) throw new Error('No ids.');
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'Old', now())`;
    await pg`insert into users (user_uuid, name, issuer, subject, created_at) values (${dana}, 'dana', 'https://idp.example', 's', now())`;
    for (const [key, owner, person] of [
      [own, dana, dana],
      [ofService, null, dana],
      [early, null, null],
    ] as const)
      await pg`insert into api_keys (key_uuid, name, role, lookup, hash, created_at, owner_uuid, person_uuid)
        values (${key}, ${key}, 'admin', ${key}, 'x', now(), ${owner}, ${person})`;
    await pg`insert into remote_agents (agent_uuid, organization_uuid, name, token_hash, created_at, enrolled_by)
      values (${agent}, ${organization}, 'site', 'x', now(), ${own})`;
    await pg`insert into invitations (invitation_uuid, token_hash, email, role, organization_uuid, invited_by, created_at, expires_at)
      values (${invitation}, 'x', 'a@old.example', 'admin', ${organization}, 'script', now(), now() + interval '1 day')`;
    await pg`insert into credential_links (link_uuid, organization_uuid, token_hash, new_connection, created_by, created_at, expires_at)
      values (${link}, ${organization}, 'x', '{}', 'script', now(), now() + interval '1 day')`;
    for (const [action, target, by, details] of [
      ['api-key.create', early, own, {}],
      ['invitation.create', invitation, ofService, {}],
      ['credential-link.create', link, ofService, { link_id: link }],
    ] as const)
      await pg`insert into audit_log (at, principal_uuid, principal_name, action, target, details)
        values (now(), ${by}, 'x', ${action}, ${target}, ${JSON.stringify(details)}::text::jsonb)`;
    await migrate(url);
    const held = await pg<{ id: string }[]>`
      select key_uuid as id from api_keys where holder_uuid = ${dana} union all select agent_uuid from remote_agents where holder_uuid = ${dana}
      union all select invitation_uuid from invitations where holder_uuid = ${dana}
      union all select link_uuid from credential_links where holder_uuid = ${dana}`;
    expect(held.map(({ id }) => id).sort()).toEqual([ofService, early, agent, invitation, link].sort());
    const [user] = await pg`select access_until > now() + interval '23 hours' as soon from users where user_uuid = ${dana}`;
    expect(user).toEqual({ soon: true });
  });

  it('keeps the results of investigations that ended before they had their own rows', async () => {
    const { url, database } = await createDatabaseAt('0003');
    const { pg } = database;
    const [organization, playbook, ended, running] = [newUuid(), newUuid(), newUuid(), newUuid()];
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'Old', now())`;
    for (const [alert, status] of [
      [ended, 15],
      [running, 10],
    ] as const) {
      await pg`
        insert into alerts (alert_uuid, alert_id, organization_uuid, provider_uuid, alert_type, alert_type_key, alert_content, created_by, created_at,
          modified_at, investigation_status, investigation_no, investigation_retry_count, playbook_uuid)
        values (${alert}, ${`OLD-${status}`}, ${organization}, ${newUuid()}, 'x', 'x', 'x', ${newUuid()}, now(), now(), ${status}, 2, 1, ${playbook})`;
      await pg`
        insert into cases (case_uuid, case_id, organization_uuid, alert_uuid, verdict, score, confidence, severity, summary, opened_at, modified_at)
        values (${alert}, ${`OLD-CASE-${status}`}, ${organization}, ${alert}, 'malicious', 80, 65, 'high', 'Known.', now(), now())`;
      await pg`insert into case_alerts (alert_uuid, case_uuid) values (${alert}, ${alert})`;
    }
    await migrate(url);
    expect(await pg`select * from investigations`).toMatchObject([
      {
        alert_uuid: ended,
        investigation_no: 2,
        playbook_uuid: playbook,
        status: 'Completed',
        attempt: 2,
        verdict: 'malicious',
        score: 80,
        summary: 'Known.',
      },
    ]);
  });

  it('makes key names unique, and finds the person of each key in the audit log', async () => {
    const { url, database } = await createDatabaseAt('0020');
    const { pg } = database;
    const [first, made, madeByMade, unknown] = [newUuid(), newUuid(), newUuid(), newUuid()];
    const keys = [
      [first, 'first admin', null],
      [made, 'dana', first],
      [madeByMade, 'Dana', made],
      [unknown, 'dana (2)', null],
    ] as const;
    for (const [uuid, name, creator] of keys) {
      await pg`insert into api_keys (key_uuid, name, role, lookup, hash, created_at) values (${uuid}, ${name}, 'admin', ${uuid}, 'x', now())`;
      await pg`
        insert into audit_log (at, principal_uuid, principal_name, action, target)
        values (now(), ${creator}, 'x', 'api-key.create', ${uuid})`;
    }
    await migrate(url);
    expect([...(await pg`select name, person_uuid from api_keys order by key_uuid`)]).toEqual([
      { name: 'first admin', person_uuid: null },
      { name: 'dana', person_uuid: first },
      { name: 'Dana (2)', person_uuid: first },
      { name: 'dana (2) (2)', person_uuid: null },
    ]);
  });

  it('keeps the choice of one person for writes only where it was audited', async () => {
    const { url, database } = await createDatabaseAt('0046');
    const { pg } = database;
    const [organization, guarded, chosen, neither] = [newUuid(), newUuid(), newUuid(), newUuid()];
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'Old', now())`;
    for (const uuid of [guarded, chosen, neither])
      await pg`
        insert into connections (connection_uuid, organization_uuid, connector_kind, instance_name, settings, plain_credentials, state_since,
          secrets_set_at, created_by, created_at, modified_at, needs_second_person)
        values (${uuid}, ${organization}, 'endpoint-detection', ${uuid}, '{}', '{}', now(), now(), ${newUuid()}, now(), now(), ${uuid === guarded})`;
    await pg`
      insert into audit_log (at, principal_name, action, target, details)
      values (now(), 'x', 'connection.update', ${chosen}, '{"new": {"needsSecondPerson": false}}')`;
    await migrate(url);
    expect([...(await pg`select connection_uuid, needs_second_person from connections order by connection_uuid`)]).toEqual([
      { connection_uuid: guarded, needs_second_person: true },
      { connection_uuid: chosen, needs_second_person: false },
      { connection_uuid: neither, needs_second_person: null },
    ]);
  });

  it('gives the rows of a skill its key, and a key of their own to those of a connector that is gone', async () => {
    const { url, database } = await createDatabaseAt('0034');
    const { pg } = database;
    const [organization, alert, endpoints, gone] = [newUuid(), newUuid(), newUuid(), newUuid()];
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'Old', now())`;
    const rows = [
      [endpoints, 'endpoint-detection', 'Isolate machine'],
      [gone, 'old-mail', 'Get message'],
    ] as const;
    for (const [uuid, kind, title] of rows) {
      await pg`
        insert into connections (connection_uuid, organization_uuid, connector, instance_name, settings, plain_credentials, state_since,
          secrets_set_at, created_by, created_at, modified_at)
        values (${uuid}, ${organization}, ${kind}, ${kind}, '{}', '{}', now(), now(), ${newUuid()}, now(), now())`;
      await pg`
        insert into skill_results (result_uuid, organization_uuid, connection_uuid, connector, skill_id, status, input, request_digest, started_at)
        values (${newUuid()}, ${organization}, ${uuid}, ${kind}, ${title}, 'done', '{}', 'x', now())`;
      await pg`insert into connection_refusals (connection_uuid, skill_id, reason, since) values (${uuid}, ${title}, '403', now())`;
      await pg`
        insert into connection_waiters (connection_uuid, workflow_id, skill_id, generation, reason, since, until)
        values (${uuid}, 'OLD-1', ${title}, 1, '401', now(), now())`;
      await pg`
        insert into evidence (alert_uuid, investigation_no, attempt, step, at, kind, source, title, points, reason, techniques)
        values (${alert}, 1, 1, ${kind}, now(), 'note', ${JSON.stringify({ connector: kind, connection: null, skill_id: title })}::text::jsonb, 'x', 0, 'x', '{}')`;
    }
    await pg`
      insert into evidence (alert_uuid, investigation_no, attempt, step, at, kind, source, title, points, reason, techniques)
      values (${alert}, 1, 1, 'own', now(), 'note', 'null', 'x', 0, 'x', '{}')`;
    const waitsFor = rows.map(([connectionId, , skillId]) => ({ connectionId, instanceName: 'x', skillId, startsEarly: true }));
    await pg`
      insert into follow_ups (alert_uuid, investigation_no, reason, waits_for, due_at, created_at)
      values (${alert}, 1, 'x', ${JSON.stringify(waitsFor)}::text::jsonb, now(), now()), (${alert}, 2, 'x', null, now(), now())`;
    await pg`
      insert into skill_runs (run_uuid, organization_uuid, connection_uuid, connector, verb, skill_id, input, asked_by, asked_by_uuid, asked_at, state)
      values (${newUuid()}, ${organization}, ${endpoints}, 'endpointDetection', 'isolateMachine', 'Cut it off', '{}', 'x', ${newUuid()}, now(), 'done')`;
    await pg`
      insert into proposals (proposal_uuid, organization_uuid, alert_uuid, investigation_no, proposal_key, connection_uuid, connector, verb, skill_id,
        input, reason, state, proposed_at)
      values (${newUuid()}, ${organization}, ${alert}, 1, 'x', ${gone}, 'oldMail', 'getMessage', 'Get message', '{}', 'x', 'waiting', now())`;
    const agent = newUuid();
    await pg`
      insert into remote_agents (agent_uuid, organization_uuid, name, token_hash, created_at) values (${agent}, ${organization}, 'x', 'x', now())`;
    await pg`
      insert into agent_steps (step_uuid, agent_uuid, connection_uuid, activity_key, task_token, request, activity_name, skill_id, created_at)
      values (${newUuid()}, ${agent}, ${endpoints}, 'x', 'x', '{}', 'endpointDetection.isolateMachine', 'Isolate machine', now())`;
    await migrate(url);
    const keys = ['endpointDetection.isolateMachine', 'old-mail/Get message'];
    const titled = rows.map(([, , title], index) => ({ skill_key: keys[index], skill_id: title }));
    for (const table of ['skill_results', 'connection_refusals', 'connection_waiters'])
      expect([...(await pg`select skill_key, skill_id from ${pg(table)} order by 1`)], table).toEqual(titled);
    expect([...(await pg`select source->>'skill_key' as skill_key, source->>'skill_id' as skill_id from evidence order by 1`)]).toEqual([
      ...titled,
      { skill_key: null, skill_id: null },
    ]);
    expect([...(await pg`select waits_for from follow_ups order by investigation_no`)]).toEqual([
      { waits_for: waitsFor.map((question, index) => ({ ...question, skillKey: keys[index] })) },
      { waits_for: null },
    ]);
    expect([...(await pg`select connector_key, skill_key, skill_id from skill_runs`)]).toEqual([
      { connector_key: 'endpointDetection', skill_key: keys[0], skill_id: 'Cut it off' },
    ]);
    expect([...(await pg`select connector_key, skill_key from proposals`)]).toEqual([
      { connector_key: 'oldMail', skill_key: 'oldMail.getMessage' },
    ]);
    expect([...(await pg`select skill_key from agent_steps`)]).toEqual([{ skill_key: keys[0] }]);
    expect([...(await pg`select connector_kind from connections order by 1`)]).toEqual([
      { connector_kind: 'endpoint-detection' },
      { connector_kind: 'old-mail' },
    ]);
  });

  it('still counts the requests of the last minute against the rate limit of a connection', async () => {
    const { url, database } = await createDatabaseAt('0039');
    const { pg } = database;
    const [organization, connection] = [newUuid(), newUuid()];
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'Old', now())`;
    await pg`
      insert into connections (connection_uuid, organization_uuid, connector_kind, instance_name, settings, plain_credentials, state_since,
        secrets_set_at, created_by, created_at, modified_at)
      values (${connection}, ${organization}, 'x', 'x', '{}', '{}', now(), now(), ${newUuid()}, now(), now())`;
    expect(await pg`select take_turn(${connection}, 1) as wait`).toEqual([{ wait: 0 }]);
    await migrate(url);
    expect(await acquireSlot(pg, connection, 1)).toBeGreaterThan(0);
    expect(await acquireSlot(pg, connection, 2)).toBe(0);
  });

  it('gives decisions, requests and settings of a user their id, and leaves an erased name alone', async () => {
    const { url, database } = await createDatabaseAt('0039');
    const { pg } = database;
    const [organization, dana, key, connection, playbook] = [newUuid(), newUuid(), newUuid(), newUuid(), newUuid()];
    const [proposal, erased] = [newUuid(), newUuid()];
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'Old', now())`;
    await pg`insert into users (user_uuid, name, created_at) values (${dana}, 'dana', now())`;
    await pg`insert into memberships (membership_uuid, user_uuid, organization_uuid, role, from_claims)
      values (${newUuid()}, ${dana}, ${organization}, 'admin', false)`;
    await pg`insert into api_keys (key_uuid, name, role, lookup, hash, created_at, owner_uuid)
      values (${key}, 'key', 'admin', 'x', 'x', now(), ${dana})`;
    await pg`insert into legal_holds (organization_uuid, reason, placed_by, placed_at) values (${organization}, 'x', 'dana', now())`;
    await pg`insert into credential_links (link_uuid, organization_uuid, token_hash, created_by, created_at, expires_at)
      values (${newUuid()}, ${organization}, 'x', 'dana', now(), now())`;
    await pg`insert into task_templates (template_uuid, organization_uuid, alert_type, tasks, changed_by, changed_at)
      values (${newUuid()}, ${organization}, 'x', '{}', 'dana', now())`;
    await pg`insert into protected_assets (asset_uuid, organization_uuid, kind, value, reason, created_by, created_at)
      values (${newUuid()}, ${organization}, 'host', 'x', 'x', 'dana', now())`;
    await pg`insert into organization_knowledge (knowledge_uuid, organization_uuid, kind, value, note, created_by, created_at)
      values (${newUuid()}, ${organization}, 'domain', 'x', '', 'dana', now())`;
    await pg`insert into response_rules (organization_uuid, stopped_at, stopped_by) values (${organization}, now(), 'dana')`;
    await pg`insert into playbooks (playbook_uuid, organization_uuid, name, origin, workflow_type, created_at, modified_at)
      values (${playbook}, ${organization}, 'x', 'generated', 'generated', now(), now())`;
    await pg`insert into playbook_plans (playbook_uuid, version, plan, author, created_at) values (${playbook}, 1, '{}', 'dana', now())`;
    await pg`insert into invitations (invitation_uuid, token_hash, role, invited_by, created_at, expires_at)
      values (${newUuid()}, 'x', 'admin', 'dana', now(), now())`;
    for (const [uuid, name] of [
      [proposal, 'dana'],
      [erased, '[erased]'],
    ] as const) {
      await pg`
        insert into proposals (proposal_uuid, organization_uuid, requested_by, requested_by_uuid, proposal_key, connection_uuid, connector_key, verb,
          skill_id, input, reason, state, proposed_at)
        values (${uuid}, ${organization}, ${name}, ${key}, ${uuid}, ${connection}, 'x', 'x', 'x', '{}', 'x', 'done', now())`;
      await pg`insert into proposal_decisions (proposal_uuid, principal_uuid, by, decision, at)
        values (${uuid}, ${dana}, ${name}, 'approve', now())`;
    }
    await pg`insert into skill_runs (run_uuid, organization_uuid, connection_uuid, connector_key, verb, skill_id, input, asked_by, asked_by_uuid, asked_at, state)
      values (${newUuid()}, ${organization}, ${connection}, 'x', 'x', 'x', '{}', 'dana', ${key}, now(), 'done')`;
    await pg`insert into rule_changes (organization_uuid, change, target, asked_by, asked_by_uuid, asked_at)
      values (${organization}, 'resume-writes', ${organization}, 'dana', ${dana}, now())`;
    await migrate(url);
    const columns = {
      legal_holds: 'placed_by_uuid',
      credential_links: 'created_by_uuid',
      task_templates: 'changed_by_uuid',
      protected_assets: 'created_by_uuid',
      organization_knowledge: 'created_by_uuid',
      response_rules: 'stopped_by_uuid',
      playbook_plans: 'author_uuid',
      invitations: 'invited_by_uuid',
      skill_runs: 'asked_by_user_uuid',
      rule_changes: 'asked_by_user_uuid',
    };
    for (const [table, column] of Object.entries(columns))
      expect([...(await pg`select ${pg(column)} as person from ${pg(table)}`)], table).toEqual([{ person: dana }]);
    const people = await pg`
      select requested_by, requested_by_user_uuid, by_uuid from proposals join proposal_decisions using (proposal_uuid) order by requested_by`;
    expect([...people]).toEqual([
      { requested_by: '[erased]', requested_by_user_uuid: null, by_uuid: null },
      { requested_by: 'dana', requested_by_user_uuid: dana, by_uuid: dana },
    ]);
  });

  it('gives each alert type of a shared playbook its own, which uses the shared plan', async () => {
    const { url, database } = await createDatabaseAt('0051');
    const { pg } = database;
    const [organization, shared, own, written] = [newUuid(), newUuid(), newUuid(), newUuid()];
    await pg`insert into organizations (organization_uuid, organization_code, name, created_at) values (${organization}, 'OLD', 'Old', now())`;
    await pg`insert into playbooks (playbook_uuid, organization_uuid, name, origin, workflow_type, severity, shared_for, created_at, modified_at) values
      (${shared}, ${organization}, 'Malware alerts', 'generated', 'generated', 'high', 'malware', now(), now()),
      (${own}, ${organization}, 'Mine', 'generated', 'generated', null, null, now(), now()),
      (${written}, null, 'written', 'written', 'written', null, null, now(), now())`;
    const types = [
      [organization, ' Odd\u202e  trojan\n', shared],
      [organization, '\u200b', shared],
      [organization, 'Mine', own],
      [null, 'Written', written],
    ] as const;
    for (const [place, alertType, playbook] of types)
      await pg`insert into playbook_alert_types (organization_uuid, alert_type_key, alert_type, playbook_uuid)
        values (${place}, ${alertType}, ${alertType}, ${playbook})`;
    const earliest = newUuid();
    await migrate(url);
    const named = await pg`
      select types.alert_type, types.playbook_uuid, named.name, named.severity, named.plan_of, named.playbook_uuid > ${earliest} as is_in_order
      from playbook_alert_types as types left join playbooks as named on named.playbook_uuid = investigator_uuid order by types.playbook_uuid, name`;
    const ofShared = { playbook_uuid: shared, severity: 'high', plan_of: shared, is_in_order: true };
    expect([...named]).toEqual([
      { ...ofShared, alert_type: '\u200b', name: 'Alert type without a visible name' },
      { ...ofShared, alert_type: ' Odd\u202e  trojan\n', name: 'Odd trojan' },
      { alert_type: 'Mine', playbook_uuid: own, name: 'Mine', severity: null, plan_of: null, is_in_order: false },
      { alert_type: 'Written', playbook_uuid: written, name: null, severity: null, plan_of: null, is_in_order: null },
    ]);
  });
});
