import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import type { List } from './support/http.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const create = (body: object) => service.request('POST', '/platformapi/organizations', { body });
const WRONG_CODE = { errors: [{ pointer: '#/organization_code' }] };

it.each([
  { organization_code: 'O'.repeat(33), name: 'Too long' },
  { organization_code: 'A B', name: 'A blank' },
  { organization_code: '-A', name: 'A hyphen first' },
  { organization_code: 'Ä', name: 'Beyond ASCII' },
])('is not created from %j', async (body) => {
  expect(await create(body)).toMatchObject({ status: 422, body: WRONG_CODE });
});

it('is refused if its code differs only in case from another one', async () => {
  expect(await create({ organization_code: 'demo', name: 'Again' })).toMatchObject({ status: 409, body: WRONG_CODE });
});

it('is listed for all its keys, and only for them', async () => {
  expect((await create({ organization_code: 'NORTH', name: 'North' })).status).toBe(201);
  const listed = async (key: string) =>
    (await service.request<List<{ organization_code: string }>>('GET', '/platformapi/organizations', { key })).body.items.map(
      ({ organization_code }) => organization_code,
    );
  expect(await listed((await service.createKey('sender', 'NORTH')).api_key)).toEqual(['NORTH']);
  expect((await listed(service.adminKey)).toSorted()).toEqual(['DEMO', 'NORTH']);
});
