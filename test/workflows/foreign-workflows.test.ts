import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPUTERS } from '../../connectors/kit/stand-in/company.js';
import { waitFor } from '../support/service.js';
import { type ProposalKit, startProposalKit } from './proposals/support.js';
import { callAsForeigner } from './support/foreign-workflow.js';

const [DANA_PC, RUI_PC] = COMPUTERS;
const ISOLATE = 'endpointDetection.isolateMachine';
let kit: ProposalKit;
/** An approved proposal in state `running`, whose action at the third party does not end. */
let approved: { alertId: string; proposalId: string; input: Record<string, unknown> };
let otherConnectionId: string;

beforeAll(async () => {
  kit = await startProposalKit();
  kit.endpoints.state.actionSeconds = 3600;
  const { alertId, proposal } = await kit.investigated(DANA_PC.machineId);
  await kit.decide(proposal.proposal_id, 'approve', {});
  await kit.reach(proposal.proposal_id, 'running');
  await waitFor('the write to leave', async () => kit.actionsOn(DANA_PC.machineId, 'Isolate').length === 1);
  approved = { alertId, proposalId: proposal.proposal_id, input: proposal.input };
  const { body: connection } = await kit.service.request<Record<string, unknown>>('GET', `/platformapi/connections/${kit.connectionId}`);
  const { body } = await kit.service.request<{ connection_id: string }>('POST', '/platformapi/connections', {
    body: {
      organization_code: 'DEMO',
      connector: 'endpoint-detection',
      instance_name: 'Other',
      settings: connection['settings'],
      credentials: {
        tenant_id: (connection['credentials'] as Record<string, unknown> | undefined)?.['tenant_id'] ?? 'tenant',
        client_id: kit.endpoints.state.identity.clientId,
        client_secret: kit.endpoints.state.identity.clientSecret,
      },
    },
  });
  otherConnectionId = body.connection_id;
});
afterAll(() => kit?.stop());

const write = (more: Record<string, unknown> = {}) => ({
  connectionId: kit.connectionId,
  operationKey: `proposal/${approved.proposalId}`,
  alertId: approved.alertId,
  runId: null,
  input: approved.input,
  ...more,
});

async function listRefusals() {
  const { body } = await kit.service.request<{ items: { principal_name: string; target: string; details: Record<string, string> }[] }>(
    'GET',
    '/platformapi/audit?action=activity.refuse&limit=200',
  );
  return body.items;
}

it('sends no write for a foreign workflow, and audits each call', async () => {
  const before = kit.countActions();
  const otherInput = { ...approved.input, machine_id: RUI_PC.machineId };
  const requests = {
    'no proposal': write({ alertId: null, operationKey: 'any' }),
    'no proposal with an id': write({ alertId: null, operationKey: randomUUID() }),
    'another machine': write({ input: otherInput }),
    'another machine, another spelling of the key': write({ operationKey: approved.proposalId, input: otherInput }),
    'another spelling of the key': write({ operationKey: approved.proposalId }),
    'upper case': write({ operationKey: `proposal/${approved.proposalId.toUpperCase()}` }),
    'another connection': write({ connectionId: otherConnectionId }),
    'no alert': write({ alertId: null }),
    'a run': write({ runId: randomUUID() }),
    'another skill': write(),
  };
  const calls = Object.entries(requests).map(([name, request]) => ({
    activity: name === 'another skill' ? 'endpointDetection.runAntivirusScan' : ISOLATE,
    args: [request],
  }));
  // The id of the ended investigation, and of no record at all.
  for (const workflowId of [approved.alertId, `foreign-${randomUUID()}`]) {
    const results = await callAsForeigner(kit.service, calls, workflowId);
    expect(results.map((refusal) => refusal?.type ?? 'sent')).not.toContain('sent');
  }
  expect(kit.countActions()).toBe(before);
  expect(kit.actionsOn(RUI_PC.machineId, 'Isolate')).toEqual([]);
  const refusals = await listRefusals();
  expect(refusals.length).toBeGreaterThanOrEqual(calls.length);
  expect(new Set(refusals.map(({ principal_name }) => principal_name))).toEqual(new Set(['service']));
  expect(refusals.map(({ details }) => details['reason'])).toEqual(
    expect.arrayContaining([
      'The proposal of this operation key has another input.',
      'The proposal of this operation key has another operation key.',
    ]),
  );
  expect(refusals.some(({ target, details }) => target === kit.connectionId && details['workflow_id'] === approved.alertId)).toBe(true);
});

it('answers no question and changes no record for a foreign workflow', async () => {
  const { alertId, proposalId } = approved;
  const before = [await kit.service.readCase(alertId), await kit.read(proposalId)];
  const question = { ...write({ operationKey: 'x' }), input: { machine_id: DANA_PC.machineId } };
  const ref = { alertId, investigationNo: 1, attempt: 1 };
  const conclusion = { verdict: 'benign', score: 0, confidence: 100, severity: 'low', summary: 'Nothing.', reasons: [] };
  const calls = [
    { activity: 'endpointDetection.getMachine', args: [question] },
    { activity: 'begin', args: [{ ...ref, playbookId: randomUUID() }] },
    { activity: 'recordEvidence', args: [ref, []] },
    { activity: 'conclude', args: [ref, { evidence: [], conclusion }] },
    { activity: 'fail', args: [ref, 'Failed.'] },
    { activity: 'planFollowUp', args: [{ ...ref, afterHours: 1, reason: 'Again.' }] },
    { activity: 'beginFollowUp', args: [ref] },
    { activity: 'propose', args: [{ ...ref, connectionId: kit.connectionId, connector: 'endpointDetection', verb: 'isolateMachine' }] },
    { activity: 'readProposal', args: [proposalId] },
    { activity: 'beginProposal', args: [proposalId] },
    { activity: 'holdProposal', args: [proposalId, 'Wait.'] },
    { activity: 'endProposal', args: [proposalId, { resultId: randomUUID(), outcome: 'Done.' }] },
    { activity: 'endSkillRun', args: [randomUUID(), { resultId: randomUUID() }] },
    { activity: 'leaveConnection', args: [{ connectionId: kit.connectionId, workflowId: alertId }] },
    { activity: 'searchRecords', args: [{ alertId, values: ['dana'] }] },
    { activity: 'pollSource', args: [kit.connectionId] },
    { activity: 'endPoll', args: [kit.connectionId, 'Ended.'] },
    { activity: 'testConnection', args: [kit.connectionId] },
    { activity: 'askAgainNow', args: [kit.connectionId] },
    { activity: 'comparePlan', args: [{ playbookId: randomUUID(), organizationUuid: null, plan: {} }] },
    { activity: 'deliverNotifications', args: [{ channelId: randomUUID() }] },
  ];
  const results = await callAsForeigner(kit.service, calls);
  const answered = calls.filter((_, index) => !['NotApproved', 'NotFound', 'Misconfigured'].includes(results[index]?.type ?? 'none'));
  expect(answered.map(({ activity }) => activity)).toEqual([]);
  expect([await kit.service.readCase(alertId), await kit.read(proposalId)]).toEqual(before);
});

it('keeps the audit log bounded', async () => {
  const call = { activity: 'conclude', args: [{ alertId: approved.alertId }] };
  await callAsForeigner(
    kit.service,
    Array.from({ length: 80 }, () => call),
  );
  const [last, ...others] = (await listRefusals()).filter(({ target }) => target === 'conclude');
  expect(others.length).toBeLessThan(65);
  expect(last?.details['more']).toBe('Further refused calls of this hour have no entry.');
});

it('does not list the activities to a workflow that asks for an unknown one', async () => {
  const [refusal] = await callAsForeigner(kit.service, [{ activity: 'endpointDetection.guess', args: [] }]);
  expect(refusal).not.toBeNull();
  expect(refusal?.message).toContain('endpointDetection.guess');
  expect(refusal?.message).not.toContain('isolateMachine');
});
