import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSkillKey } from '../../connectors/skill-index.js';
import { readSecondPersonRule } from '../../db/connections/second-person.js';
import { newUuid } from '../../db/ids.js';
import type { ProtectedAsset, ResponseRules } from '../../domain/response/response-rules.js';
import type { Connection } from '../../services/connections/wire.js';
import { reserveWithinRules } from '../../services/writes/allow-write.js';
import { findHold } from '../../services/writes/find-hold.js';
import { ago, changeRuleChanges, changeSkillResults, storeApprovals, storeProposal } from '../support/rows.js';
import { unreachableEndpoints } from '../support/unreachable-endpoints.js';
import { readAllPages } from './support/http.js';
import { type ResponseKit, startResponseKit } from './support/response-kit.js';

let service: ResponseKit['service'];
let uuids: ResponseKit['uuids'];
let connections: ResponseKit['connections'];
let requireKey: ResponseKit['requireKey'];
let propose: ResponseKit['propose'];
let call: ResponseKit['call'];
let audited: ResponseKit['audited'];
beforeAll(async () => {
  ({ service, uuids, connections, requireKey, propose, call, audited } = await startResponseKit());
});
afterAll(() => service?.stop());

describe('protected assets', () => {
  const list = (key?: string) =>
    readAllPages<ProtectedAsset>(service, '/platformapi/protected-assets', { limit: 1, ...(key === undefined ? {} : { key }) });

  it('add a caution to a proposal and require two approvals while they are protected', async () => {
    const { proposalId } = await propose('NORTH');
    const needed = async () => (await call('GET', `proposals/${proposalId}`)).body.approvals_needed;
    expect(await needed()).toBe(1);
    const assets: [string, string][] = [
      ['host', 'FILES'],
      ['host', 'Files.North.Example'],
      ['user', 'NORTH\\Dana'],
      ['user', 'dana@north.example'],
      ['tag', 'Office'],
    ];
    for (const [kind, value] of assets) {
      const created = await call<ProtectedAsset>('POST', 'protected-assets', { kind, value, reason: 'Ours.' }, requireKey('admin NORTH'));
      expect(created).toMatchObject({ status: 201, body: { organization_code: 'NORTH', kind, value } });
      expect((await call('GET', `proposals/${proposalId}`)).body.caution).toEqual([`Affects the protected ${kind} ${value}: Ours.`]);
      expect(await needed()).toBe(2);
      const path = `protected-assets/${created.body.asset_id}`;
      expect(await call('DELETE', path, undefined, requireKey('admin NORTH'))).toMatchObject({
        status: 202,
        body: { change: 'unprotect-asset', target: created.body.asset_id },
      });
      expect(await needed()).toBe(2);
      expect(await call('DELETE', path, undefined, requireKey('other admin NORTH'))).toMatchObject({ status: 204 });
      expect((await audited(created.body.asset_id)).map(({ action }) => action)).toEqual([
        'protected-asset.delete',
        'rule-change.ask',
        'protected-asset.create',
      ]);
    }
    for (const [kind, value] of [
      ['host', 'files.south.example'],
      ['host', 'file'],
      ['user', 'office'],
      ['tag', 'dana'],
    ]) {
      const { body } = await call<ProtectedAsset>('POST', 'protected-assets', { kind, value, reason: 'Other.' }, requireKey('admin NORTH'));
      expect(await needed(), `${kind} ${value}`).toBe(1);
      for (const key of [requireKey('admin NORTH'), requireKey('other admin NORTH')])
        await call('DELETE', `protected-assets/${body.asset_id}`, undefined, key);
    }
    expect(await needed()).toBe(1);
  });

  it('belong to one organization', async () => {
    const protect = (body: object, key?: string) =>
      call<ProtectedAsset>('POST', 'protected-assets', { kind: 'host', value: 'files', reason: 'Ours.', ...body }, key);
    const south = await protect({ organization_code: 'SOUTH' });
    expect(south.status).toBe(201);
    expect(await protect({ organization_code: 'SOUTH', value: 'FILES' })).toMatchObject({ status: 409 });
    expect(await protect({})).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/organization_code' }] } });
    expect(await protect({ organization_code: 'SOUTH' }, requireKey('admin NORTH'))).toMatchObject({ status: 422 });
    expect(await protect({ kind: 'planet' })).toMatchObject({ status: 422 });
    expect(await call('DELETE', `protected-assets/${south.body.asset_id}`, undefined, requireKey('admin NORTH'))).toMatchObject({
      status: 404,
    });
    expect((await list(requireKey('analyst NORTH'))).map(({ asset_id }) => asset_id)).toEqual([]);
    expect((await list(requireKey('analyst SOUTH'))).map(({ asset_id }) => asset_id)).toEqual([south.body.asset_id]);
  });
});

describe('the response rules', () => {
  it('have defaults, and each organization changes only its own', async () => {
    const read = (key?: string, query = '') => call<ResponseRules>('GET', `response${query}`, undefined, key);
    expect(await read(requireKey('analyst NORTH'))).toMatchObject({
      status: 200,
      body: { organization_code: 'NORTH', writes_per_hour: 30, writes_last_hour: 0, stopped: false, stopped_by: null },
    });
    expect(await read()).toMatchObject({ status: 422, body: { errors: [{ parameter: 'organization_code' }] } });
    expect(await read(requireKey('analyst NORTH'), '?organization_code=SOUTH')).toMatchObject({ status: 422 });
    expect(await call('PATCH', 'response', { writes_per_hour: 5 }, requireKey('admin NORTH'))).toMatchObject({
      status: 200,
      body: { writes_per_hour: 5 },
    });
    expect(await call('PATCH', 'response', { writes_per_hour: 0 }, requireKey('admin NORTH'))).toMatchObject({ status: 422 });
    expect((await read(undefined, '?organization_code=SOUTH')).body).toMatchObject({ writes_per_hour: 30 });
    expect(await call('POST', 'response/stop', { organization_code: 'NORTH', reason: 'Halt.' })).toMatchObject({
      status: 200,
      body: { stopped: true, stop_reason: 'Halt.', stopped_at: expect.any(Number), writes_per_hour: 5 },
    });
    expect((await read(requireKey('analyst SOUTH'))).body).toMatchObject({ stopped: false });
    expect(await call('POST', 'response/resume', {}, requireKey('admin NORTH'))).toMatchObject({ status: 422 });
    expect(await call('POST', 'response/resume', { reason: 'On.' }, requireKey('admin NORTH'))).toMatchObject({
      status: 200,
      body: { stopped: false, stop_reason: null, writes_per_hour: 5 },
    });
    expect((await audited(uuids.get('NORTH') ?? '')).map(({ action, details }) => [action, details])).toEqual([
      ['response.resume', { reason: 'On.' }],
      ['response.stop', { reason: 'Halt.' }],
      ['response.update', { writes_per_hour: 5 }],
    ]);
  });

  it('are relaxed by two people where writes need a second person', async () => {
    const [one, other] = [requireKey('admin NORTH'), requireKey('other admin NORTH')];
    const connection = `connections/${connections.get('NORTH')}`;
    const limit = (writes_per_hour: number, key?: string) =>
      call('PATCH', 'response', { organization_code: 'NORTH', writes_per_hour }, key);
    const resume = (key?: string) => call('POST', 'response/resume', { organization_code: 'NORTH', reason: 'On.' }, key);
    const read = async () => (await call<ResponseRules>('GET', 'response?organization_code=NORTH')).body;
    // A stricter rule needs one person.
    expect(await call('PATCH', connection, { needs_second_person: true }, one)).toMatchObject({ status: 200 });
    expect(await limit(4, one)).toMatchObject({ status: 200, body: { writes_per_hour: 4 } });
    expect(await call('POST', 'response/stop', { organization_code: 'NORTH', reason: 'Halt.' }, one)).toMatchObject({ status: 200 });

    expect(await resume(one)).toMatchObject({ status: 202, body: { change: 'resume-writes' } });
    expect(await resume(one), 'the same person again').toMatchObject({ status: 202 });
    expect(await read()).toMatchObject({ stopped: true, pending_changes: [{ change: 'resume-writes' }] });
    expect(await resume(other)).toMatchObject({ status: 200, body: { stopped: false, pending_changes: [] } });

    expect(await limit(50, one)).toMatchObject({ status: 202, body: { change: 'raise-limit', value: 50 } });
    expect(await limit(60, other), 'another limit').toMatchObject({ status: 202, body: { value: 60 } });
    expect(await read()).toMatchObject({ writes_per_hour: 4 });
    expect(await limit(60, one)).toMatchObject({ status: 200, body: { writes_per_hour: 60 } });

    expect(await call('PATCH', connection, { needs_second_person: false }, one)).toMatchObject({
      status: 202,
      body: { change: 'drop-second-person', target: connections.get('NORTH') },
    });
    expect((await call<Connection>('GET', connection)).body.needs_second_person).toBe(true);
    // A request is valid for a day.
    await changeRuleChanges(service, {}, { askedAt: ago({ hours: 25 }) });
    expect(await read()).toMatchObject({ pending_changes: [] });
    expect(await call('PATCH', connection, { needs_second_person: false }, other)).toMatchObject({ status: 202 });
    expect(await call('PATCH', connection, { needs_second_person: false }, one)).toMatchObject({
      status: 200,
      body: { needs_second_person: false },
    });
    expect(await limit(70, one), 'no connection requires a second person now').toMatchObject({ status: 200 });
  });

  it('of a guarded connection stay in force after a deletion, and for other connections to the same third party', async () => {
    const [one, other] = [requireKey('admin NORTH'), requireKey('other admin NORTH')];
    const add = async (name: string, more: object = {}) => {
      const body = {
        ...unreachableEndpoints(name),
        organization_code: 'NORTH',
        ...more,
      };
      return (await call<Connection>('POST', 'connections', body, one)).body.connection_id;
    };
    const guarded = await add('guarded', { needs_second_person: true });
    // The connection that proposes has no rule of its own.
    const { proposalId } = await propose('NORTH');
    const needed = async () => (await call('GET', `proposals/${proposalId}`)).body.approvals_needed;
    expect(await needed()).toBe(2);
    const { db } = service.database;
    expect(await readSecondPersonRule(db, connections.get('NORTH') ?? '')).toBe('always');
    expect(await readSecondPersonRule(db, connections.get('SOUTH') ?? ''), 'another organization').not.toBe('always');
    const beside = await add('beside');
    expect(await call('PATCH', `connections/${beside}`, { is_default: true }, one)).toMatchObject({ status: 200 });
    const isolate = { input: { machine_id: 'm1', comment: 'x' }, confirm: true };
    const started = await call<{ run_id: string }>('POST', `connections/${beside}/skills/isolate-machine`, isolate, one);
    expect((await call('GET', `proposals/${started.body.run_id}`)).body).toMatchObject({ state: 'waiting', approvals_needed: 2 });

    const remove = (key: string) => call('DELETE', `connections/${guarded}`, undefined, key);
    expect(await remove(one)).toMatchObject({ status: 202, body: { change: 'drop-second-person', target: guarded } });
    expect(await remove(one), 'the same person again').toMatchObject({ status: 202 });
    expect(await needed()).toBe(2);
    expect(await remove(other)).toMatchObject({ status: 204 });
    expect(await needed(), 'two people ended the rule').toBe(1);
    expect((await audited(guarded)).map(({ action }) => action)).toEqual([
      'connection.delete',
      'rule-change.ask',
      'rule-change.ask',
      'connection.create',
    ]);
    expect(await call('POST', `proposals/${started.body.run_id}/refuse`, { reason: 'Done.' }, one)).toMatchObject({ status: 200 });
  });

  it('require two people for sensitive writes, unless an admin chose otherwise', async () => {
    const [one, other] = [requireKey('admin NORTH'), requireKey('other admin NORTH')];
    const body = {
      ...unreachableEndpoints('by default'),
      organization_code: 'NORTH',
    };
    const { body: created } = await call<Connection>('POST', 'connections', body, one);
    expect(created).toMatchObject({ needs_second_person: false, needs_second_person_default: true, second_person_rule: 'sensitive' });
    const connectionId = created.connection_id;
    const needed = async (given: Parameters<typeof propose>[1]) => {
      const { proposalId } = await propose('NORTH', { connectionId, proposalKey: newUuid(), ...given });
      return (await call('GET', `proposals/${proposalId}`)).body;
    };
    const block = { verb: 'createIndicator', skillId: 'Create indicator', assets: { hosts: [], users: [], tags: [] } };
    const domain = { ...block, input: { indicator_type: 'DomainName', indicator_value: 'evil.example', action: 'Block' } };
    const live = { verb: 'runLiveResponse', skillId: 'Run live response', input: { machine_id: 'm1', comment: 'x', commands: [] } };
    const machine = { hosts: ['one.north.example'], users: [], tags: [] };
    expect(await needed(live)).toMatchObject({ approvals_needed: 2, needs_two_people: true, caution: ['It runs commands on a machine.'] });
    expect(await needed(domain)).toMatchObject({ approvals_needed: 2, caution: ['It blocks a whole domain.'] });
    expect(await needed({ assets: { ...machine, servers: ['one.north.example'] } })).toMatchObject({ approvals_needed: 2 });
    expect(await needed({ assets: { ...machine, servers: [] } })).toMatchObject({ approvals_needed: 1, caution: [] });

    const path = `connections/${connectionId}`;
    expect(await call('PATCH', path, { needs_second_person: false }, one)).toMatchObject({
      status: 200,
      body: { second_person_rule: 'never' },
    });
    expect(await needed({ ...domain, input: { ...domain.input, indicator_value: 'other.example' } })).toMatchObject({
      approvals_needed: 1,
    });
    expect(await call('PATCH', path, { needs_second_person: true }, one)).toMatchObject({
      status: 200,
      body: { second_person_rule: 'always' },
    });
    // The default is looser than the rule.
    expect(await call('PATCH', path, { needs_second_person: null }, one)).toMatchObject({ status: 202 });
    expect(await call('PATCH', path, { needs_second_person: null }, other)).toMatchObject({
      status: 200,
      body: { second_person_rule: 'sensitive' },
    });
  });

  it('allow no more than the hourly number of writes, even when the requests are concurrent', async () => {
    const organizationUuid = uuids.get('SOUTH') ?? '';
    const { db } = service.database;
    await call('PATCH', 'response', { organization_code: 'SOUTH', writes_per_hour: 3 });
    const reserve = (operationKey: string, runUuid: string | null = null) =>
      reserveWithinRules(
        db,
        {
          resultUuid: newUuid(),
          organizationUuid,
          connectionUuid: connections.get('SOUTH') ?? '',
          connectorKind: 'endpoint-detection',
          skillKey: findSkillKey('Isolate machine'),
          skillId: 'Isolate machine',
          alertUuid: null,
          runUuid,
          input: {},
          requestDigest: '',
          attempts: 1,
        },
        {
          organizationUuid,
          connectionUuid: connections.get('SOUTH') ?? '',
          skillKey: findSkillKey('Isolate machine'),
          alertUuid: null,
          runUuid,
          operationKey,
          input: {},
          workflowId: `proposal-${operationKey}`,
        },
      );
    const { user_uuid: requestedByUuid } = await service.createPerson('analyst', 'SOUTH');
    const { user_uuid: secondUuid } = await service.createPerson('analyst', 'SOUTH');
    const insert = async (state: 'waiting' | 'running') => {
      const connectionUuid = connections.get('SOUTH') ?? '';
      const id = await storeProposal(service, { organizationUuid, requestedByUuid, connectionUuid, state });
      await storeApprovals(service, id, { dana: requestedByUuid, ines: secondUuid });
      return id;
    };
    await expect(reserve(await insert('waiting'))).rejects.toMatchObject({ code: 'WritesHeld' });
    const names = await Promise.all(Array.from({ length: 10 }, () => insert('running')));
    const results = await Promise.allSettled(names.map((name) => reserve(name)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const sent = names[results.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    // The write may have happened already. The rules do not hold its lookup.
    expect(await reserve(sent)).toMatchObject({ state: 'unknown' });
    // A run of an earlier version is not its sender any more.
    await expect(reserve(sent, sent)).rejects.toMatchObject({ code: 'NotApproved' });
    const held = await findHold(db, organizationUuid, 'another');
    expect(held?.retryAfterSeconds).toBeGreaterThan(3590);
    expect((await call('GET', 'response?organization_code=SOUTH')).body).toMatchObject({ writes_last_hour: 3 });
    // A write that the third party refused does not count.
    await changeSkillResults(service, { operationKey: sent }, { status: 'failed' });
    expect(await findHold(db, organizationUuid, 'another')).toBeNull();
  });
});
