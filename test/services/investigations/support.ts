import type { Fault } from '../../../connectors/kit/stand-in/stand-in.js';
import type { AlertDetail, QuestionUnderWay } from '../../../services/alerts/wire.js';
import { waitFor } from '../../support/service.js';
import { createConnection, startWithThirdParties } from '../../support/with-third-parties.js';

export type PendingKit = Awaited<ReturnType<typeof startPendingKit>>;

/** Starts a service with a connection to the intelligence platform, whose calls can be held up. */
export async function startPendingKit() {
  const { service, stop, thirdParties } = await startWithThirdParties();
  const intelligence = thirdParties.standIns.threatIntelligence;
  const fields = { instance_name: 'Intelligence', ...thirdParties.connections.threatIntelligence };
  const connectionId = await createConnection(service, fields);
  const read = async (alertId: string) => (await service.request<AlertDetail>('GET', `/platformapi/alerts/${alertId}`)).body;
  return {
    service,
    intelligence,
    connectionId,
    stop,
    read,
    /** Waits until a pending call of the alert waits for this, and returns it. */
    waitForPendingCall: (alertId: string, waitsFor: QuestionUnderWay['waits_for']): Promise<QuestionUnderWay> =>
      waitFor(`${alertId} to wait for ${waitsFor}`, async () =>
        (await read(alertId)).under_way?.find((question) => question.waits_for === waitsFor),
      ),
    injectFault(fault: Fault): void {
      intelligence.faults.next({ match: ({ url }) => url.startsWith('/v2/'), ...fault });
    },
    async reset(): Promise<void> {
      intelligence.faults.clear();
      await service.forgetAnswers();
    },
  };
}
