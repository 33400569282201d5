import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RetentionRule } from '../../domain/organization/retention.js';
import type { Retention } from '../../services/retention/wire.js';
import { startTestService, type TestService } from '../support/service.js';

const PATH = '/platformapi/organizations/DEMO/retention';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const keep = (rules: Partial<RetentionRule>[]) => service.request<Retention>('PUT', PATH, { body: { rules } });

describe('the rules', () => {
  it('keep everything by default, and are validated', async () => {
    expect((await service.request('GET', PATH)).body).toEqual({ organization_code: 'DEMO', rules: [], legal_hold: null });
    const refused = async (rules: unknown) => (await service.request('PUT', PATH, { body: { rules } })).body;
    expect(await refused([{ kind: 'mail', days: 5 }])).toMatchObject({ status: 422, errors: [{ pointer: '#/rules/0/kind' }] });
    expect(await refused([{ kind: 'alerts', days: 0 }])).toMatchObject({ status: 422, errors: [{ pointer: '#/rules/0/days' }] });
    expect(await refused([{ kind: 'audit', days: 30 }])).toMatchObject({ status: 422, errors: [{ pointer: '#/rules/0/days' }] });
    expect(await refused([{ kind: 'answers', severity: 'high', days: 30 }])).toMatchObject({
      status: 422,
      errors: [{ pointer: '#/rules/0/severity' }],
    });
    const twice = { kind: 'answers', days: 30 };
    expect(await refused([twice, twice])).toMatchObject({ status: 422, errors: [{ pointer: '#/rules' }] });
    expect((await service.request('GET', '/platformapi/organizations/NOWHERE/retention')).status).toBe(404);
  });

  it('are replaced as a whole, with an audit entry', async () => {
    const rules = [
      { kind: 'alerts', severity: null, days: 30 },
      { kind: 'alerts', severity: 'critical', days: 300 },
    ] as const;
    expect((await keep([...rules])).body.rules).toEqual(rules);
    expect((await keep([])).body.rules).toEqual([]);
    const { body } = await service.request<{ items: { details: unknown }[] }>('GET', '/platformapi/audit?action=retention.update');
    expect(body.items.map(({ details }) => details)).toEqual([{ rules: [] }, { rules }]);
  });
});
