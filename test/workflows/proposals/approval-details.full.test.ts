import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { proposalWorkflowId } from '../../../domain/response/proposal.js';
import { ago, changeProposals } from '../../support/rows.js';
import { waitFor } from '../../support/service.js';
import { type ProposalKit, startProposalKit } from './support.js';

const [, RUI_PC, , INES_MAC] = COMPUTERS;
let kit: ProposalKit;
let second: string;

beforeAll(async () => {
  kit = await startProposalKit();
  second = (await kit.service.createPerson('analyst')).api_key;
});
afterAll(() => kit?.stop());

describe('an isolation', () => {
  it('is not undone after an analyst reconfirms it', async () => {
    const { alertId, proposal } = await kit.investigated(INES_MAC.machineId);
    expect(await kit.decide(proposal.proposal_id, 'reconfirm', { hours: 1, reason: 'Too early.' })).toMatchObject({ status: 409 });
    await kit.decide(proposal.proposal_id, 'approve', { release_after_hours: 2 });
    await kit.reach(proposal.proposal_id, 'done');
    const undo = async () => (await kit.listProposals(alertId)).find(({ undo_of }) => undo_of !== null) ?? expect.fail('there is no undo');
    expect((await undo()).run_at).toBeLessThan(Date.now() / 1000 + 2 * 3600 + 60);
    expect(await kit.decide(proposal.proposal_id, 'reconfirm', { hours: 48, reason: 'Longer.' })).toMatchObject({ status: 200 });
    expect((await undo()).run_at).toBeGreaterThan(Date.now() / 1000 + 47 * 3600);
    expect(await kit.readStartDelay((await undo()).proposal_id)).toBeGreaterThan(47 * 3600);
    expect(await kit.decide(proposal.proposal_id, 'reconfirm', { hours: null, reason: 'For good.' }, second)).toMatchObject({
      status: 200,
    });
    const { proposal_id: undoId } = await undo();
    expect(await kit.read(undoId)).toMatchObject({ state: 'withdrawn', outcome: 'For good.' });
    // The run finds the reconfirmation when it is due.
    await kit.lose(undoId);
    const late = {
      args: [{ proposalId: undoId }],
      workflowId: proposalWorkflowId(undoId),
      taskQueue: kit.service.settings.TEMPORAL_TASK_QUEUE,
    };
    expect(await kit.service.temporal.workflow.execute('proposal', late)).toMatchObject({ state: 'withdrawn' });
    expect(kit.actionsOn(INES_MAC.machineId, 'Unisolate')).toEqual([]);
    expect(await kit.decide(proposal.proposal_id, 'reconfirm', { hours: 1, reason: 'Again.' })).toMatchObject({ status: 409 });
  });

  it('fails without an undo when the action fails at the third party', async () => {
    kit.endpoints.state.actionSeconds = 600;
    onTestFinished(() => {
      kit.endpoints.state.actionSeconds = 1;
    });
    const { alertId, proposal } = await kit.investigated(RUI_PC.machineId);
    await kit.decide(proposal.proposal_id, 'approve', {});
    const action = await waitFor('the action', async () => kit.actionsOn(RUI_PC.machineId, 'Isolate')[0]);
    expect(await kit.read(proposal.proposal_id)).toMatchObject({ state: 'running' });
    expect(await kit.decide(proposal.proposal_id, 'refuse', { reason: 'Too late.' })).toMatchObject({ status: 409 });
    action.status = 'Failed';
    expect(await kit.reach(proposal.proposal_id, 'failed')).toMatchObject({ outcome: 'The third party reported the status Failed.' });
    expect(await kit.listProposals(alertId)).toHaveLength(1);
    expect(await kit.readTimeline(alertId)).toContain('action: Isolate machine failed: The third party reported the status Failed.');
    const again = await kit.proposedAgain(alertId);
    expect(again.reason).toBe('The test wants it. An earlier try failed: The third party reported the status Failed.');
    await kit.decide(again.proposal_id, 'refuse', { reason: 'Leave it.' });
  });
});

describe('a proposal without approval', () => {
  it('expires, and the next investigation proposes it again', async () => {
    const { alertId, proposal } = await kit.investigated(RUI_PC.machineId);
    await changeProposals(kit.service, { proposalUuid: proposal.proposal_id }, { expiresAt: ago({ seconds: 1 }) });
    expect(await kit.decide(proposal.proposal_id, 'approve', {})).toMatchObject({ status: 409 });
    await kit.signal(proposal.proposal_id);
    await kit.reach(proposal.proposal_id, 'expired');
    expect(await kit.readTimeline(alertId)).toContain('decided: Isolate machine expired without approval and was not sent');
    const again = await kit.reinvestigated(alertId);
    expect(again.map(({ state }) => state).sort()).toEqual(['expired', 'waiting']);
    await Promise.all(
      again.filter(({ state }) => state === 'waiting').map((each) => kit.decide(each.proposal_id, 'refuse', { reason: 'No.' })),
    );
  });

  it('is reused by a second investigation while it waits', async () => {
    const { alertId, proposal } = await kit.investigated(RUI_PC.machineId);
    expect(await kit.reinvestigated(alertId)).toMatchObject([{ proposal_id: proposal.proposal_id, state: 'waiting' }]);
    await kit.proposalHandle(proposal.proposal_id).cancel();
    expect(await kit.reach(proposal.proposal_id, 'failed')).toMatchObject({ outcome: 'Cancelled in Temporal.' });
  });
});

describe('two approvers', () => {
  it('are required if the asset becomes protected after the proposal or the approval', async () => {
    const { proposal } = await kit.investigated(RUI_PC.machineId);
    await kit.stopWrites();
    await kit.decide(proposal.proposal_id, 'approve', {});
    await waitFor('the proposal to be held', async () => (await kit.read(proposal.proposal_id)).held_because);
    await kit.protect('user', 'HARBOUR-REED\\Rui.Matos');
    const before = kit.actionsOn(RUI_PC.machineId, 'Isolate').length;
    await kit.resumeWrites();
    expect(await kit.reach(proposal.proposal_id, 'waiting')).toMatchObject({ approvals_needed: 2, held_because: null });
    expect(kit.actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before);
    await kit.decide(proposal.proposal_id, 'approve', {}, second);
    await kit.reach(proposal.proposal_id, 'done');
  });
});
