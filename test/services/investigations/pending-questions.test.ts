import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../../api/server.js';
import { changeAlerts } from '../../support/rows.js';
import { log } from '../../support/service.js';
import { type PendingKit, startPendingKit } from './support.js';

const ALERT = { alert_type: 'Testbed enriching', alert_content: 'user=dana from 203.0.113.66 in-confidence' };
let kit: PendingKit;
let connectionId: PendingKit['connectionId'];
let injectFault: PendingKit['injectFault'];
let intelligence: PendingKit['intelligence'];
let read: PendingKit['read'];
let service: PendingKit['service'];
let waitForPendingCall: PendingKit['waitForPendingCall'];

beforeAll(async () => {
  kit = await startPendingKit();
  ({ connectionId, injectFault, intelligence, read, service, waitForPendingCall } = kit);
});
afterEach(() => kit.reset());
afterAll(() => kit?.stop());

describe('a pending call', () => {
  it('is shown without its input while the third party responds, and removed afterwards', async () => {
    injectFault({ latencyMs: 6_000 });
    const { alert_id: alertId, created_at: createdAt } = await service.sendAlert(ALERT);
    const question = await waitForPendingCall(alertId, 'answer');
    expect(question).toEqual({
      skill_id: 'Get Enrichment',
      skill_key: 'threatIntelligence.getEnrichment',
      connection: 'Intelligence',
      since: expect.any(Number),
      attempt: 1,
      waits_for: 'answer',
      until: null,
      problem: null,
    });
    expect(question.since).toBeGreaterThanOrEqual(createdAt);
    await service.waitForStatus(alertId, 15);
    expect((await read(alertId)).under_way).toEqual([]);
  });

  it('waits for new credentials', async () => {
    intelligence.state.apiKey = 'another-key';
    const { alert_id: alertId } = await service.sendAlert(ALERT);
    expect(await waitForPendingCall(alertId, 'reconnect')).toMatchObject({
      skill_id: 'Get Enrichment',
      connection: 'Intelligence',
      until: expect.any(Number),
      problem: 'CredentialsRejected',
    });
    intelligence.state.apiKey = 'intelligence-key';
    await service.request('POST', `/platformapi/connections/${connectionId}/test`, { body: {} });
    await service.waitForStatus(alertId, 15);
  });

  it('is null while Temporal is down, and the alert is still returned', async () => {
    const alert = await service.sendAlert(ALERT);
    await service.waitForStatus(alert.alert_id, 15);
    await changeAlerts(service, { alertId: alert.alert_id }, { investigationStatus: 10 });
    const apiWithoutTemporal = await startApi({ settings: { ...service.settings, TEMPORAL_ADDRESS: '127.0.0.1:1' }, log });
    onTestFinished(() => apiWithoutTemporal.close());
    const reply = await fetch(`${apiWithoutTemporal.url}/platformapi/alerts/${alert.alert_id}`, {
      headers: { cookie: `Session=${service.adminKey}` },
    });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ alert_id: alert.alert_id, under_way: null });
    expect((await read(alert.alert_id)).under_way).toEqual([]);
  });
});
