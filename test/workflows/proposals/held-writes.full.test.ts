import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { waitFor } from '../../support/service.js';
import { isIsolate, type ProposalKit, startProposalKit } from './support.js';

const [DANA_PC, RUI_PC] = COMPUTERS;
let kit: ProposalKit;

beforeAll(async () => {
  kit = await startProposalKit();
});
afterAll(() => kit?.stop());

describe('the rules of the organization', () => {
  it('allow the refusal of a held proposal', async () => {
    const { proposal } = await kit.investigated(DANA_PC.machineId);
    const before = kit.actionsOn(DANA_PC.machineId, 'Isolate').length;
    await kit.stopWrites();
    await kit.decide(proposal.proposal_id, 'approve', {});
    await waitFor('the proposal to be held', async () => (await kit.read(proposal.proposal_id)).held_because);
    expect(await kit.decide(proposal.proposal_id, 'refuse', { reason: 'No longer.' })).toMatchObject({ status: 200 });
    await waitFor('its run to end', async () => (await kit.readStatus(proposal.proposal_id)) === 'COMPLETED');
    await kit.resumeWrites();
    expect(kit.actionsOn(DANA_PC.machineId, 'Isolate')).toHaveLength(before);
  });

  it('apply again to a held manual write after writes resume', async () => {
    const key = (await kit.service.createPerson('analyst')).api_key;
    const before = kit.actionsOn(RUI_PC.machineId, 'RunAntiVirusScan').length;
    await kit.stopWrites();
    const byHand = await kit.run('run-antivirus-scan', RUI_PC.machineId);
    await waitFor('the run to be held', async () => (await kit.readRun(byHand.body.run_id)).problem?.code === 'WritesHeld');
    await kit.protect('host', RUI_PC.dnsName);
    await kit.resumeWrites();
    const proposed = await waitFor('the run to need a second person', async () => {
      const run = await kit.readRun(byHand.body.run_id);
      return run.state !== 'running' && run;
    });
    expect(proposed).toMatchObject({ state: 'proposed', problem: { code: 'SecondPersonNeeded' } });
    expect(kit.actionsOn(RUI_PC.machineId, 'RunAntiVirusScan')).toHaveLength(before);
    expect(await kit.decideRun(byHand.body.run_id, true)).toMatchObject({ status: 409 });
    expect(await kit.decide(byHand.body.run_id, 'approve', {})).toMatchObject({ status: 409 });
    expect(await kit.decideRun(byHand.body.run_id, true, key)).toMatchObject({ status: 200, body: { state: 'done' } });
    expect(kit.actionsOn(RUI_PC.machineId, 'RunAntiVirusScan')).toHaveLength(before + 1);
  });

  it('hold a manual write if its connection requires a second person meanwhile', async () => {
    const before = kit.actionsOn(DANA_PC.machineId, 'RunAntiVirusScan').length;
    await kit.stopWrites();
    const byHand = await kit.run('run-antivirus-scan', DANA_PC.machineId);
    await waitFor('the run to be held', async () => (await kit.readRun(byHand.body.run_id)).problem?.code === 'WritesHeld');
    await kit.demandSecondPerson(true);
    onTestFinished(async () => void (await kit.demandSecondPerson(false)));
    await kit.resumeWrites();
    await waitFor('the run to need a second person', async () => (await kit.readRun(byHand.body.run_id)).state === 'proposed');
    expect(await kit.decideRun(byHand.body.run_id, false)).toMatchObject({ status: 200, body: { state: 'refused' } });
    expect(kit.actionsOn(DANA_PC.machineId, 'RunAntiVirusScan')).toHaveLength(before);
  });

  it('apply to a write that waits for a rate limit, not only to a held one', async () => {
    const { proposal } = await kit.investigated(`${RUI_PC.machineId} rate limit`);
    const before = kit.actionsOn(RUI_PC.machineId, 'Isolate').length;
    // The write waits after its proposal began.
    kit.endpoints.faults.next({ match: isIsolate, status: 429, headers: { 'retry-after': '3' }, body: {} });
    await kit.decide(proposal.proposal_id, 'approve', {});
    await waitFor(
      'the first try',
      async () => (await kit.service.database.pg`select from connections where blocked_until > now()`).length > 0,
    );
    await kit.protect('host', RUI_PC.dnsName);
    expect(await kit.reach(proposal.proposal_id, 'waiting', 'done')).toMatchObject({ state: 'waiting', approvals_needed: 2 });
    expect(kit.actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before);
    await kit.decide(proposal.proposal_id, 'refuse', { reason: 'Enough.' });
  });

  it('allow the withdrawal of a held manual write, also by the person who requested it', async () => {
    const before = kit.actionsOn(DANA_PC.machineId, 'RunAntiVirusScan').length;
    await kit.stopWrites();
    const byHand = await kit.run('run-antivirus-scan', DANA_PC.machineId);
    await waitFor('the run to be held', async () => (await kit.readRun(byHand.body.run_id)).problem?.code === 'WritesHeld');
    expect(await kit.decideRun(byHand.body.run_id, true)).toMatchObject({ status: 409 });
    expect(await kit.decideRun(byHand.body.run_id, false)).toMatchObject({ status: 200, body: { state: 'refused' } });
    await waitFor('its workflow to end', async () => (await kit.readStatus(byHand.body.run_id)) === 'COMPLETED');
    await kit.resumeWrites();
    expect(await kit.readRun(byHand.body.run_id)).toMatchObject({ state: 'refused' });
    expect(kit.actionsOn(DANA_PC.machineId, 'RunAntiVirusScan')).toHaveLength(before);
  });
});
