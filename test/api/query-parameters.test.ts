import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import type { ProblemBody } from './support/http.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const get = (path: string, key?: string | null) => service.request<ProblemBody>('GET', path, key === undefined ? {} : { key });

it('an unknown query parameter is refused with the closest name', async () => {
  const { status, body } = await get('/platformapi/cases?verdct=malicious&limit=1');
  const detail = 'verdct: is not a query parameter of this operation. Did you mean verdict?';
  expect({ ...body, status }).toMatchObject({ status: 422, detail, errors: [{ detail, parameter: 'verdct' }] });
  expect((await get('/platformapi/cases?verdict=malicious&limit=1')).status).toBe(200);
});

it('every operation refuses one, also those without parameters', async () => {
  const { body: document } = await service.request<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json');
  for (const [path, operations] of Object.entries(document.paths)) {
    if (!path.startsWith('/platformapi/')) continue;
    const address = `${path.replaceAll(/\{\w+\}/g, '0198b9a0-0000-7000-8000-000000000000')}?zzz_unknown=1&__proto__=1`;
    for (const method of Object.keys(operations)) {
      const { status, body } = await service.request<ProblemBody>(method.toUpperCase(), address);
      expect({ method, path, status, parameters: body.errors?.map(({ parameter }) => parameter) }).toEqual({
        method,
        path,
        status: 422,
        parameters: ['zzz_unknown', '__proto__'],
      });
    }
  }
});

it('a caller without access learns nothing about parameters, and a health check can send any', async () => {
  expect((await get('/platformapi/cases?verdct=malicious', null)).status).toBe(401);
  for (const path of ['/healthz?at=1', '/readyz?at=1', '/metrics?at=1', '/openapi.json?at=1'])
    expect((await get(path, null)).status).toBe(200);
});
