import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';
import { findSkillKey } from '../../connectors/skill-index.js';
import { newUuid } from '../../db/ids.js';
import type { CaseDetail } from '../../domain/case/case.js';
import type { Proposal } from '../../domain/response/proposal.js';
import type { ProtectedAsset, ResponseRules } from '../../domain/response/response-rules.js';
import type { AuditEntry } from '../../services/audit/wire.js';
import type { Connection } from '../../services/connections/wire.js';
import { endProposal } from '../../services/proposals/end.js';
import { reserveWithinRules } from '../../services/writes/allow-write.js';
import { findHold } from '../../services/writes/find-hold.js';
import { startTestService, type TestService } from '../support/service.js';
import { idleContext } from '../support/service-context.js';
import { readAllPages } from './support/http.js';
import { createOrganization, investigate, proposeIsolation } from './support/records.js';

let service: TestService;
const uuids = new Map<string, string>();
const connections = new Map<string, string>();
const keys = new Map<string, string>();
const requireKey = (name: string) => keys.get(name) ?? expect.fail(`there is no key ${name}`);

beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const code of ['NORTH', 'SOUTH']) {
    uuids.set(code, await createOrganization(service, code));
    const reply = await service.request<Connection>('POST', '/platformapi/connections', {
      body: {
        organization_code: code,
        connector: 'endpoint-detection',
        instance_name: `Endpoints of ${code}`,
        settings: { auth_url: 'https://login.invalid', api_host: 'https://api.invalid', scope_resource: 'https://api.invalid' },
        credentials: { tenant_id: 'tenant', client_id: 'client', client_secret: 'secret' },
      },
    });
    connections.set(code, reply.body.connection_id);
    for (const role of ['analyst', 'admin'] as const) keys.set(`${role} ${code}`, (await service.createPerson(role, code)).api_key);
  }
});
afterAll(() => service.stop());

/** Creates a proposal for a new alert. */
async function propose(code: string, given: Parameters<typeof proposeIsolation>[3] = {}) {
  const alert = await service.sendAlert({ organization_code: code });
  const caseId = await investigate(service, alert);
  return { proposalId: await proposeIsolation(service, alert.alert_id, connections.get(code) ?? '', given), caseId };
}

const call = <Body = Proposal>(method: string, path: string, body?: unknown, key?: string) =>
  service.request<Body>(method, `/platformapi/${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });
const audited = async (target: string) =>
  (await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 200 })).filter((entry) => entry.target === target);

describe('proposals', () => {
  it('are listed newest first, page by page, by state and organization', async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) made.push((await propose('NORTH')).proposalId);
    await propose('SOUTH');
    await call('POST', `proposals/${made[0]}/refuse`, { reason: 'No.' });
    const listed = await readAllPages<Proposal>(service, '/platformapi/proposals?organization_code=NORTH&state=waiting', { limit: 1 });
    expect(listed.map((each) => each.proposal_id)).toEqual([made[2], made[1]]);
    const own = await readAllPages<Proposal>(service, '/platformapi/proposals', { key: requireKey('analyst SOUTH'), limit: 1 });
    expect(new Set(own.map((each) => each.organization_code))).toEqual(new Set(['SOUTH']));
    expect((await call('GET', 'proposals?organization_code=NORTH', undefined, requireKey('analyst SOUTH'))).body).toMatchObject({
      items: [],
    });
    expect(await call('GET', 'proposals?state=odd')).toMatchObject({ status: 422 });
  });

  it('are part of their case, and each decision is on its timeline and in the audit log', async () => {
    const { proposalId, caseId } = await propose('NORTH');
    const approved = await call(
      'POST',
      `proposals/${proposalId}/approve`,
      { reason: 'Sure.', release_after_hours: 3 },
      requireKey('analyst NORTH'),
    );
    expect(approved).toMatchObject({
      status: 200,
      body: {
        state: 'approved',
        case_id: caseId,
        undoable: true,
        release_after_hours: 3,
        decisions: [{ decision: 'approve', reason: 'Sure.' }],
      },
    });
    const { body } = await call<CaseDetail>('GET', `cases/${caseId}`);
    expect(body.proposals).toEqual([approved.body]);
    expect(body.timeline.map(({ kind, by, text }) => [kind, by?.split(' ')[0] ?? null, text])).toEqual(
      expect.arrayContaining([
        ['proposed', null, 'Isolate machine: It calls home.'],
        ['decided', 'analyst', 'Isolate machine approved: Sure.'],
      ]),
    );
    expect(await audited(proposalId)).toMatchObject([
      { action: 'proposal.approve', organization_code: 'NORTH', details: { skill_id: 'Isolate machine', reason: 'Sure.' } },
    ]);
  });

  it('accept one decision', async () => {
    const { proposalId } = await propose('NORTH');
    expect(await call('POST', `proposals/${proposalId}/refuse`, { reason: 'No.' })).toMatchObject({
      status: 200,
      body: { state: 'refused' },
    });
    for (const [verb, body] of [
      ['approve', {}],
      ['refuse', { reason: 'No!' }],
      ['reconfirm', { hours: 1, reason: 'Longer.' }],
    ] as const)
      expect(await call('POST', `proposals/${proposalId}/${verb}`, body), verb).toMatchObject({ status: 409 });
    expect((await audited(proposalId)).map(({ action }) => action)).toEqual(['proposal.refuse']);
  });

  it('count each approver once, even when the decisions are concurrent', async () => {
    const { proposalId } = await propose('NORTH', { assets: null });
    const everywhere = (await service.createPerson('analyst', null)).api_key;
    const replies = await Promise.all(
      [requireKey('analyst NORTH'), requireKey('analyst NORTH'), everywhere, everywhere].map((key) =>
        call('POST', `proposals/${proposalId}/approve`, {}, key),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await call('GET', `proposals/${proposalId}`)).body).toMatchObject({ state: 'approved', approvals_needed: 2 });
  });

  it('validate their input', async () => {
    const { proposalId } = await propose('NORTH', { verb: 'runAntivirusScan', skillId: 'Run antivirus scan' });
    expect((await call('GET', `proposals/${proposalId}`)).body).toMatchObject({ undoable: false });
    const wrong: [string, unknown, string][] = [
      ['approve', { release_after_hours: 0 }, '#/release_after_hours'],
      ['approve', { release_after_hours: 1 }, '#/release_after_hours'],
      ['approve', { approve: true }, '#'],
      ['refuse', {}, '#/reason'],
      ['refuse', { reason: ' ' }, '#/reason'],
      ['reconfirm', { reason: 'x' }, '#/hours'],
      ['reconfirm', { hours: 1000, reason: 'x' }, '#/hours'],
    ];
    for (const [verb, body, pointer] of wrong) {
      const reply = await call<{ errors: { pointer: string }[] }>('POST', `proposals/${proposalId}/${verb}`, body);
      expect(reply.status, `${verb} ${JSON.stringify(body)}`).toBe(422);
      expect(reply.body.errors[0]?.pointer).toContain(pointer);
    }
    expect((await call('GET', `proposals/${proposalId}`)).body).toMatchObject({ state: 'waiting', decisions: [] });
  });

  it('return 404 for another organization', async () => {
    const { proposalId } = await propose('SOUTH');
    const key = requireKey('admin NORTH');
    const attempts: [string, string, unknown][] = [
      ['GET', '', undefined],
      ['POST', '/approve', {}],
      ['POST', '/refuse', { reason: 'Mine now.' }],
      ['POST', '/reconfirm', { hours: null, reason: 'Mine now.' }],
    ];
    for (const [method, verb, body] of attempts) {
      const there = await call(method, `proposals/${proposalId}${verb}`, body, key);
      const nowhere = await call(method, `proposals/${newUuid()}${verb}`, body, key);
      expect(there.status).toBe(404);
      expect(there.body).toEqual(nowhere.body);
    }
    expect((await call('GET', `proposals/${proposalId}`)).body).toMatchObject({ state: 'waiting' });
  });

  it('prevent the deletion of their connection while they are open', async () => {
    await propose('SOUTH');
    const reply = await call<{ detail: string }>('DELETE', `connections/${connections.get('SOUTH')}`);
    expect(reply).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Isolate machine is proposed') } });
  });

  it('schedule an undo, which can be postponed or withdrawn', async () => {
    const { proposalId, caseId } = await propose('NORTH', { releaseAfterHours: 5, input: { machine_id: 'm1' } });
    await call('POST', `proposals/${proposalId}/approve`, {});
    await endProposal(idleContext(service), catalogue, proposalId, { resultId: newUuid(), outcome: 'Isolate machine: Succeeded' });
    const findUndo = async () =>
      (await call<CaseDetail>('GET', `cases/${caseId}`)).body.proposals.find(({ undo_of }) => undo_of === proposalId);
    const { run_at: before = null } = (await findUndo()) ?? {};
    expect(before).toBeGreaterThan(Date.now() / 1000 + 4.9 * 3600);
    expect(await call('POST', `proposals/${proposalId}/reconfirm`, { hours: 10, reason: 'Longer.' })).toMatchObject({ status: 200 });
    expect((await findUndo())?.run_at).toBeGreaterThan((before ?? 0) + 4.9 * 3600);
    expect(await call('POST', `proposals/${proposalId}/reconfirm`, { hours: null, reason: 'For good.' })).toMatchObject({ status: 200 });
    expect(await findUndo()).toMatchObject({ state: 'withdrawn', approvals_needed: 0 });
    const timeline = (await call<CaseDetail>('GET', `cases/${caseId}`)).body.timeline.map(({ text }) => text);
    expect(timeline).toContain('Unisolate machine is withdrawn: For good.');
  });
});

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
      expect(await call('DELETE', path)).toMatchObject({ status: 204 });
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
      for (const key of [requireKey('admin NORTH'), undefined]) await call('DELETE', `protected-assets/${body.asset_id}`, undefined, key);
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
    const [one, other] = [requireKey('admin NORTH'), undefined];
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
    await service.database.pg`update rule_changes set asked_at = now() - interval '25 hours'`;
    expect(await read()).toMatchObject({ pending_changes: [] });
    expect(await call('PATCH', connection, { needs_second_person: false }, other)).toMatchObject({ status: 202 });
    expect(await call('PATCH', connection, { needs_second_person: false }, one)).toMatchObject({
      status: 200,
      body: { needs_second_person: false },
    });
    expect(await limit(70, one), 'no connection requires a second person now').toMatchObject({ status: 200 });
  });

  it('allow no more than the hourly number of writes, even when the requests are concurrent', async () => {
    const organizationUuid = uuids.get('SOUTH') ?? '';
    const { db, pg } = service.database;
    await call('PATCH', 'response', { organization_code: 'SOUTH', writes_per_hour: 3 });
    const reserve = (operationKey: string) =>
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
          runUuid: null,
          input: {},
          requestDigest: '',
          attempts: 1,
        },
        operationKey,
      );
    const names = Array.from({ length: 10 }, (_, n) => `write ${n}`);
    const results = await Promise.allSettled(names.map(reserve));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const sent = names[results.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    // The write may have happened already. The rules do not hold its lookup.
    expect(await reserve(sent)).toMatchObject({ state: 'unknown' });
    const held = await findHold(db, organizationUuid, 'another');
    expect(held?.retryAfterSeconds).toBeGreaterThan(3590);
    expect((await call('GET', 'response?organization_code=SOUTH')).body).toMatchObject({ writes_last_hour: 3 });
    // A write that the third party refused does not count.
    await pg`update skill_results set status = 'failed' where operation_key = ${sent}`;
    expect(await findHold(db, organizationUuid, 'another')).toBeNull();
  });
});
