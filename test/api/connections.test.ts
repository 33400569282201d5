import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSkillKey } from '../../connectors/skill-index.js';
import { addWaiter } from '../../db/connections/connection-waiters.js';
import type { Connection } from '../../services/connections/wire.js';
import { createConfirmedAgent } from '../support/agents.js';
import { ago, changeConnections, fromNow } from '../support/rows.js';
import { startTestService, type TestService } from '../support/service.js';
import { countChanges, countRows, createOrganization } from './support/records.js';

const SECRET = 'canary-api-key-0123456789';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

interface Problem {
  readonly detail: string;
  readonly errors?: { pointer?: string; detail: string }[];
}

let made = 0;
function threatIntelligence(changes: object = {}) {
  made += 1;
  return {
    organization_code: 'DEMO',
    connector: 'threat-intelligence',
    instance_name: `Intelligence ${made}`,
    settings: { api_host: 'https://intelligence.example' },
    credentials: { api_key: SECRET },
    ...changes,
  };
}

const create = <Body = Connection>(body: object, key?: string) =>
  service.request<Body>('POST', '/platformapi/connections', { body, ...(key === undefined ? {} : { key }) });

describe('a connection', () => {
  it('stores its secret encrypted and never returns it', async () => {
    const { status, body, headers } = await create(threatIntelligence({ description: 'ours' }));
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/platformapi/connections/${body.connection_id}`);
    expect(body).toMatchObject({
      organization_code: 'DEMO',
      connector: 'threat-intelligence',
      description: 'ours',
      settings: { api_host: 'https://intelligence.example', token_header: 'X-ThreatIntelToken', alert_path: '/alert/v3' },
      credentials: { api_key: { set: true } },
      state: 'untested',
      rotation: { state: 'fresh', age_days: 0, advised_days: 90 },
    });
    const shown = await service.request('GET', `/platformapi/connections/${body.connection_id}`);
    expect(JSON.stringify([body, shown.body])).not.toContain(SECRET);
    const rows = await service.database.pg`select * from connection_secrets`;
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  it('becomes the default of its kind when it is the first, or when an admin makes it the default', async () => {
    await createOrganization(service, 'DEFAULTS');
    const first = await create(threatIntelligence({ organization_code: 'DEFAULTS' }));
    const second = await create(threatIntelligence({ organization_code: 'DEFAULTS' }));
    expect([first.body.is_default, second.body.is_default]).toEqual([true, false]);
    const path = `/platformapi/connections/${second.body.connection_id}`;
    const changed = await service.request<Connection>('PATCH', path, { body: { is_default: true } });
    expect(changed).toMatchObject({ status: 200, body: { is_default: true } });
    expect((await service.request<Connection>('GET', `/platformapi/connections/${first.body.connection_id}`)).body.is_default).toBe(false);
    expect((await service.request('DELETE', path)).status).toBe(204);
    expect((await service.request<Connection>('GET', `/platformapi/connections/${first.body.connection_id}`)).body.is_default).toBe(true);
  });

  it.each<[string, object, string, string]>([
    ['an unknown connector', { connector: 'crystal-ball' }, '#/connector', 'endpoint-detection'],
    ['an unknown organization', { organization_code: 'NOBODY' }, '#/organization_code', 'cannot use this organization'],
    [
      'a field that the connector does not define',
      { settings: { api_host: 'https://x.example', colour: 'red' } },
      '#/settings/colour',
      'not a known field',
    ],
    ['a NUL in the organization', { organization_code: 'A\u0000' }, '#/organization_code', 'NUL'],
    ['a NUL in the description', { description: 'a\u0000' }, '#/description', 'NUL'],
    ['a missing credential', { credentials: {} }, '#/credentials/api_key', 'api_key'],
    ['a host without https', { settings: { api_host: 'http://x.example' } }, '#/settings/api_host', 'https://'],
    ['a host with a trailing slash', { settings: { api_host: 'https://x.example/' } }, '#/settings/api_host', 'trailing slash'],
    [
      'a feed from a kind without alerts',
      {
        connector: 'travel-booking',
        settings: { base_url: 'https://x.example' },
        credentials: { client_id: 'x', client_secret: 'y' },
        feeds_intake: true,
      },
      '#/feeds_intake',
      'cannot feed the intake',
    ],
    [
      'an agent that does not exist',
      { remote_agent: '5b0c2a10-0001-4c1e-9d10-000000000001' },
      '#/remote_agent',
      'does not support remote agents',
    ],
  ])('is refused with %s, and nothing changes', async (_what, changes, pointer, words) => {
    const before = [await countRows(service, 'connections'), await countChanges(service)];
    const { status, body } = await create<Problem>(threatIntelligence(changes));
    expect(status).toBe(422);
    expect(body.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(JSON.stringify(body.errors)).toContain(words);
    expect([await countRows(service, 'connections'), await countChanges(service)]).toEqual(before);
  });

  it('names both alternatives when neither of two settings is given', async () => {
    const malware = { connector: 'malware-protection', credentials: { api_client_id: 'id', api_key: SECRET } };
    const neither = await create<Problem>(threatIntelligence({ ...malware, settings: {} }));
    expect(neither.status).toBe(422);
    expect(neither.body.detail).toContain('either the region');
  });

  it('needs all credentials again before it sends them to another host or agent, and the audit entry has both values', async () => {
    const agent = await createConfirmedAgent(service, 'of an attacker');
    const { body: intelligence } = await create(threatIntelligence());
    const endpoints = {
      connector: 'endpoint-detection',
      settings: { auth_url: 'https://login.example', api_host: 'https://api.example', scope_resource: 'https://api.example' },
      credentials: { tenant_id: 'tenant', client_id: 'client', client_secret: SECRET },
    };
    const { body: endpoint } = await create(threatIntelligence(endpoints));
    const patch = (id: string, body: object) => service.request<Problem>('PATCH', `/platformapi/connections/${id}`, { body });
    const elsewhere = { settings: { ...intelligence.settings, api_host: 'https://attacker.example' } };
    for (const [id, body] of [
      [intelligence.connection_id, elsewhere],
      [intelligence.connection_id, { settings: { ...intelligence.settings, alert_path: '/elsewhere' } }],
      [endpoint.connection_id, { remote_agent: agent.agent_id }],
      [endpoint.connection_id, { remote_agent: agent.agent_id, credentials: { tenant_id: 'tenant', client_id: 'client' } }],
    ] as const) {
      const { status, body: problem } = await patch(id, body);
      expect(status).toBe(422);
      expect(problem.errors?.[0]?.pointer).toMatch(/^#\/credentials/);
    }
    const { body: unchanged } = await service.request('GET', `/platformapi/connections/${intelligence.connection_id}`);
    expect(unchanged).toEqual(intelligence);

    expect((await patch(intelligence.connection_id, { description: 'x', settings: intelligence.settings })).status).toBe(200);
    expect((await patch(intelligence.connection_id, { ...elsewhere, credentials: { api_key: 'another-key-of-the-admin' } })).status).toBe(
      200,
    );
    const { body: audit } = await service.request<{ items: object[] }>(
      'GET',
      `/platformapi/audit?action=connection.update&target=${intelligence.connection_id}&limit=1`,
    );
    expect(audit.items).toMatchObject([
      {
        details: {
          old: { settings: { api_host: 'https://intelligence.example' } },
          new: { settings: { api_host: 'https://attacker.example' } },
          credentials_replaced: true,
        },
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain('another-key');
  });

  it('needs a name that is unique in its organization', async () => {
    const given = threatIntelligence();
    expect((await create(given)).status).toBe(201);
    const again = await create<Problem>(given);
    expect(again).toMatchObject({ status: 409, body: { errors: [{ pointer: '#/instance_name' }] } });
    await createOrganization(service, 'ELSEWHERE');
    expect((await create({ ...given, organization_code: 'ELSEWHERE' })).status).toBe(201);
  });

  it('is visible only in its organization', async () => {
    await createOrganization(service, 'OTHER');
    const { body } = await create(threatIntelligence());
    const { api_key: stranger } = await service.createKey('admin', 'OTHER');
    const path = `/platformapi/connections/${body.connection_id}`;
    expect((await service.request('GET', path, { key: stranger })).status).toBe(404);
    expect((await service.request('PATCH', path, { key: stranger, body: { description: 'mine' } })).status).toBe(404);
    expect((await service.request('POST', `${path}/reconnect`, { key: stranger, body: { credentials: { api_key: 'x' } } })).status).toBe(
      404,
    );
    expect((await service.request('POST', `${path}/test`, { key: stranger })).status).toBe(404);
    expect((await service.request('POST', `${path}/skills/list-alerts`, { key: stranger, body: {} })).status).toBe(404);
    expect((await service.request('DELETE', path, { key: stranger })).status).toBe(404);
    expect((await create<Problem>(threatIntelligence(), stranger)).status).toBe(422);
    const own = await create(threatIntelligence({ organization_code: 'OTHER' }), stranger);
    expect(own.status).toBe(201);
    const { body: listed } = await service.request<{ items: Connection[] }>('GET', '/platformapi/connections', { key: stranger });
    expect(listed.items.map((item) => item.connection_id)).toEqual([own.body.connection_id]);
  });

  it('reports whether its secret is fresh, due or overdue for rotation', async () => {
    const { body } = await create(threatIntelligence());
    for (const [days, state] of [
      [50, 'fresh'],
      [85, 'due'],
      [91, 'overdue'],
    ] as const) {
      await changeConnections(service, { connectionUuid: body.connection_id }, { secretsSetAt: ago({ days }) });
      const shown = await service.request<Connection>('GET', `/platformapi/connections/${body.connection_id}`);
      expect(shown.body.rotation).toMatchObject({ state, age_days: days });
    }
  });

  it('cannot be deleted while an investigation waits for it', async () => {
    const { body } = await create(threatIntelligence());
    const waiter = { connectionUuid: body.connection_id, workflowId: 'DEMO-SIEM-77', generation: 1, untilSeconds: fromNow({}) };
    const skill = { skillKey: findSkillKey('List Alerts'), skillId: 'List Alerts' };
    expect(await addWaiter(service.database.pg, { ...waiter, ...skill, alertId: null, reason: '401' })).toBe(true);
    const refused = await service.request<Problem>('DELETE', `/platformapi/connections/${body.connection_id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain('DEMO-SIEM-77');
  });

  it('validates the input of a skill before it runs', async () => {
    const { body } = await create(threatIntelligence());
    for (const skill of ['list-alerts', 'threatIntelligence.listAlerts']) {
      const invalid = await service.request<Problem>('POST', `/platformapi/connections/${body.connection_id}/skills/${skill}`, {
        body: { input: { max_items: 0 } },
      });
      expect(invalid).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/input/max_items' }] } });
    }
    const unknown = await service.request<Problem>('POST', `/platformapi/connections/${body.connection_id}/skills/divine`, { body: {} });
    expect(unknown.status).toBe(404);
  });
});
