import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProposalActivities, type ProposalDeps } from '../../../activities/response/proposals.js';
import { catalogue } from '../../../connectors/catalogue.js';
import { investigate } from '../../api/support/records.js';
import { startTestService, type TestService } from '../../support/service.js';
import { idleContext } from '../../support/service-context.js';
import { unreachableEndpoints } from '../../support/unreachable-endpoints.js';
import { createConnection } from '../../support/with-third-parties.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

it('names the case that has the same proposal, also for runs of earlier builds', async () => {
  const connectionId = await createConnection(service, unreachableEndpoints('Endpoints'));
  const deps = { ...idleContext(service), proposalCheckSeconds: 60, reconnectWaitSeconds: 60 } as unknown as ProposalDeps;
  const { propose } = createProposalActivities({ catalogue, implementations: {} }, deps);
  const write = { connector: 'endpointDetection', verb: 'isolateMachine', input: { machine_id: 'm1' }, reason: 'It calls home.' };
  const draft = { ...write, investigationNo: 1, connectionId, assets: null, releaseAfterHours: null };
  const [first, second] = [await service.sendAlert(), await service.sendAlert()];
  const caseId = await investigate(service, first);
  expect(await propose({ ...draft, alertId: first.alert_id })).toMatchObject({ existingCaseId: null, standsIn: null });
  expect(await propose({ ...draft, alertId: second.alert_id })).toMatchObject({ existingCaseId: caseId, standsIn: caseId });
});
