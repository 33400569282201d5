import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPUTERS } from '../../../connectors/kit/stand-in/company.js';
import type { CaseDetail } from '../../../domain/case/case.js';
import type { Proposal } from '../../../domain/response/proposal.js';
import { waitFor } from '../../support/service.js';
import { DONE_THERE, type ProposalKit, startProposalKit } from './support.js';

const [DANA_PC, RUI_PC, FILE_SERVER] = COMPUTERS;
let kit: ProposalKit;

beforeAll(async () => {
  kit = await startProposalKit({ PROPOSAL_CHECK_SECONDS: '1' });
});
afterAll(() => kit?.stop());

const release = (proposalId: string) =>
  kit.service.request<Proposal>('POST', `/platformapi/proposals/${proposalId}/release`, { body: { reason: 'It is clean.' } });

describe('a proposal', () => {
  it('is withdrawn when a person does the same by hand', async () => {
    const { alertId, proposal } = await kit.investigated(DANA_PC.machineId);
    expect(proposal.sentence).toBe(`Isolate ${DANA_PC.dnsName} of Demo organization from the network`);
    expect(await kit.run('isolate-machine', DANA_PC.machineId)).toMatchObject({ status: 200 });
    expect(await kit.reach(proposal.proposal_id, 'withdrawn')).toMatchObject({ outcome: 'A person ran the same action by hand.' });
    expect(kit.actionsOn(DANA_PC.machineId, 'Isolate')).toHaveLength(1);
    const { body } = await kit.service.request<{ items: { details: object }[] }>('GET', '/platformapi/audit?action=proposal.withdraw');
    expect(body.items).toMatchObject([{ target: proposal.proposal_id }]);
    expect(await kit.readTimeline(alertId)).toContainEqual(expect.stringContaining('Isolate machine is withdrawn'));
    await waitFor('its workflow to end', async () => {
      const handle = kit.service.temporal.workflow.getHandle(`proposal-${proposal.proposal_id}`);
      return (await handle.describe()).status.name === 'COMPLETED';
    });
  });

  it('can be released before its time, and after a person decided to keep it', async () => {
    const { alertId, proposal } = await kit.investigated(RUI_PC.machineId);
    expect(await release(proposal.proposal_id)).toMatchObject({ status: 409 });
    await kit.decide(proposal.proposal_id, 'approve', { release_after_hours: 24 });
    await kit.reach(proposal.proposal_id, 'done');
    await kit.decide(proposal.proposal_id, 'reconfirm', { hours: null, reason: 'Keep it.' });
    const findUndo = async () =>
      (await kit.listProposals(alertId)).find(({ undo_of }) => undo_of !== null) ?? expect.fail('there is no undo');
    expect(await findUndo()).toMatchObject({ state: 'withdrawn' });
    expect(await release(proposal.proposal_id)).toMatchObject({ status: 200 });
    expect(await kit.reach((await findUndo()).proposal_id, 'done', 'failed')).toMatchObject({ state: 'done' });
    expect(kit.actionsOn(RUI_PC.machineId, 'Unisolate')).toHaveLength(1);
    expect(await release(proposal.proposal_id)).toMatchObject({ status: 409 });
    expect(await kit.readTimeline(alertId)).toContainEqual(expect.stringContaining('Unisolate machine runs now: It is clean.'));
  });
});

describe('a proposal whose action a person did in the console of the third party', () => {
  it('is withdrawn while it waits, but not for an action that was undone there', async () => {
    const { alertId, proposal } = await kit.investigated(FILE_SERVER.machineId);
    kit.actInConsole(FILE_SERVER.machineId, 'Isolate');
    kit.actInConsole(FILE_SERVER.machineId, 'Unisolate');
    const questions = () => kit.endpoints.requests.filter(({ url }) => url.startsWith('/api/machineactions')).length;
    const before = questions();
    await waitFor('a question that finds nothing', async () => questions() > before + 1);
    expect(await kit.read(proposal.proposal_id)).toMatchObject({ state: 'waiting' });
    kit.actInConsole(FILE_SERVER.machineId, 'Isolate');
    expect(await kit.reach(proposal.proposal_id, 'withdrawn')).toMatchObject({ outcome: DONE_THERE });
    expect(await kit.readTimeline(alertId)).toContainEqual(expect.stringContaining('Isolate machine is withdrawn'));
  });

  it('is not undone twice', async () => {
    const { alertId, proposal } = await kit.investigated(DANA_PC.machineId);
    await kit.decide(proposal.proposal_id, 'approve', { release_after_hours: 24 });
    await kit.reach(proposal.proposal_id, 'done');
    const sent = kit.countActions();
    kit.actInConsole(DANA_PC.machineId, 'Unisolate');
    await release(proposal.proposal_id);
    const undo =
      (await kit.listProposals(alertId)).find(({ undo_of }) => undo_of === proposal.proposal_id) ?? expect.fail('there is no undo');
    expect(await kit.reach(undo.proposal_id, 'withdrawn', 'done')).toMatchObject({ state: 'withdrawn', outcome: DONE_THERE });
    expect(kit.countActions()).toBe(sent);
  });
});

describe('a block of this service', () => {
  it('is no evidence against the indicator that it blocks, but the block of a person at the third party is', async () => {
    kit.endpoints.state.indicators.push({
      id: '77',
      indicatorValue: 'theirs.example',
      indicatorType: 'DomainName',
      action: 'Block',
      title: 'x',
    });
    const input = { indicator_value: 'ours.example', indicator_type: 'DomainName', action: 'Block', title: 'Ours', description: 'By us.' };
    const path = `/platformapi/connections/${kit.connectionId}/skills/create-indicator`;
    const created = await kit.service.request('POST', path, { body: { input, confirm: true } });
    expect(created).toMatchObject({ status: 200 });
    const investigate = async (domain: string): Promise<CaseDetail> => {
      const { alert_id: alertId } = await kit.service.sendAlert({ alert_type: 'Odd lookup', alert_content: `DNS query for ${domain}` });
      await kit.service.waitForStatus(alertId, 15);
      return kit.service.readCase(alertId);
    };
    const theirs = await investigate('theirs.example');
    expect(theirs.evidence).toContainEqual(expect.objectContaining({ kind: 'finding', title: 'Blocked by the organization: x' }));
    const ours = await investigate('ours.example');
    expect(ours.evidence.filter(({ title }) => title.startsWith('Blocked'))).toEqual([]);
    const note = ours.evidence.find(({ title }) => title === 'Other record: Ours');
    expect(note).toMatchObject({ kind: 'note', points: 0, reason: expect.stringContaining('This service created it') });
  });
});
