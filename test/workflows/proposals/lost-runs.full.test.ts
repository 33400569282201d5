import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { replayAll, waitFor } from '../../support/service.js';
import { isIsolate, type ProposalKit, startProposalKit } from './support.js';

const [, RUI_PC, , INES_MAC] = COMPUTERS;
let kit: ProposalKit;

beforeAll(async () => {
  kit = await startProposalKit();
});
afterAll(() => kit?.stop());

it('waits for a reconnect when its credentials are rejected', async () => {
  const { alertId, proposal } = await kit.investigated(INES_MAC.machineId);
  const before = kit.actionsOn(INES_MAC.machineId, 'Isolate').length;
  // The client retries a 401 once with a new token.
  kit.endpoints.faults.next({ match: isIsolate, status: 401, times: 2, body: {} });
  await kit.decide(proposal.proposal_id, 'approve', {});
  await waitFor('the proposal to wait', async () =>
    (await kit.service.readCase(alertId)).waiting_on.some(({ skill_id }) => skill_id === 'Isolate machine'),
  );
  expect(kit.actionsOn(INES_MAC.machineId, 'Isolate')).toHaveLength(before);
  expect(await kit.service.request('POST', `/platformapi/connections/${kit.connectionId}/test`)).toMatchObject({ body: { ok: true } });
  await kit.reach(proposal.proposal_id, 'done');
  expect(kit.actionsOn(INES_MAC.machineId, 'Isolate')).toHaveLength(before + 1);
});

describe('a lost run', () => {
  it('starts again with the decisions that were made in the meantime', async () => {
    // Not isolated before: a lost proposal looks older than an isolation of this file.
    const { proposal } = await kit.investigated(RUI_PC.machineId);
    await kit.lose(proposal.proposal_id);
    expect(await kit.decide(proposal.proposal_id, 'approve', {})).toMatchObject({ status: 200, body: { state: 'approved' } });
    await kit.reconcile();
    await kit.reach(proposal.proposal_id, 'done');
  });

  it('starts again with the approval of the second person', async () => {
    await kit.protect('host', INES_MAC.name);
    const asked = await kit.run('run-antivirus-scan', INES_MAC.machineId);
    expect(asked.body.state).toBe('proposed');
    // As if the API died between the decision and the signal.
    await kit.lose(asked.body.run_id);
    const { api_key: second } = await kit.service.createPerson('analyst');
    expect(await kit.decide(asked.body.run_id, 'approve', {}, second)).toMatchObject({ status: 200, body: { state: 'approved' } });
    await kit.reconcile();
    await waitFor('the run', async () => (await kit.readRun(asked.body.run_id)).state === 'done');
  });

  it('fails if a person terminated it', async () => {
    const { alertId, proposal } = await kit.investigated(INES_MAC.machineId);
    await kit.proposalHandle(proposal.proposal_id).terminate();
    await kit.age(proposal.proposal_id);
    await kit.reconcile();
    expect(await kit.read(proposal.proposal_id)).toMatchObject({ state: 'failed', outcome: 'The run ended in Temporal (terminated).' });
    expect(await kit.readTimeline(alertId)).toContainEqual(expect.stringContaining('The run ended in Temporal'));
  });
});

it('leaves histories that replay', async () => {
  expect(await replayAll(kit.service)).toBeGreaterThan(8);
});
