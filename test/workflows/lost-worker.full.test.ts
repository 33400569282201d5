import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { INDICATORS } from '../../connectors/kit/stand-in/company.js';
import { startWorkerProcess, waitFor } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

/** The type of a timeout in the API of Temporal. */
const HEARTBEAT_TIMEOUT = 4;

let started: WithThirdParties;
beforeAll(async () => {
  started = await startWithThirdParties({ worker: false });
});
afterAll(() => started?.stop());

it('a question is asked again soon after its worker was killed, not after its time limit', async () => {
  const { service, thirdParties } = started;
  const { threatIntelligence: intelligence } = thirdParties.standIns;
  await createConnection(service, { instance_name: 'Intelligence', ...thirdParties.connections.threatIntelligence });
  const isQuestion = ({ url }: { url: string }) => url.startsWith('/v2/ip');
  intelligence.faults.next({ match: isQuestion, drip: true });

  const first = startWorkerProcess(service.settings);
  onTestFinished(() => void first.kill('SIGKILL'));
  const { alert_id } = await service.sendAlert({ alert_type: 'Beacon of a kiosk', alert_content: `destination ${INDICATORS.maliciousIp}` });
  await waitFor('the question', async () => intelligence.requests.some(isQuestion));
  first.kill('SIGKILL');
  const second = startWorkerProcess(service.settings);
  onTestFinished(() => void second.kill('SIGKILL'));

  await service.waitForStatus(alert_id, 15);
  expect(intelligence.requests.filter(isQuestion)).toHaveLength(2);
  const { events } = await service.temporal.workflow.getHandle(alert_id).fetchHistory();
  const failures = events?.flatMap(({ activityTaskStartedEventAttributes: begun }) => begun?.lastFailure?.timeoutFailureInfo ?? []);
  expect(failures?.map(({ timeoutType }) => timeoutType)).toContain(HEARTBEAT_TIMEOUT);
});
