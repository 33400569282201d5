import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../services/audit/wire.js';
import { asService } from '../../services/context.js';
import { createOrganization as insertOrganization } from '../../services/organizations/create.js';
import { startTestService, type TestService } from '../support/service.js';
import { unreachableEndpoints } from '../support/unreachable-endpoints.js';
import { type List, readAllPages } from './support/http.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
let admin: { api_key: string; key_uuid: string };
beforeAll(async () => {
  service = await startTestService({ worker: false });
  admin = await service.createKey('admin', null);
});
afterAll(() => service.stop());

const ALERT = { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'Odd sign-in', alert_content: 'user=dana from 203.0.113.9' };

/** Only the changes of users. The service also writes entries of its own, for example when it creates a playbook. */
async function entries(): Promise<AuditEntry[]> {
  const all = await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 200 });
  return all.filter((entry) => entry.principal_name !== 'service');
}

async function newEntries(work: () => Promise<unknown>): Promise<AuditEntry[]> {
  const before = new Set((await entries()).map((entry) => entry.entry_no));
  await work();
  return (await entries()).filter((entry) => !before.has(entry.entry_no));
}

describe('a change', () => {
  const post = async (path: string, body: unknown) => {
    const reply = await service.request<Record<string, string>>('POST', path, { key: admin.api_key, body });
    expect(reply.status).toBeLessThan(300);
    return reply.body;
  };
  let concluded: { alertId: string; caseId: string; otherCaseId: string };
  beforeAll(async () => {
    const alert = await service.sendAlert();
    const otherCaseId = await investigate(service, await service.sendAlert());
    concluded = { alertId: alert.alert_id, caseId: await investigate(service, alert), otherCaseId };
  });

  it.each<[string, string | null, () => Promise<string | undefined>]>([
    ['alert.create', 'DEMO', async () => (await post('/platformapi/alerts', ALERT))['alert_id']],
    [
      'organization.create',
      'AUDITED',
      async () => (await post('/platformapi/organizations', { organization_code: 'AUDITED', name: 'Audited' }))['organization_code'],
    ],
    ['provider.create', null, async () => (await post('/platformapi/providers', { name: 'audited' }))['name']],
    [
      'api-key.create',
      'DEMO',
      async () => (await post('/platformapi/api-keys', { name: 'x', role: 'sender', organization_code: 'DEMO' }))['key_uuid'],
    ],
    [
      'api-key.create',
      null,
      async () => (await post('/platformapi/api-keys', { name: 'x', role: 'analyst', organization_code: null }))['key_uuid'],
    ],
    [
      'case.update',
      'DEMO',
      async () => {
        await service.request('PATCH', `/platformapi/cases/${concluded.caseId}`, { key: admin.api_key, body: { comment: 'x' } });
        return concluded.caseId;
      },
    ],
    [
      'case.update',
      'DEMO',
      async () => {
        await post('/platformapi/cases/bulk', { changes: [{ case_id: concluded.caseId, update: { add_tags: ['audited'] } }] });
        return concluded.caseId;
      },
    ],
    [
      'saved-view.create',
      null,
      async () => (await post('/platformapi/saved-views', { list: 'cases', name: 'audited', filters: {} }))['view_id'],
    ],
    [
      'case.merge',
      'DEMO',
      async () => {
        await post(`/platformapi/cases/${concluded.otherCaseId}/merge`, { into: concluded.caseId, reason: 'x' });
        return concluded.otherCaseId;
      },
    ],
    [
      'case.unmerge',
      'DEMO',
      async () => {
        await post(`/platformapi/cases/${concluded.otherCaseId}/unmerge`, { reason: 'x' });
        return concluded.otherCaseId;
      },
    ],
    [
      'alert.investigate',
      'DEMO',
      async () => {
        await post(`/platformapi/alerts/${concluded.alertId}/investigate`, {});
        return concluded.alertId;
      },
    ],
  ])('%s adds one entry with principal, organization and target', async (action, organization, change) => {
    let target: string | undefined;
    const added = await newEntries(async () => {
      target = await change();
    });
    expect(added).toHaveLength(1);
    expect(added[0]).toMatchObject({
      action,
      target,
      organization_code: organization,
      principal_uuid: admin.key_uuid,
      principal_name: expect.stringMatching(/^admin /),
    });
    expect(Math.abs((added[0]?.at ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('api-key.revoke adds one entry, and a second revocation adds none', async () => {
    const { key_uuid } = await service.createKey('sender');
    const revoke = () => service.request('DELETE', `/platformapi/api-keys/${key_uuid}`, { key: admin.api_key });
    expect(await newEntries(revoke)).toMatchObject([
      { action: 'api-key.revoke', target: key_uuid, organization_code: 'DEMO', principal_uuid: admin.key_uuid },
    ]);
    expect(await newEntries(revoke)).toEqual([]);
  });

  it('adds one entry per connection change, without the secrets', async () => {
    const CONNECTION = {
      ...unreachableEndpoints('Audited'),
      credentials: { tenant_id: 'tenant', client_id: 'client', client_secret: 'audited-canary' },
      needs_second_person: true,
    };
    const people = [await service.createPerson('admin'), await service.createPerson('admin')];
    const added = await newEntries(async () => {
      const id = (await post('/platformapi/connections', CONNECTION))['connection_id'];
      await service.request('PATCH', `/platformapi/connections/${id}`, { key: admin.api_key, body: { description: 'x' } });
      const isolate = { input: { machine_id: 'a'.repeat(40), comment: 'x' }, confirm: true };
      const { run_id } = await post(`/platformapi/connections/${id}/skills/isolate-machine`, isolate);
      await service.request('POST', `/platformapi/skill-runs/${run_id}/decision`, { body: { approve: false } });
      // It requires a second person, so its deletion does too.
      for (const { api_key: key } of people) await service.request('DELETE', `/platformapi/connections/${id}`, { key });
    });
    expect(added.map(({ action }) => action).sort()).toEqual([
      'connection.create',
      'connection.delete',
      'connection.update',
      'rule-change.ask',
      'skill.propose',
      'skill.refuse',
    ]);
    expect(JSON.stringify(added)).not.toContain('audited-canary');
  });

  it('adds one entry each when 50 changes run concurrently', async () => {
    const added = await newEntries(() => Promise.all(Array.from({ length: 50 }, () => post('/platformapi/alerts', ALERT))));
    expect(added).toHaveLength(50);
    expect(new Set(added.map(({ target }) => target)).size).toBe(50);
  });

  it('adds one entry when a request with an Idempotency-Key is repeated', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const added = await newEntries(async () => {
      for (let count = 0; count < 3; count += 1)
        await service.request('POST', '/platformapi/alerts', { key: admin.api_key, body: ALERT, headers });
    });
    expect(added).toHaveLength(1);
  });

  it('adds no entry when the request is refused', async () => {
    const { api_key: sender } = await service.createKey('sender');
    const refused: [string, string, unknown, string?][] = [
      ['POST', '/platformapi/alerts', { ...ALERT, alert_provider: 'nothing' }],
      ['POST', '/platformapi/alerts', { ...ALERT, alert_type: '' }],
      ['POST', '/platformapi/organizations', { organization_code: 'DEMO', name: 'Again' }],
      ['POST', '/platformapi/providers', { name: 'siem' }],
      ['POST', '/platformapi/providers', { name: 'case' }],
      ['POST', '/platformapi/api-keys', { name: 'x', role: 'sender', organization_code: 'NOBODY' }],
      ['POST', '/platformapi/organizations', { organization_code: 'NEW', name: 'New' }, sender],
      ['PATCH', '/platformapi/cases/DEMO-CASE-99999', { comment: 'x' }],
      ['PATCH', `/platformapi/cases/${concluded.caseId}`, { comment: '' }],
      ['POST', `/platformapi/cases/${concluded.caseId}/merge`, { into: concluded.caseId, reason: 'x' }],
      ['POST', `/platformapi/cases/${concluded.caseId}/unmerge`, { reason: 'x' }],
      ['POST', '/platformapi/alerts/DEMO-SIEM-99999/investigate', {}],
      ['DELETE', `/platformapi/api-keys/${randomUUID()}`, undefined],
    ];
    const added = await newEntries(async () => {
      for (const [method, path, body, key] of refused) {
        const { status } = await service.request(method, path, { key: key ?? admin.api_key, ...(body === undefined ? {} : { body }) });
        expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      }
    });
    expect(added).toEqual([]);
  });

  it('commits with its audit entry in one transaction', async () => {
    const { pg, db } = service.database;
    await pg`create function refuse_entries() returns trigger language plpgsql as $$ begin raise exception 'no entry today'; end $$`;
    await pg`create trigger refuse_entries before insert on audit_log for each statement execute function refuse_entries()`;
    try {
      await expect(insertOrganization(asService(db), { organization_code: 'UNHEARD', name: 'Unheard of' })).rejects.toThrow();
      expect((await service.request('POST', '/platformapi/providers', { body: { name: 'unheard' } })).status).toBe(500);
      expect((await service.request('POST', '/platformapi/alerts', { body: { ...ALERT, alert_content: 'unheard' } })).status).toBe(500);
      expect((await service.request('DELETE', `/platformapi/api-keys/${admin.key_uuid}`)).status).toBe(500);
      expect((await service.request('PATCH', `/platformapi/cases/${concluded.caseId}`, { body: { comment: 'unheard' } })).status).toBe(500);
    } finally {
      await pg`drop trigger refuse_entries on audit_log`;
    }
    expect(await pg`select 1 from organizations where organization_code = 'UNHEARD'`).toHaveLength(0);
    expect(await pg`select 1 from providers where name = 'unheard'`).toHaveLength(0);
    expect(await pg`select 1 from alerts where alert_content = 'unheard'`).toHaveLength(0);
    expect(await pg`select 1 from case_timeline where text = 'unheard'`).toHaveLength(0);
    expect(await pg`select 1 from api_keys where key_uuid = ${admin.key_uuid} and revoked_at is not null`).toHaveLength(0);
  });
});

describe('the audit log', () => {
  it.each([
    'update audit_log set action = action',
    'delete from audit_log',
    'delete from audit_log where false',
    'truncate audit_log',
    'truncate audit_log cascade',
  ])('is append-only: the database refuses `%s`', async (statement) => {
    const before = await entries();
    await expect(service.database.pg.unsafe(statement)).rejects.toThrow('append-only');
    expect(await entries()).toEqual(before);
  });

  it('starts with the entries of the bootstrap', async () => {
    const all = await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 200 });
    const first = all.filter((entry) => entry.principal_name === 'service');
    expect(first.map(({ action }) => action)).toEqual(expect.arrayContaining(['organization.create', 'provider.create', 'api-key.create']));
  });

  it('names the service as principal of its own changes', async () => {
    const alert = await service.sendAlert({ alert_type: `New type ${randomUUID()}` });
    await investigate(service, alert);
    const all = await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 200 });
    expect(all.find(({ action }) => action === 'playbook.create')).toMatchObject({
      principal_uuid: null,
      principal_name: 'service',
      organization_code: 'DEMO',
    });
  });

  it('lists the newest entry first, to admins only', async () => {
    const all = await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 3 });
    expect(all.map(({ entry_no }) => entry_no)).toEqual(all.map(({ entry_no }) => entry_no).toSorted((a, b) => b - a));
    for (const role of ['sender', 'analyst'] as const) {
      expect((await service.request('GET', '/platformapi/audit', { key: (await service.createKey(role)).api_key })).status).toBe(403);
    }
  });

  it('shows an organization admin only the entries of that organization', async () => {
    await createOrganization(service, 'ELSEWHERE');
    const { api_key } = await service.createKey('admin', 'ELSEWHERE');
    await service.sendAlert({ organization_code: 'ELSEWHERE' });
    const { body } = await service.request<List<AuditEntry>>('GET', '/platformapi/audit', { key: api_key });
    expect(body.items.map(({ action, organization_code }) => [action, organization_code])).toEqual(
      expect.arrayContaining([
        ['alert.create', 'ELSEWHERE'],
        ['api-key.create', 'ELSEWHERE'],
        ['organization.create', 'ELSEWHERE'],
      ]),
    );
    expect(new Set(body.items.map(({ organization_code }) => organization_code))).toEqual(new Set(['ELSEWHERE']));
  });

  it('contains no key and no alert content', async () => {
    const text = JSON.stringify(await readAllPages<AuditEntry>(service, '/platformapi/audit', { limit: 200 }));
    expect(text).not.toContain(admin.api_key);
    expect(text).not.toContain(ALERT.alert_content);
  });
});
