import { describe, expect, it, onTestFinished } from 'vitest';
import { changeConnections } from '../support/rows.js';
import { startTestService, waitFor } from '../support/service.js';
import { createConnection } from '../support/with-third-parties.js';
import { connectionId, ENRICHING, intelligence, readConnection, service, setUpConnections, started } from './support/connections.js';

setUpConnections();

describe('a connection that stays broken', () => {
  it('leaves a gap after the wait limit, and the investigation continues', async () => {
    const impatient = await startTestService({ env: { ...started.egress, RECONNECT_WAIT_SECONDS: '2' } });
    onTestFinished(() => impatient.stop());
    const { connector, settings } = started.thirdParties.connections.threatIntelligence;
    await createConnection(impatient, { instance_name: 'Wrong', connector, settings, credentials: { api_key: 'never right' } });
    const { alert_id: alertId } = await impatient.sendAlert({ alert_type: ENRICHING });
    await impatient.waitForStatus(alertId, 15);
    const { evidence, waiting_on: waitingOn, verdict } = await impatient.readCase(alertId);
    expect(evidence.map((entry) => entry.kind)).toEqual(['gap', 'gap']);
    expect(waitingOn).toEqual([]);
    expect(verdict).toBe('inconclusive');
  });
});

describe('a throttled third party', () => {
  it('receives no calls for a period after five consecutive failures, then calls resume', async () => {
    await changeConnections(service, { connectionUuid: connectionId }, { failuresInARow: 4 });
    intelligence.faults.next({ status: 500, body: 'down' });
    const { alert_id: alertId } = await service.sendAlert({ alert_type: ENRICHING });
    const resting = await waitFor('the pause to begin', async () => (await readConnection()).blocked_until);
    expect(resting).toBeGreaterThan(Date.now() / 1000 + 5);
    const before = intelligence.requests.length;
    const other = await service.sendAlert({ alert_type: ENRICHING });
    await waitFor('the second investigation to wait', async () => (await countTimers(other.alert_id)) > 0);
    expect(intelligence.requests.length).toBe(before);
    await service.waitForStatus(alertId, 15);
    await service.waitForStatus(other.alert_id, 15);
    const [row] = await service.database.pg<
      { failures: number }[]
    >`select failures_in_a_row as failures from connections where connection_uuid = ${connectionId}`;
    expect(row?.failures).toBe(0);
  });
});

async function countTimers(workflowId: string): Promise<number> {
  // The workflow may not have started yet.
  const { events } = await service.temporal.workflow
    .getHandle(workflowId)
    .fetchHistory()
    .catch(() => ({ events: [] }));
  return events?.filter((event) => event.timerStartedEventAttributes).length ?? 0;
}
