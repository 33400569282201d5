import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { send, startSecondApi, watch as watchAt } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const watch = (key: string) => watchAt(service.url, key);

describe('live updates', () => {
  it('notify an open page about a new and a completed alert, without its content', async () => {
    const { api_key } = await service.createKey('analyst');
    const page = await watch(api_key);
    expect(page.response.headers.get('content-type')).toBe('text/event-stream');
    const { alert_id } = await service.sendAlert({ alert_type: 'Live', alert_content: 'a secret of somebody' });
    await waitFor('the page to receive the alert event', async () => page.topics().includes('alerts'));
    const before = page.topics().length;
    await service.waitForStatus(alert_id, 15, 20);
    await waitFor('the page to receive the completion event', async () => page.topics().length > before);
    expect(page.heard()).not.toMatch(/secret|DEMO/);
    await page.leave();
  });

  it('require a role that may read', async () => {
    const { api_key } = await service.createKey('sender');
    expect(await service.request('GET', '/platformapi/events', { key: null })).toMatchObject({ status: 401 });
    expect(await service.request('GET', '/platformapi/events', { key: api_key })).toMatchObject({ status: 403 });
  });

  it('do not delay a restart of the service', async () => {
    const { api_key } = await service.createKey('analyst');
    const page = await watch(api_key);
    await service.restartApi();
    await page.leave();
    expect(await service.request('GET', '/platformapi/session', { key: api_key })).toMatchObject({ status: 200 });
  });

  it('do not reveal the activity of other organizations', async () => {
    await createOrganization(service, 'NEIGHBOUR');
    const own = await watch((await service.createKey('analyst')).api_key);
    const neighbour = await watch((await service.createKey('analyst', 'NEIGHBOUR')).api_key);
    const all = await watch((await service.createKey('admin', null)).api_key);
    // The creation of the keys is a change too.
    const before = { own: own.topics().length, all: all.topics().length };
    const { alert_id } = await service.sendAlert({ alert_type: 'Not for neighbours' });
    await service.waitForStatus(alert_id, 15, 20);
    await service.request('POST', `/platformapi/alerts/${alert_id}/investigate`, { body: {} });
    await waitFor('both keys that may see the alert to receive its event', async () =>
      [own.topics().slice(before.own), all.topics().slice(before.all)].every((topics) => topics.includes('alerts')),
    );
    await service.createKey('sender', 'NEIGHBOUR');
    await waitFor('the neighbour to receive its own event', async () => neighbour.topics().includes('settings'));
    expect(new Set(neighbour.topics())).toEqual(new Set(['settings']));
    await Promise.all([own.leave(), neighbour.leave(), all.leave()]);
  });

  it('notify the pages of an organization when an admin of all organizations deletes a connection', async () => {
    const { api_key } = await service.createKey('admin', null);
    const page = await watch((await service.createKey('analyst')).api_key);
    const countConnectionEvents = () => page.topics().filter((topic) => topic === 'connections').length;
    const created = await service.request<{ connection_id: string }>('POST', '/platformapi/connections', {
      key: api_key,
      body: {
        organization_code: 'DEMO',
        connector: 'threat-intelligence',
        instance_name: 'To delete',
        settings: { api_host: 'https://intelligence.example' },
        credentials: { api_key: 'canary-api-key-0123456789' },
      },
    });
    await waitFor('the page to receive the creation', async () => countConnectionEvents() > 0);
    const before = countConnectionEvents();
    const deleted = await service.request('DELETE', `/platformapi/connections/${created.body.connection_id}`, { key: api_key });
    expect(deleted.status).toBe(204);
    await waitFor('the page to receive the deletion', async () => countConnectionEvents() > before);
    await page.leave();
  });

  it('end when the key is revoked, also by another process', async () => {
    const second = await startSecondApi(service);
    for (const url of [service.url, second.url]) {
      const { api_key, key_uuid } = await service.createKey('analyst');
      const other = await watch((await service.createKey('analyst')).api_key);
      const page = await watch(api_key);
      const revoked = await send(`${url}/platformapi/api-keys/${key_uuid}`, { method: 'DELETE', key: service.adminKey });
      expect(revoked.status).toBe(204);
      await page.ended;
      expect(await Promise.race([other.ended.then(() => 'ended'), Promise.resolve('open')])).toBe('open');
      await other.leave();
    }
  });

  it('limit the open pages of one key, and do not affect other keys', async () => {
    const { api_key } = await service.createKey('analyst');
    const pages = await Promise.all(Array.from({ length: 20 }, () => watch(api_key)));
    expect(new Set(pages.map(({ response }) => response.status))).toEqual(new Set([200]));
    const refused = await service.request('GET', '/platformapi/events', { key: api_key });
    expect(refused).toMatchObject({ status: 429, body: { detail: expect.stringContaining('20 open pages') } });
    const other = await watch((await service.createKey('analyst')).api_key);
    expect(other.response.status).toBe(200);
    await Promise.all([...pages, other].map((page) => page.leave()));
  });

  it('limit the open pages of one organization, and do not affect other organizations', async () => {
    for (const code of ['CROWDED', 'QUIET']) await createOrganization(service, code);
    const keys = await Promise.all(Array.from({ length: 10 }, () => service.createKey('analyst', 'CROWDED')));
    const pages = await Promise.all(keys.flatMap(({ api_key }) => Array.from({ length: 20 }, () => watch(api_key))));
    expect(new Set(pages.map(({ response }) => response.status))).toEqual(new Set([200]));
    const late = await service.request('GET', '/platformapi/events', { key: (await service.createKey('analyst', 'CROWDED')).api_key });
    expect(late).toMatchObject({ status: 429 });
    const other = await watch((await service.createKey('analyst', 'QUIET')).api_key);
    expect(other.response.status).toBe(200);
    await Promise.all([...pages, other].map((page) => page.leave()));
  });
});
