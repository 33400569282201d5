import { expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { replayAll, startWorkerProcess, waitFor } from '../../support/service.js';
import { isIsolate, startProposalKit } from './support.js';

it('an approved isolation runs once although a worker is killed', { timeout: 300_000 }, async () => {
  const kit = await startProposalKit();
  onTestFinished(() => kit.stop());
  const [{ machineId }] = COMPUTERS;
  const { alertId, proposal } = await kit.investigated(machineId);
  await kit.service.stopWorker();
  const child = startWorkerProcess(kit.service.settings);
  onTestFinished(() => void child.kill('SIGKILL'));
  kit.endpoints.faults.next({ match: isIsolate, performed: true, drip: true });
  expect(await kit.decide(proposal.proposal_id, 'approve', { reason: 'Go.' })).toMatchObject({ status: 200 });
  await waitFor('the third party to perform it', async () => kit.actionsOn(machineId, 'Isolate').length > 0);
  child.kill('SIGKILL');
  await kit.service.startWorker();
  expect(await kit.reach(proposal.proposal_id, 'done', 'failed')).toMatchObject({ state: 'done', outcome: 'Isolate machine: Succeeded' });
  expect(kit.actionsOn(machineId, 'Isolate')).toHaveLength(1);
  expect(kit.endpoints.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/isolate'))).toHaveLength(1);
  expect((await kit.listProposals(alertId)).filter(({ undo_of }) => undo_of === proposal.proposal_id)).toHaveLength(1);
  expect(await replayAll(kit.service)).toBeGreaterThan(0);
});
