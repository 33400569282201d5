import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SavedView } from '../../services/saved-views/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { type List, readAllPages } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
let keys: Record<'dana' | 'robin' | 'admin' | 'foreign', string>;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await createOrganization(service, 'OTHER');
  const create = async (role: 'analyst' | 'admin', code: string) => (await service.createKey(role, code)).api_key;
  keys = {
    dana: await create('analyst', 'DEMO'),
    robin: await create('analyst', 'DEMO'),
    admin: await create('admin', 'DEMO'),
    foreign: await create('admin', 'OTHER'),
  };
});
afterAll(() => service.stop());

const PATH = '/platformapi/saved-views';
const create = async (key: string, given: object = {}) =>
  service.request<SavedView>('POST', PATH, { key, body: { list: 'cases', name: 'Critical', filters: { severity: 'critical' }, ...given } });
const names = async (key: string) =>
  (await readAllPages<SavedView>(service, `${PATH}?list=cases`, { key, limit: 1 })).map(({ name }) => name);

describe('a saved view', () => {
  it('is private to its key until it is shared in the organization', async () => {
    const { status, body: view } = await create(keys.dana, { name: 'Mine' });
    expect(status).toBe(201);
    expect(view).toMatchObject({ name: 'Mine', filters: { severity: 'critical' }, is_shared: false, is_own: true, list: 'cases' });
    expect(await names(keys.dana)).toEqual(['Mine']);
    expect(await names(keys.robin)).toEqual([]);
    await service.request('PATCH', `${PATH}/${view.view_id}`, { key: keys.dana, body: { is_shared: true, name: 'Ours' } });
    const seen = await service.request<List<SavedView>>('GET', PATH, { key: keys.robin });
    expect(seen.body.items).toMatchObject([{ name: 'Ours', is_own: false, created_by: view.created_by }]);
    expect(await names(keys.foreign)).toEqual([]);
    expect(await names(service.adminKey)).toEqual([]);
  });

  it('is changed and deleted only by its key and by an admin of the organization', async () => {
    const { body: view } = await create(keys.dana, { name: 'Shared', is_shared: true });
    const path = `${PATH}/${view.view_id}`;
    const { body: hidden } = await create(keys.dana, { name: 'Hidden' });
    for (const [method, body] of [
      ['PATCH', { name: 'Taken' }],
      ['DELETE', undefined],
    ] as const) {
      const attempt = (where: string, key: string) => service.request(method, where, { key, ...(body === undefined ? {} : { body }) });
      expect((await attempt(path, keys.robin)).status).toBe(403);
      expect((await attempt(path, keys.foreign)).status).toBe(404);
      expect((await attempt(`${PATH}/${hidden.view_id}`, keys.admin)).status).toBe(404);
    }
    expect((await service.request('PATCH', path, { key: keys.admin, body: { name: 'Renamed' } })).status).toBe(200);
    expect(await names(keys.robin)).toContain('Renamed');
    expect((await service.request('DELETE', path, { key: keys.dana })).status).toBe(204);
    expect(await names(keys.robin)).not.toContain('Renamed');
    expect((await service.request('DELETE', path, { key: keys.dana })).status).toBe(404);
  });

  it('refuses blank names, unknown lists and more filters than allowed', async () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`filter${index}`, 'x']));
    for (const given of [{ name: ' ' }, { list: 'people' }, { filters: many }, { filters: { a: 'x'.repeat(501) } }, { filters: { a: 1 } }])
      expect((await create(keys.dana, given)).status, JSON.stringify(given)).toBe(422);
  });

  it('is one of at most 50 of a key', async () => {
    const { api_key: key } = await service.createKey('analyst');
    const replies = await Promise.all(Array.from({ length: 52 }, () => create(key)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(2);
  });
});
