import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { proposalWorkflowId } from '../../../domain/response/proposal.js';
import { SEARCH_ATTRIBUTES } from '../../../domain/search-attributes.js';
import { changeProposals, fromNow } from '../../support/rows.js';
import { waitFor } from '../../support/service.js';
import { DONE_THERE, type ProposalKit, startProposalKit } from './support.js';

const [DANA_PC, RUI_PC, FILE_SERVER, INES_MAC] = COMPUTERS;
let kit: ProposalKit;
let second: string;

beforeAll(async () => {
  kit = await startProposalKit();
  second = (await kit.service.createPerson('analyst')).api_key;
});
afterAll(() => kit?.stop());

async function describeRun(proposalId: string) {
  const run = await kit.service.temporal.workflow.getHandle(proposalWorkflowId(proposalId)).describe();
  const given = run.typedSearchAttributes.getAll().filter(({ key }) => SEARCH_ATTRIBUTES.some((name) => name === key.name));
  return { summary: await run.staticSummary(), attributes: Object.fromEntries(given.map(({ key, value }) => [key.name, value])) };
}

describe('an isolation', () => {
  it('is proposed, approved, runs once, completes, and its timer undoes it', async () => {
    const { alertId, proposal } = await kit.investigated(DANA_PC.machineId);
    expect(proposal).toMatchObject({
      state: 'waiting',
      skill_id: 'Isolate machine',
      connector: 'endpoint-detection',
      reason: 'The test wants it.',
      touches: { hosts: [DANA_PC.dnsName], users: ['dana.vries'], tags: ['rotterdam'] },
      caution: [],
      approvals_needed: 1,
      release_after_hours: 24,
    });
    expect(await kit.findNote(alertId)).toMatchObject({
      kind: 'note',
      title: `Proposed: Isolate machine ${DANA_PC.dnsName}`,
      reason: 'The test wants it. Needs approval.',
    });

    expect(await describeRun(proposal.proposal_id)).toEqual({
      summary: `Isolate machine\\: ${DANA_PC.dnsName} · DEMO`,
      attributes: {
        AlertId: alertId,
        AlertType: expect.any(String),
        Organization: 'DEMO',
        Provider: expect.any(String),
        CaseId: proposal.case_id,
      },
    });

    expect(await kit.decide(proposal.proposal_id, 'approve', { reason: 'Go.' }, second)).toMatchObject({
      status: 200,
      body: { decisions: [{ decision: 'approve', reason: 'Go.' }] },
    });
    expect(await kit.reach(proposal.proposal_id, 'done', 'failed')).toMatchObject({ state: 'done', outcome: 'Isolate machine: Succeeded' });
    expect(kit.actionsOn(DANA_PC.machineId, 'Isolate')).toHaveLength(1);
    expect(kit.endpoints.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/isolate'))).toHaveLength(1);

    const undo =
      (await kit.listProposals(alertId)).find(({ undo_of }) => undo_of === proposal.proposal_id) ?? expect.fail('there is no undo');
    expect(undo).toMatchObject({ state: 'scheduled', skill_id: 'Unisolate machine', approvals_needed: 0 });
    expect(undo.run_at).toBeGreaterThan(Date.now() / 1000 + 23 * 3600);
    expect(await kit.readStartDelay(undo.proposal_id)).toBeGreaterThan(23 * 3600);
    // Its start was lost. The next run waits only for the remaining time.
    await kit.lose(undo.proposal_id);
    await changeProposals(kit.service, { proposalUuid: undo.proposal_id }, { runAt: fromNow({ seconds: 15 }) });
    await kit.reconcile();
    expect(await kit.readStartDelay(undo.proposal_id)).toBeGreaterThan(0);
    expect(kit.actionsOn(DANA_PC.machineId, 'Unisolate')).toEqual([]);
    expect(await kit.reach(undo.proposal_id, 'done', 'failed')).toMatchObject({ state: 'done', outcome: 'Unisolate machine: Succeeded' });
    expect(kit.actionsOn(DANA_PC.machineId, 'Unisolate')).toHaveLength(1);
    const timeline = await kit.readTimeline(alertId);
    for (const entry of [
      'proposed: Isolate machine: The test',
      'decided: Isolate machine approved: Go.',
      'action: Isolate machine: Succeeded',
      'proposed: Unisolate machine runs at',
      'action: Unisolate machine: Succeeded',
    ])
      expect(timeline).toContainEqual(expect.stringContaining(entry));
  });
});

it('is not sent after its approval if a person did the same in the console of the third party', async () => {
  const { proposal } = await kit.investigated(INES_MAC.machineId);
  const sent = kit.countActions();
  kit.actInConsole(INES_MAC.machineId, 'Isolate');
  await kit.decide(proposal.proposal_id, 'approve', { reason: 'Go.' });
  expect(await kit.reach(proposal.proposal_id, 'withdrawn', 'done')).toMatchObject({ state: 'withdrawn', outcome: DONE_THERE });
  expect(kit.countActions()).toBe(sent);
});

describe('a proposal without approval', () => {
  it('is not sent when the workflow receives a signal', async () => {
    const { proposal } = await kit.investigated(RUI_PC.machineId);
    const before = kit.actionsOn(RUI_PC.machineId, 'Isolate').length;
    await kit.signal(proposal.proposal_id);
    await waitFor(
      'the signal to be processed',
      async () => (await kit.listEvents(proposal.proposal_id)).filter((event) => event.timerStartedEventAttributes).length > 1,
    );
    expect(await kit.read(proposal.proposal_id)).toMatchObject({ state: 'waiting', decisions: [] });
    expect(kit.actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before);
    await kit.decide(proposal.proposal_id, 'refuse', { reason: 'Only a test.' });
  });

  it('is not proposed again after a refusal', async () => {
    const { alertId, proposal } = await kit.investigated(RUI_PC.machineId);
    const before = kit.actionsOn(RUI_PC.machineId, 'Isolate').length;
    expect(await kit.decide(proposal.proposal_id, 'refuse', { reason: 'A drill.' })).toMatchObject({
      status: 200,
      body: { state: 'refused' },
    });
    expect(await kit.decide(proposal.proposal_id, 'approve', {}, second)).toMatchObject({ status: 409 });
    await waitFor('its run to end', async () => (await kit.readStatus(proposal.proposal_id)) === 'COMPLETED');
    expect(await kit.reinvestigated(alertId)).toMatchObject([{ proposal_id: proposal.proposal_id, state: 'refused' }]);
    expect((await kit.findNote(alertId))?.reason).toContain('A person refused it earlier, so it is not proposed again.');
    expect(kit.actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before);
  });

  it('is withdrawn when its case is closed as a false positive', async () => {
    const { proposal } = await kit.investigated(RUI_PC.machineId);
    const before = kit.actionsOn(RUI_PC.machineId, 'Isolate').length;
    const closed = await kit.service.request('PATCH', `/platformapi/cases/${proposal.case_id}`, {
      body: { classification: 'false_positive' },
    });
    expect(closed).toMatchObject({ status: 200, body: { status: 'closed', proposals: [{ state: 'withdrawn' }] } });
    await waitFor('its run to end', async () => (await kit.readStatus(proposal.proposal_id)) === 'COMPLETED');
    expect(await kit.decide(proposal.proposal_id, 'approve', {}, second)).toMatchObject({ status: 409 });
    expect(kit.actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before);
  });
});

describe('two approvers', () => {
  it('are required for a protected host, and one person counts once', async () => {
    await kit.protect('host', 'HR-SRV-FILES');
    const { alertId, proposal } = await kit.investigated(FILE_SERVER.machineId);
    const caution = 'Affects the protected host HR-SRV-FILES: Nobody works without it.';
    expect(proposal).toMatchObject({ approvals_needed: 2, caution: [caution] });
    expect((await kit.findNote(alertId))?.reason).toBe(`The test wants it. ${caution} Two people must approve it. Needs approval.`);
    expect(await kit.decide(proposal.proposal_id, 'approve', {})).toMatchObject({ status: 200, body: { state: 'waiting' } });
    expect(await kit.decide(proposal.proposal_id, 'approve', {})).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('second person') },
    });
    expect(kit.actionsOn(FILE_SERVER.machineId, 'Isolate')).toEqual([]);
    expect(await kit.decide(proposal.proposal_id, 'approve', {}, second)).toMatchObject({ status: 200 });
    await kit.reach(proposal.proposal_id, 'done');
    expect(await kit.readTimeline(alertId)).toContain('decided: Isolate machine approved (1 of 2 approvals)');
  });

  it('are required if the target cannot be determined', async () => {
    const { alertId, proposal } = await kit.investigated('f'.repeat(40));
    expect(proposal).toMatchObject({ touches: null, approvals_needed: 2, caution: ['The affected assets could not be determined.'] });
    await kit.decide(proposal.proposal_id, 'approve', {});
    await kit.decide(proposal.proposal_id, 'approve', {}, second);
    expect(await kit.reach(proposal.proposal_id, 'failed')).toMatchObject({ outcome: expect.stringContaining('404') });
    expect(await kit.readTimeline(alertId)).toContainEqual(expect.stringContaining('action: Isolate machine failed'));
  });

  it('are required if the connection demands it', async () => {
    const { proposal } = await kit.investigated(DANA_PC.machineId);
    await kit.demandSecondPerson(true);
    onTestFinished(async () => void (await kit.demandSecondPerson(false)));
    expect(await kit.decide(proposal.proposal_id, 'approve', {})).toMatchObject({ body: { state: 'waiting', approvals_needed: 2 } });
    expect(await kit.decide(proposal.proposal_id, 'refuse', { reason: 'On second thoughts.' })).toMatchObject({
      body: { state: 'refused' },
    });
  });

  it('are required for a manual write to a protected tag', async () => {
    await kit.protect('tag', "server's room");
    const before = kit.actionsOn(FILE_SERVER.machineId, 'RunAntiVirusScan').length;
    const asked = await kit.run('run-antivirus-scan', FILE_SERVER.machineId);
    expect(asked).toMatchObject({
      status: 202,
      body: { state: 'proposed', problem: { code: 'SecondPersonNeeded', message: expect.stringContaining("server's room") } },
    });
    const decision = `/platformapi/skill-runs/${asked.body.run_id}/decision`;
    expect(await kit.service.request('POST', decision, { key: kit.firstAdmin, body: { approve: true } })).toMatchObject({ status: 409 });
    expect(kit.actionsOn(FILE_SERVER.machineId, 'RunAntiVirusScan')).toHaveLength(before);
    expect(await kit.service.request('POST', decision, { key: second, body: { approve: true } })).toMatchObject({
      status: 200,
      body: { state: 'done', problem: null },
    });
    expect(await kit.run('run-antivirus-scan', INES_MAC.machineId)).toMatchObject({ status: 200 });
  });
});
