import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createConfirmedAgent } from '../../support/agents.js';
import { waitFor } from '../../support/service.js';
import { unreachableEndpoints } from '../../support/unreachable-endpoints.js';
import { createConnection } from '../../support/with-third-parties.js';
import { type PendingKit, startPendingKit } from './support.js';

const ALERT = { alert_type: 'Testbed enriching', alert_content: 'user=dana from 203.0.113.66 in-confidence' };
let kit: PendingKit;
let injectFault: PendingKit['injectFault'];
let read: PendingKit['read'];
let service: PendingKit['service'];
let waitForPendingCall: PendingKit['waitForPendingCall'];

beforeAll(async () => {
  kit = await startPendingKit();
  ({ injectFault, read, service, waitForPendingCall } = kit);
});
afterEach(() => kit.reset());
afterAll(() => kit?.stop());

describe('a pending call', () => {
  it('shows a retry with only the error code', async () => {
    injectFault({ times: 2, status: 500, body: { message: 'in-confidence' } });
    const { alert_id: alertId } = await service.sendAlert(ALERT);
    const question = await waitForPendingCall(alertId, 'retry');
    expect(question).toMatchObject({ skill_id: 'Get Enrichment', connection: 'Intelligence', problem: 'Unavailable' });
    expect(question.attempt).toBeGreaterThan(1);
    expect(question.until).toBeGreaterThanOrEqual(question.since);
    expect(JSON.stringify(question)).not.toContain('in-confidence');
    await service.waitForStatus(alertId, 15);
  });

  it('shows the rate limit of the third party and its end', async () => {
    injectFault({ status: 429, headers: { 'retry-after': '4' }, body: { message: 'in-confidence' } });
    const { alert_id: alertId } = await service.sendAlert(ALERT);
    const question = await waitForPendingCall(alertId, 'rate-limit');
    expect(question).toMatchObject({ skill_id: 'Get Enrichment', connection: 'Intelligence', attempt: 1, problem: 'RateLimited' });
    expect((question.until ?? 0) - question.since).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify(question)).not.toContain('in-confidence');
    await waitFor(
      'the call to be retried',
      async () => !(await read(alertId)).under_way?.some(({ waits_for }) => waits_for === 'rate-limit'),
    );
    await service.waitForStatus(alertId, 15);
  });

  it('waits for its remote agent', async () => {
    const agent = await createConfirmedAgent(service, 'plant');
    await createConnection(service, {
      ...unreachableEndpoints('Plant endpoints'),
      remote_agent: agent.agent_id,
    });
    const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed proposing', alert_content: 'a'.repeat(40) });
    expect(await waitForPendingCall(alertId, 'remote-agent')).toMatchObject({
      connection: 'Plant endpoints',
      attempt: 1,
      until: null,
      problem: null,
    });
  });
});
