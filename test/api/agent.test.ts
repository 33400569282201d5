import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../db/ids.js';
import { STEP_REPORT_BYTES } from '../../domain/connection/remote-agent.js';
import type { RemoteAgent } from '../../services/agents/wire.js';
import { startTestService, type TestService } from '../support/service.js';
import { announce, readAllPages, send } from './support/http.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const create = (name: string) =>
  service.request<RemoteAgent & { token: string }>('POST', '/platformapi/remote-agents', { body: { organization_code: 'DEMO', name } });

function callAs(token: string | null, path: string, body: unknown = { version: '9.9.9' }) {
  return send(`${service.url}/agentapi${path}`, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
  });
}

function announceReport(token: string, bytes: number) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return announce(`${service.url}/agentapi/steps/${newUuid()}/report`, headers, bytes);
}

describe('the agent API', () => {
  const step = `/steps/${newUuid()}`;
  const report = { outcome: 'ok', claim: '1', output: {}, duration_ms: 1 };

  it('returns 401 for a token that is unknown, revoked or missing, and for an API key', async () => {
    const { body } = await create('revoked');
    await service.request('DELETE', `/platformapi/remote-agents/${body.agent_id}`);
    for (const token of [null, 'agent_', `agent_${'x'.repeat(43)}`, service.adminKey, body.token]) {
      for (const [path, given] of [
        ['/claim', { version: '1' }],
        [`${step}/heartbeat`, { claim: '1' }],
        [`${step}/report`, report],
      ] as const) {
        const reply = await callAs(token, path, given);
        expect(reply.status).toBe(401);
        expect(JSON.parse(reply.text)).toMatchObject({
          status: 401,
          detail: 'The agent token is unknown or revoked. Create a new remote agent.',
        });
      }
    }
    const byCookie = await service.request('POST', '/agentapi/claim', { body: { version: '1' } });
    expect(byCookie.status).toBe(401);
    expect(
      (await readAllPages<RemoteAgent>(service, '/platformapi/remote-agents', { limit: 50 })).find(
        ({ agent_id }) => agent_id === body.agent_id,
      )?.last_seen_at,
    ).toBeNull();
  });

  it('is not part of the OpenAPI document', async () => {
    const { body } = await service.request<{ paths: Record<string, unknown> }>('GET', '/openapi.json', { key: null });
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/agentapi'))).toEqual([]);
  });

  it('returns 422 for an invalid body and 404 for a step that the agent has not claimed', async () => {
    const { body } = await create('caller');
    expect((await callAs(body.token, '/claim', { version: '' })).status).toBe(422);
    expect((await callAs(body.token, `${step}/heartbeat`, { claim: '1' })).status).toBe(404);
    expect((await callAs(body.token, `${step}/report`, report)).status).toBe(404);
    expect((await callAs(body.token, `${step}/report`, { ...report, claim: 'x' })).status).toBe(422);
    expect((await callAs(body.token, `${step}/report`, { outcome: 'failed', claim: '1' })).status).toBe(422);
  });

  it('returns 413 for a report that is too large, before the agent sends it', async () => {
    const { token } = (await create('talkative')).body;
    const { refused, leave } = announceReport(token, STEP_REPORT_BYTES + 1);
    expect(await refused).toMatchObject({ status: 413 });
    leave();
  });

  it.each([
    ['one agent', 1, 3, 429],
    ['all agents', 3, 2, 503],
  ])('bounds the large reports that it reads at the same time for %s', async (_, agents, each, status) => {
    const tokens = await Promise.all(Array.from({ length: agents }, async (__, n) => (await create(`flood ${status} ${n}`)).body.token));
    const announced = tokens.flatMap((token) => Array.from({ length: each }, () => announceReport(token, STEP_REPORT_BYTES)));
    expect(await Promise.race(announced.map(({ refused }) => refused))).toEqual({ status, retryAfter: expect.stringMatching(/^\d$/) });
    // A small report always has a place.
    expect((await callAs(tokens[0] ?? '', `${step}/report`, report)).status).toBe(404);
    for (const { leave } of announced) leave();
  });
});
