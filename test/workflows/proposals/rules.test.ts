import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { replayAll, waitFor } from '../../support/service.js';
import { isIsolate, type ProposalKit, startProposalKit } from './support.js';

const [DANA_PC, RUI_PC, FILE_SERVER] = COMPUTERS;
let kit: ProposalKit;

beforeAll(async () => {
  kit = await startProposalKit();
});
afterAll(() => kit?.stop());

describe('a failed proposal', () => {
  it('that provably had no effect is proposed again, with the failure in its reason, and sent', async () => {
    const { alertId, proposal } = await kit.investigated(RUI_PC.machineId);
    const before = kit.actionsOn(RUI_PC.machineId, 'Isolate').length;
    kit.endpoints.faults.next({ match: isIsolate, status: 400, body: { error: { code: 'Odd', message: 'Not like this.' } } });
    await kit.decide(proposal.proposal_id, 'approve', {});
    const { outcome } = await kit.reach(proposal.proposal_id, 'failed');
    expect(outcome).toContain('Not like this.');
    const again = await kit.proposedAgain(alertId);
    expect(again.reason).toBe(`The test wants it. An earlier try failed: ${outcome}`);
    expect((await kit.findNote(alertId))?.reason).toBe(`${again.reason} Needs approval.`);
    await kit.decide(again.proposal_id, 'approve', {});
    await kit.reach(again.proposal_id, 'done');
    expect(kit.actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before + 1);
  });
});

describe('the same write for two alerts', () => {
  const alerted = async (content: string) => {
    const { alert_id: alertId } = await kit.service.sendAlert({ alert_type: 'Testbed proposing', alert_content: content });
    await kit.service.waitForStatus(alertId, 15);
    return { alertId, proposals: await kit.listProposals(alertId), note: (await kit.findNote(alertId))?.reason };
  };

  it('is one proposal when both investigations propose it at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => alerted(`${DANA_PC.machineId} together`)));
    expect(all.flatMap(({ proposals }) => proposals)).toHaveLength(1);
  });
});

describe('the rules of the organization', () => {
  it('hold every write while writes are stopped, including manual ones, and release each of them', async () => {
    const { proposal } = await kit.investigated(DANA_PC.machineId);
    const sent = () => kit.endpoints.requests.filter(({ method, url }) => method === 'POST' && !url.endsWith('/token')).length;
    const before = sent();
    expect(await kit.stopWrites()).toMatchObject({ status: 200, body: { stopped: true } });
    await kit.decide(proposal.proposal_id, 'approve', {});
    const held = await waitFor('the proposal to be held', async () => (await kit.read(proposal.proposal_id)).held_because);
    expect(held).toContain('Wait a moment.');
    const byHand = await kit.run('run-antivirus-scan', RUI_PC.machineId);
    expect(byHand).toMatchObject({ status: 202, body: { state: 'running', problem: { code: 'WritesHeld' } } });
    expect(await kit.read(proposal.proposal_id)).toMatchObject({ state: 'approved' });
    expect(sent()).toBe(before);
    expect(await kit.resumeWrites()).toMatchObject({ status: 200, body: { stopped: false } });
    await kit.reach(proposal.proposal_id, 'done');
    await waitFor('the manual run', async () => (await kit.readRun(byHand.body.run_id)).state === 'done');
    expect((await kit.readRun(byHand.body.run_id)).problem).toBeNull();
    expect(sent()).toBe(before + 2);
    const attempts = (await kit.listEvents(proposal.proposal_id)).flatMap(
      (event) => event.activityTaskStartedEventAttributes?.attempt ?? [],
    );
    expect(new Set(attempts)).toEqual(new Set([1]));
  });
});

it('the isolation of a server waits for a second person by default, and that of a workstation does not', async () => {
  await kit.demandSecondPerson(null);
  onTestFinished(async () => void (await kit.demandSecondPerson(false)));
  const before = kit.actionsOn(FILE_SERVER.machineId, 'Isolate').length;
  const { body: run } = await kit.run('isolate-machine', FILE_SERVER.machineId);
  expect(await kit.reach(run.run_id, 'waiting')).toMatchObject({ approvals_needed: 2, caution: [expect.stringContaining('server')] });
  expect(kit.actionsOn(FILE_SERVER.machineId, 'Isolate')).toHaveLength(before);
  expect(await kit.run('isolate-machine', RUI_PC.machineId)).toMatchObject({ status: 200 });
  expect((await kit.decideRun(run.run_id, false)).status).toBe(200);
});

it('leaves histories that replay', async () => {
  expect(await replayAll(kit.service)).toBeGreaterThan(10);
});
