import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Overview } from '../../domain/case/overview.js';
import type { Connection } from '../../services/connections/wire.js';
import { changeConnections, inDays } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import type { ProblemBody } from './support/http.js';
import { createOrganization } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const settings = { api_host: 'https://intelligence.example' };
const credentials = { api_key: 'the-key-of-this-test' };
const create = <Body = Connection>(instance_name: string, more: object = {}) =>
  service.request<Body>('POST', '/platformapi/connections', {
    body: { organization_code: 'DEMO', connector: 'threat-intelligence', instance_name, settings, credentials, ...more },
  });
const update = async (id: string, body: object) => {
  const reply = await service.request<Connection>('PATCH', `/platformapi/connections/${id}`, { body });
  expect(reply.status).toBe(200);
  return reply.body.secret_expires_on;
};

it('is stored with a connection, changed, cleared, and forgotten with new credentials', async () => {
  const day = inDays(40);
  const { status, body } = await create('Dated', { secret_expires_on: day });
  expect({ status, day: body.secret_expires_on }).toEqual({ status: 201, day });
  const id = body.connection_id;
  expect(await update(id, { description: 'another' })).toBe(day);
  expect(await update(id, { secret_expires_on: inDays(1) })).toBe(inDays(1));
  expect(await update(id, { secret_expires_on: null })).toBeNull();
  expect(await update(id, { secret_expires_on: day })).toBe(day);
  expect(await update(id, { credentials })).toBeNull();
  expect(await update(id, { credentials, secret_expires_on: day })).toBe(day);
  await changeConnections(service, { connectionUuid: id }, { secretExpiresOn: inDays(-5) });
  expect(await update(id, { description: 'still expired' })).toBe(inDays(-5));
});

it('is replaced or forgotten by a reconnect with a new secret', async () => {
  const { body } = await create('Reconnected', { secret_expires_on: inDays(3) });
  const reconnect = async (more: object) => {
    const { generation } = await read();
    // Without a worker the test does not end, so the reply does not come: the credentials are stored before it.
    const ended = new AbortController();
    const url = `${service.url}/platformapi/connections/${body.connection_id}/reconnect`;
    const headers = { cookie: `Session=${service.adminKey}`, 'content-type': 'application/json' };
    const sent = fetch(url, { method: 'POST', headers, body: JSON.stringify({ credentials, ...more }), signal: ended.signal });
    await waitFor('the new credentials', async () => (await read()).generation > generation);
    ended.abort();
    await sent.catch(() => {});
    return (await read()).secret_expires_on;
  };
  const read = async () => (await service.request<Connection>('GET', `/platformapi/connections/${body.connection_id}`)).body;
  expect(await reconnect({ secret_expires_on: inDays(90) })).toBe(inDays(90));
  expect(await reconnect({})).toBeNull();
});

it('is refused if it is in the past or no day', async () => {
  const { body: connection } = await create('Kept', { secret_expires_on: inDays(9) });
  for (const [day, words] of [
    [inDays(-1), 'is in the past'],
    ['next spring', 'date'],
  ] as const) {
    const paths = [
      await create<ProblemBody>('Never created', { secret_expires_on: day }),
      await service.request<ProblemBody>('PATCH', `/platformapi/connections/${connection.connection_id}`, {
        body: { secret_expires_on: day },
      }),
      await service.request<ProblemBody>('POST', `/platformapi/connections/${connection.connection_id}/reconnect`, {
        body: { credentials, secret_expires_on: day },
      }),
    ];
    for (const { status, body } of paths)
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: [{ pointer: '#/secret_expires_on', detail: expect.stringContaining(words) }],
      });
  }
});

it('puts connections of the organization on the overview 30 days before', async () => {
  await createOrganization(service, 'SOUTH');
  for (const [name, days, code] of [
    ['Expires last', 30, 'SOUTH'],
    ['Expires first', 2, 'SOUTH'],
    ['Not yet', 31, 'SOUTH'],
    ['Of others', 1, 'DEMO'],
  ] as const)
    await create(name, { organization_code: code, secret_expires_on: inDays(days) });
  const { body: expired } = await create('Expired', { organization_code: 'SOUTH' });
  await changeConnections(service, { connectionUuid: expired.connection_id }, { secretExpiresOn: inDays(-3) });
  const { api_key: key } = await service.createKey('analyst', 'SOUTH');
  const { body } = await service.request<Overview>('GET', '/platformapi/overview', { key });
  expect(body.expiring_secrets.map(({ instance_name, secret_expires_on }) => [instance_name, secret_expires_on])).toEqual([
    ['Expired', inDays(-3)],
    ['Expires first', inDays(2)],
    ['Expires last', inDays(30)],
  ]);
  expect(body.expiring_secrets[0]).toMatchObject({ organization_code: 'SOUTH', connector: 'threat-intelligence' });
});
