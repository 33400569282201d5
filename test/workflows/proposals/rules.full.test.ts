import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import { ago, changeProposals, changeSkillResults } from '../../support/rows.js';
import { replayAll, waitFor } from '../../support/service.js';
import { isIsolate, type ProposalKit, startProposalKit } from './support.js';

const [DANA_PC, RUI_PC, , INES_MAC] = COMPUTERS;
let kit: ProposalKit;

beforeAll(async () => {
  kit = await startProposalKit();
});
afterAll(() => kit?.stop());

describe('a failed proposal', () => {
  it('that may have had an effect is not proposed again', async () => {
    const { alertId, proposal } = await kit.investigated(RUI_PC.machineId);
    kit.endpoints.faults.next({ match: isIsolate, status: 503, body: {} });
    // The lookup of its result fails too.
    kit.endpoints.faults.next({ match: ({ url }) => decodeURIComponent(url).includes("type eq 'Isolate'"), status: 404, body: {} });
    await kit.decide(proposal.proposal_id, 'approve', {});
    await kit.reach(proposal.proposal_id, 'failed');
    expect(await kit.reinvestigated(alertId)).toMatchObject([{ proposal_id: proposal.proposal_id, state: 'failed' }]);
    expect((await kit.findNote(alertId))?.reason).toContain('An earlier attempt has an unknown outcome, so it is not proposed again.');
  });
});

describe('the same write for two alerts', () => {
  const alerted = async (content: string) => {
    const { alert_id: alertId } = await kit.service.sendAlert({ alert_type: 'Testbed proposing', alert_content: content });
    await kit.service.waitForStatus(alertId, 15);
    return { alertId, proposals: await kit.listProposals(alertId), note: (await kit.findNote(alertId))?.reason };
  };

  it('is one proposal while the first is active, and a new one after the undo', async () => {
    const content = `${INES_MAC.machineId} same`;
    const { alertId, proposal } = await kit.investigated(content);
    const { case_id: caseId } = await kit.service.readCase(alertId);
    expect(await alerted(content)).toMatchObject({
      proposals: [],
      note: `The test wants it. The same action is already proposed in ${caseId}: it needs approval there.`,
    });
    expect((await alerted(`${INES_MAC.machineId} other`)).proposals).toMatchObject([{ state: 'waiting' }]);
    await kit.decide(proposal.proposal_id, 'approve', {});
    await kit.reach(proposal.proposal_id, 'done');
    expect(await alerted(content)).toMatchObject({
      proposals: [],
      note: `The test wants it. The same action is already proposed in ${caseId}: it was done there and is not undone.`,
    });
    expect(await kit.reinvestigated(alertId)).toContainEqual(expect.objectContaining({ proposal_id: proposal.proposal_id, state: 'done' }));
    expect((await kit.findNote(alertId))?.reason).toContain('It was done earlier, so it is not proposed again.');

    const undo = (await kit.listProposals(alertId)).find(({ undo_of }) => undo_of !== null) ?? expect.fail('there is no undo');
    await changeProposals(kit.service, { proposalUuid: undo.proposal_id }, { runAt: ago({}) });
    await kit.age(undo.proposal_id);
    await kit.reconcile();
    await kit.reach(undo.proposal_id, 'done');
    const anew = await alerted(content);
    expect(anew).toMatchObject({ proposals: [{ state: 'waiting' }], note: 'The test wants it. Needs approval.' });
    const [waiting] = anew.proposals;
    await kit.decide(waiting?.proposal_id ?? '', 'refuse', { reason: 'Enough.' });
    expect((await alerted(content)).proposals).toMatchObject([{ state: 'waiting' }]);
  });
});

describe('the rules of the organization', () => {
  it('hold a write whose token is requested while writes are stopped', async () => {
    const { proposal } = await kit.investigated(`${DANA_PC.machineId} token`);
    const before = kit.actionsOn(DANA_PC.machineId, 'Isolate').length;
    const tokenRequests = () => kit.endpoints.requests.filter(({ url }) => url.endsWith('/token')).length;
    const asked = tokenRequests();
    // The old token is refused, and the new one takes a while.
    kit.endpoints.state.identity.tokens.clear();
    kit.endpoints.faults.next({ match: ({ url }) => url.endsWith('/token'), latencyMs: 4_000 });
    await kit.decide(proposal.proposal_id, 'approve', {});
    await waitFor('the token request', async () => tokenRequests() > asked);
    await kit.stopWrites();
    await waitFor('the proposal to be held', async () => (await kit.read(proposal.proposal_id)).held_because);
    expect(kit.actionsOn(DANA_PC.machineId, 'Isolate')).toHaveLength(before);
    await kit.resumeWrites();
    await kit.reach(proposal.proposal_id, 'done');
    expect(kit.actionsOn(DANA_PC.machineId, 'Isolate')).toHaveLength(before + 1);
  });

  it('report the writes that left before the stop', async () => {
    const { proposal } = await kit.investigated(`${DANA_PC.machineId} flight`);
    const isolations = () => kit.endpoints.requests.filter(isIsolate).length;
    const before = isolations();
    kit.endpoints.faults.next({ match: isIsolate, latencyMs: 4_000 });
    await kit.decide(proposal.proposal_id, 'approve', {});
    await waitFor('the request', async () => isolations() > before);
    expect(await kit.stopWrites()).toMatchObject({
      body: { stopped: true, writes_in_flight: [{ proposal_id: proposal.proposal_id, run_id: null, skill_id: 'Isolate machine' }] },
    });
    await kit.reach(proposal.proposal_id, 'done');
    expect(isolations()).toBe(before + 1);
    expect(await kit.resumeWrites()).toMatchObject({ body: { writes_in_flight: [] } });
  });

  it('apply again to an undo, which counts the approvals of its write', async () => {
    const key = (await kit.service.createPerson('analyst')).api_key;
    const { alertId, proposal } = await kit.investigated(`${INES_MAC.machineId} undo`);
    await kit.decide(proposal.proposal_id, 'approve', {});
    await kit.reach(proposal.proposal_id, 'done');
    const before = kit.actionsOn(INES_MAC.machineId, 'Unisolate').length;
    const undo = (await kit.listProposals(alertId)).find(({ undo_of }) => undo_of !== null) ?? expect.fail('there is no undo');
    expect(undo.approvals_needed).toBe(0);
    await kit.stopWrites();
    await changeProposals(kit.service, { proposalUuid: undo.proposal_id }, { runAt: ago({}) });
    await kit.age(undo.proposal_id);
    await kit.reconcile();
    await waitFor('the undo to be held', async () => (await kit.read(undo.proposal_id)).held_because);
    await kit.protect('host', INES_MAC.dnsName);
    await kit.resumeWrites();
    expect(await kit.reach(undo.proposal_id, 'waiting', 'done')).toMatchObject({
      state: 'waiting',
      approvals_needed: 1,
      caution: [expect.stringContaining(INES_MAC.dnsName)],
    });
    expect(kit.actionsOn(INES_MAC.machineId, 'Unisolate')).toHaveLength(before);
    expect(await kit.decide(undo.proposal_id, 'approve', {})).toMatchObject({ status: 409 });
    expect(await kit.decide(undo.proposal_id, 'approve', {}, key)).toMatchObject({ status: 200 });
    await kit.reach(undo.proposal_id, 'done');
    expect(kit.actionsOn(INES_MAC.machineId, 'Unisolate')).toHaveLength(before + 1);
  });

  it('hold writes that exceed the hourly limit until capacity is free', async () => {
    const limit = (writes_per_hour: number) =>
      kit.service.request<{ writes_last_hour: number }>('PATCH', '/platformapi/response', {
        body: { organization_code: 'DEMO', writes_per_hour },
      });
    const { body: rules } = await limit(1000);
    onTestFinished(async () => void (await limit(1000)));
    await limit(rules.writes_last_hour);
    const first = await kit.run('run-antivirus-scan', DANA_PC.machineId);
    expect(first).toMatchObject({
      status: 202,
      body: { problem: { message: expect.stringContaining(`Its limit is ${rules.writes_last_hour}`) } },
    });
    const isDone = async (runId: string) => (await kit.readRun(runId)).state === 'done';
    await limit(rules.writes_last_hour + 1);
    await waitFor('the first write to run', () => isDone(first.body.run_id));
    // The oldest write leaves the hour soon, and the waiting write continues without a signal.
    const [oldest] = await kit.service.database.pg<{ uuid: string }[]>`
      select result_uuid as uuid from skill_results where operation_key is not null and status <> 'failed' order by started_at limit 1`;
    await changeSkillResults(kit.service, { resultUuid: oldest?.uuid ?? '' }, { startedAt: ago({ hours: 1, seconds: -20 }) });
    const other = await kit.run('run-antivirus-scan', INES_MAC.machineId);
    expect(other).toMatchObject({ status: 202, body: { problem: { code: 'WritesHeld' } } });
    await waitFor('the other write to run', () => isDone(other.body.run_id));
  });
});

it('leaves histories that replay', async () => {
  expect(await replayAll(kit.service)).toBeGreaterThan(10);
});
