import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Connection } from '../../domain/connection.js';
import { PROPOSAL_CHANGED, type Proposal, type ProposalState, proposalWorkflowId } from '../../domain/proposal.js';
import { startTemporal } from '../../local/temporal.js';
import { findTemporalCli } from '../../local/temporal-cli.js';
import { COMPANY, COMPUTERS } from '../../local/third-parties/company.js';
import { defineEndpointDetectionStandIn, type EndpointDetectionStandInState } from '../../local/third-parties/endpoint-detection.js';
import { createAuthority, type StandIn, startStandIn } from '../../local/third-parties/stand-in.js';
import { log, replayAll, startTestService, startWorkerProcess, type TestService, waitFor } from '../support/service.js';

const [DANA_PC, RUI_PC, FILE_SERVER, INES_MAC] = COMPUTERS;
const folder = mkdtempSync(path.join(tmpdir(), 'alert-investigator-proposals-'));
let service: TestService;
let endpoints: StandIn<EndpointDetectionStandInState>;
let outgoing: { EGRESS_ALLOW: string; EGRESS_CA_FILE: string };
let connectionId: string;
let second: string;

beforeAll(async () => {
  const authority = await createAuthority();
  endpoints = await startStandIn({ authority, define: defineEndpointDetectionStandIn });
  endpoints.state.actionSeconds = 1;
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, authority.caPem);
  outgoing = { EGRESS_ALLOW: endpoints.address, EGRESS_CA_FILE: caFile };
  service = await startTestService({ env: outgoing });
  connectionId = await connect();
  second = (await service.createKey('analyst')).api_key;
});
afterAll(async () => {
  await service.stop();
  await endpoints.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function connect(): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret } = endpoints.state.identity;
  const reply = await service.request<Connection>('POST', '/platformapi/connections', {
    body: {
      organization_code: 'DEMO',
      connector: 'endpoint-detection',
      instance_name: 'Endpoints',
      settings: { auth_url: endpoints.url, api_host: endpoints.url },
      credentials: { tenant_id: COMPANY.tenantId, client_id, client_secret },
    },
  });
  return reply.body.connection_id;
}

async function proposalsOf(alertId: string): Promise<Proposal[]> {
  const { body } = await service.request<{ items: Proposal[] }>('GET', '/platformapi/proposals?limit=200');
  return body.items.filter((proposal) => proposal.alert_id === alertId);
}

async function investigated(machineId: string): Promise<{ alertId: string; proposal: Proposal }> {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed proposing', alert_content: machineId });
  await service.waitForStatus(alertId, 15);
  const [proposal] = await proposalsOf(alertId);
  return { alertId, proposal: proposal ?? expect.fail('nothing was proposed') };
}

async function read(proposalId: string): Promise<Proposal> {
  return (await service.request<Proposal>('GET', `/platformapi/proposals/${proposalId}`)).body;
}

function reach(proposalId: string, ...states: ProposalState[]): Promise<Proposal> {
  return waitFor(`the proposal to be ${states}`, async () => {
    const proposal = await read(proposalId);
    return states.includes(proposal.state) && proposal;
  });
}

const decide = (proposalId: string, verb: 'approve' | 'refuse' | 'reconfirm', body: object, key?: string) =>
  service.request<Proposal>('POST', `/platformapi/proposals/${proposalId}/${verb}`, { body, ...(key === undefined ? {} : { key }) });

const run = (slug: string, machineId: string) =>
  service.request<{ run_id: string; state: string; problem: { code: string; message: string } | null }>(
    'POST',
    `/platformapi/connections/${connectionId}/skills/${slug}`,
    { body: { input: { machine_id: machineId, comment: 'By hand.' }, confirm: true } },
  );

/** A run as its own workflow leaves it. */
const readRun = async (runId: string) =>
  (await service.request<{ state: string; problem: { code: string } | null }>('GET', `/platformapi/skill-runs/${runId}`)).body;

const actionsOn = (machineId: string, type: string) =>
  endpoints.state.actions.filter((action) => action.machineId === machineId && action.type === type);

const signal = (proposalId: string) => service.temporal.workflow.getHandle(proposalWorkflowId(proposalId)).signal(PROPOSAL_CHANGED);

async function protect(kind: string, value: string): Promise<void> {
  const body = { organization_code: 'DEMO', kind, value, reason: 'Nobody works without it.' };
  const reply = await service.request<{ asset_id: string }>('POST', '/platformapi/protected-assets', { body });
  expect(reply.status).toBe(201);
  onTestFinished(async () => {
    await service.request('DELETE', `/platformapi/protected-assets/${reply.body.asset_id}`);
  });
}

async function noteOf(alertId: string) {
  return (await service.caseOf(alertId)).evidence.find(({ title }) => title.startsWith('Proposed'));
}

async function timelineOf(alertId: string): Promise<string[]> {
  return (await service.caseOf(alertId)).timeline.map(({ kind, text }) => `${kind}: ${text}`);
}

describe('an isolation', () => {
  it('is proposed, approved, run once across the kill of a worker, awaited, and undone by its timer', { timeout: 300_000 }, async () => {
    const { alertId, proposal } = await investigated(DANA_PC.machineId);
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
    expect(await noteOf(alertId)).toMatchObject({
      kind: 'note',
      title: `Proposed: Isolate machine ${DANA_PC.dnsName}`,
      reason: 'The test wants it. A person decides.',
    });

    await service.stopWorker();
    const child = startWorkerProcess(service.settings);
    onTestFinished(() => void child.kill('SIGKILL'));
    endpoints.faults.next({ match: ({ url }) => url.endsWith('/isolate'), performed: true, drip: true });
    expect(await decide(proposal.proposal_id, 'approve', { reason: 'Go.' }, second)).toMatchObject({
      status: 200,
      body: { decisions: [{ decision: 'approve', reason: 'Go.' }] },
    });
    await waitFor('it to be performed there', async () => actionsOn(DANA_PC.machineId, 'Isolate').length > 0);
    child.kill('SIGKILL');
    await service.startWorker();
    expect(await reach(proposal.proposal_id, 'done', 'failed')).toMatchObject({ state: 'done', outcome: 'Isolate machine: Succeeded' });
    expect(actionsOn(DANA_PC.machineId, 'Isolate')).toHaveLength(1);
    expect(endpoints.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/isolate'))).toHaveLength(1);

    const undo = (await proposalsOf(alertId)).find(({ undo_of }) => undo_of === proposal.proposal_id) ?? expect.fail('there is no undo');
    expect(undo).toMatchObject({ state: 'scheduled', skill_id: 'Unisolate machine', approvals_needed: 0 });
    expect(undo.run_at).toBeGreaterThan(Date.now() / 1000 + 23 * 3600);
    expect(await delayOf(undo.proposal_id)).toBeGreaterThan(23 * 3600);
    // Its start was lost: the next one waits only for what is left of its time.
    await lose(undo.proposal_id);
    await service.database.sql`update proposals set run_at = now() + interval '4 seconds' where proposal_uuid = ${undo.proposal_id}`;
    await reconcile();
    expect(await delayOf(undo.proposal_id)).toBeGreaterThan(0);
    expect(actionsOn(DANA_PC.machineId, 'Unisolate')).toEqual([]);
    expect(await reach(undo.proposal_id, 'done', 'failed')).toMatchObject({ state: 'done', outcome: 'Unisolate machine: Succeeded' });
    expect(actionsOn(DANA_PC.machineId, 'Unisolate')).toHaveLength(1);
    const timeline = await timelineOf(alertId);
    for (const entry of [
      'proposed: Isolate machine: The test',
      'decided: Isolate machine approved: Go.',
      'action: Isolate machine: Succeeded',
      'proposed: Unisolate machine follows at',
      'action: Unisolate machine: Succeeded',
    ])
      expect(timeline).toContainEqual(expect.stringContaining(entry));
  });

  it('is not undone where somebody reconfirms it', async () => {
    const { alertId, proposal } = await investigated(INES_MAC.machineId);
    expect(await decide(proposal.proposal_id, 'reconfirm', { hours: 1, reason: 'Too early.' })).toMatchObject({ status: 409 });
    await decide(proposal.proposal_id, 'approve', { release_after_hours: 2 });
    await reach(proposal.proposal_id, 'done');
    const undo = async () => (await proposalsOf(alertId)).find(({ undo_of }) => undo_of !== null) ?? expect.fail('there is no undo');
    expect((await undo()).run_at).toBeLessThan(Date.now() / 1000 + 2 * 3600 + 60);
    expect(await decide(proposal.proposal_id, 'reconfirm', { hours: 48, reason: 'Longer.' })).toMatchObject({ status: 200 });
    expect((await undo()).run_at).toBeGreaterThan(Date.now() / 1000 + 47 * 3600);
    expect(await delayOf((await undo()).proposal_id)).toBeGreaterThan(47 * 3600);
    expect(await decide(proposal.proposal_id, 'reconfirm', { hours: null, reason: 'For good.' }, second)).toMatchObject({ status: 200 });
    const { proposal_id: undoId } = await undo();
    expect(await read(undoId)).toMatchObject({ state: 'withdrawn', outcome: 'For good.' });
    // When its time comes, its run finds that out.
    await lose(undoId);
    const late = {
      args: [{ proposalId: undoId }],
      workflowId: proposalWorkflowId(undoId),
      taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
    };
    expect(await service.temporal.workflow.execute('proposal', late)).toMatchObject({ state: 'withdrawn' });
    expect(actionsOn(INES_MAC.machineId, 'Unisolate')).toEqual([]);
    expect(await decide(proposal.proposal_id, 'reconfirm', { hours: 1, reason: 'Again.' })).toMatchObject({ status: 409 });
  });

  it('that ends badly at the third party has failed, and is not undone', async () => {
    endpoints.state.actionSeconds = 600;
    onTestFinished(() => {
      endpoints.state.actionSeconds = 1;
    });
    const { alertId, proposal } = await investigated(RUI_PC.machineId);
    await decide(proposal.proposal_id, 'approve', {});
    const action = await waitFor('the action', async () => actionsOn(RUI_PC.machineId, 'Isolate')[0]);
    expect(await read(proposal.proposal_id)).toMatchObject({ state: 'running' });
    expect(await decide(proposal.proposal_id, 'refuse', { reason: 'Too late.' })).toMatchObject({ status: 409 });
    action.status = 'Failed';
    expect(await reach(proposal.proposal_id, 'failed')).toMatchObject({ outcome: 'The third party ended it as Failed.' });
    expect(await proposalsOf(alertId)).toHaveLength(1);
    expect(await timelineOf(alertId)).toContain('action: Isolate machine failed: The third party ended it as Failed.');
    const again = await proposedAgain(alertId);
    expect(again.reason).toBe('The test wants it. Tried before, it failed: The third party ended it as Failed.');
    await decide(again.proposal_id, 'refuse', { reason: 'Leave it.' });
  });
});

async function eventsOf(proposalId: string) {
  return (await service.temporal.workflow.getHandle(proposalWorkflowId(proposalId)).fetchHistory()).events ?? [];
}

/** How long the start of its run is put off. */
async function delayOf(proposalId: string): Promise<number> {
  const [started] = await eventsOf(proposalId);
  return Number(started?.workflowExecutionStartedEventAttributes?.firstWorkflowTaskBackoff?.seconds ?? 0);
}

/** As if it had been started never, an hour ago. */
async function lose(proposalId: string): Promise<void> {
  const workflowExecution = { workflowId: proposalWorkflowId(proposalId) };
  await service.temporal.workflowService.deleteWorkflowExecution({ namespace: service.settings.TEMPORAL_NAMESPACE, workflowExecution });
  await waitFor('it to be gone', async () =>
    statusOf(proposalId).then(
      () => false,
      () => true,
    ),
  );
  await age(proposalId);
}

const age = (proposalId: string) =>
  service.database.sql`update proposals set proposed_at = now() - interval '1 hour' where proposal_uuid = ${proposalId}`;

const reconcile = () =>
  service.temporal.workflow.execute('reconcile', {
    taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
    workflowId: `reconcile-${Math.random()}`,
  });

async function statusOf(proposalId: string): Promise<string> {
  return (await service.temporal.workflow.getHandle(proposalWorkflowId(proposalId)).describe()).status.name;
}

async function reinvestigated(alertId: string): Promise<Proposal[]> {
  await service.request('POST', `/platformapi/alerts/${alertId}/investigate`);
  await waitFor('the second investigation', async () => {
    const { timeline } = await service.caseOf(alertId);
    return timeline.filter(({ kind }) => kind === 'concluded').length === 2;
  });
  return proposalsOf(alertId);
}

/** The one that waits beside the one that failed. */
async function proposedAgain(alertId: string): Promise<Proposal> {
  const proposals = await reinvestigated(alertId);
  expect(proposals.map(({ state }) => state).sort()).toEqual(['failed', 'waiting']);
  return proposals.find(({ state }) => state === 'waiting') ?? expect.fail('nothing waits');
}

const isIsolate = ({ url }: { url: string }) => url.endsWith('/isolate');

describe('one that failed', () => {
  it('and surely did not happen is proposed again, with the failure in its reason, and sent', async () => {
    const { alertId, proposal } = await investigated(RUI_PC.machineId);
    const before = actionsOn(RUI_PC.machineId, 'Isolate').length;
    endpoints.faults.next({ match: isIsolate, status: 400, body: { error: { code: 'Odd', message: 'Not like this.' } } });
    await decide(proposal.proposal_id, 'approve', {});
    const { outcome } = await reach(proposal.proposal_id, 'failed');
    expect(outcome).toContain('Not like this.');
    const again = await proposedAgain(alertId);
    expect(again.reason).toBe(`The test wants it. Tried before, it failed: ${outcome}`);
    expect((await noteOf(alertId))?.reason).toBe(`${again.reason} A person decides.`);
    await decide(again.proposal_id, 'approve', {});
    await reach(again.proposal_id, 'done');
    expect(actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before + 1);
  });

  it('and may have happened is not proposed again', async () => {
    const { alertId, proposal } = await investigated(RUI_PC.machineId);
    endpoints.faults.next({ match: isIsolate, status: 503, body: {} });
    // Whether it arrived cannot be looked up either.
    endpoints.faults.next({ match: ({ url }) => url.startsWith('/api/machineactions?'), status: 404, body: {} });
    await decide(proposal.proposal_id, 'approve', {});
    await reach(proposal.proposal_id, 'failed');
    expect(await reinvestigated(alertId)).toMatchObject([{ proposal_id: proposal.proposal_id, state: 'failed' }]);
    expect((await noteOf(alertId))?.reason).toContain('whether it happened is not known: it is not proposed again');
  });
});

describe('the same write for two alerts', () => {
  const alerted = async (content: string) => {
    const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed proposing', alert_content: content });
    await service.waitForStatus(alertId, 15);
    return { alertId, proposals: await proposalsOf(alertId), note: (await noteOf(alertId))?.reason };
  };

  it('is one proposal while that stands, and another once it was undone', async () => {
    const content = `${INES_MAC.machineId} same`;
    const { alertId, proposal } = await investigated(content);
    const { case_id: caseId } = await service.caseOf(alertId);
    expect(await alerted(content)).toMatchObject({
      proposals: [],
      note: `The test wants it. The same is proposed in ${caseId}: a person decides there.`,
    });
    expect((await alerted(`${INES_MAC.machineId} other`)).proposals).toMatchObject([{ state: 'waiting' }]);
    await decide(proposal.proposal_id, 'approve', {});
    await reach(proposal.proposal_id, 'done');
    expect(await alerted(content)).toMatchObject({
      proposals: [],
      note: `The test wants it. The same is proposed in ${caseId}: it was done there and not undone yet.`,
    });
    expect(await reinvestigated(alertId)).toContainEqual(expect.objectContaining({ proposal_id: proposal.proposal_id, state: 'done' }));
    expect((await noteOf(alertId))?.reason).toContain('It was done before, and is not proposed again.');

    const undo = (await proposalsOf(alertId)).find(({ undo_of }) => undo_of !== null) ?? expect.fail('there is no undo');
    await service.database.sql`update proposals set run_at = now() where proposal_uuid = ${undo.proposal_id}`;
    await age(undo.proposal_id);
    await reconcile();
    await reach(undo.proposal_id, 'done');
    const anew = await alerted(content);
    expect(anew).toMatchObject({ proposals: [{ state: 'waiting' }], note: 'The test wants it. A person decides.' });
    const [waiting] = anew.proposals;
    await decide(waiting?.proposal_id ?? '', 'refuse', { reason: 'Enough.' });
    expect((await alerted(content)).proposals).toMatchObject([{ state: 'waiting' }]);
  });

  it('that come at the same moment is one proposal', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => alerted(`${DANA_PC.machineId} together`)));
    expect(all.flatMap(({ proposals }) => proposals)).toHaveLength(1);
  });
});

it('waits for a reconnect where its credentials are refused', async () => {
  const { alertId, proposal } = await investigated(INES_MAC.machineId);
  const before = actionsOn(INES_MAC.machineId, 'Isolate').length;
  // A 401 is tried once more with a new token.
  endpoints.faults.next({ match: ({ url }) => url.endsWith('/isolate'), status: 401, times: 2, body: {} });
  await decide(proposal.proposal_id, 'approve', {});
  await waitFor('it to wait', async () =>
    (await service.caseOf(alertId)).waiting_on.some(({ skill_id }) => skill_id === 'Isolate machine'),
  );
  expect(actionsOn(INES_MAC.machineId, 'Isolate')).toHaveLength(before);
  expect(await service.request('POST', `/platformapi/connections/${connectionId}/test`)).toMatchObject({ body: { ok: true } });
  await reach(proposal.proposal_id, 'done');
  expect(actionsOn(INES_MAC.machineId, 'Isolate')).toHaveLength(before + 1);
});

describe('without an approval', () => {
  it('nothing is sent, whoever wakes the workflow', async () => {
    const { proposal } = await investigated(RUI_PC.machineId);
    const before = actionsOn(RUI_PC.machineId, 'Isolate').length;
    await signal(proposal.proposal_id);
    await waitFor(
      'the signal to be seen',
      async () => (await eventsOf(proposal.proposal_id)).filter((event) => event.timerStartedEventAttributes).length > 1,
    );
    expect(await read(proposal.proposal_id)).toMatchObject({ state: 'waiting', decisions: [] });
    expect(actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before);
    await decide(proposal.proposal_id, 'refuse', { reason: 'Only a test.' });
  });

  it('nobody’s word in time is a no; investigated again, it is proposed anew', async () => {
    const { alertId, proposal } = await investigated(RUI_PC.machineId);
    await service.database.sql`update proposals set expires_at = now() - interval '1 second' where proposal_uuid = ${proposal.proposal_id}`;
    expect(await decide(proposal.proposal_id, 'approve', {})).toMatchObject({ status: 409 });
    await signal(proposal.proposal_id);
    await reach(proposal.proposal_id, 'expired');
    expect(await timelineOf(alertId)).toContain('decided: Isolate machine was not approved in time, and is not sent');
    const again = await reinvestigated(alertId);
    expect(again.map(({ state }) => state).sort()).toEqual(['expired', 'waiting']);
    await Promise.all(
      again.filter(({ state }) => state === 'waiting').map((each) => decide(each.proposal_id, 'refuse', { reason: 'No.' })),
    );
  });

  it('a refusal stands: investigated again, it is not proposed again', async () => {
    const { alertId, proposal } = await investigated(RUI_PC.machineId);
    const before = actionsOn(RUI_PC.machineId, 'Isolate').length;
    expect(await decide(proposal.proposal_id, 'refuse', { reason: 'A drill.' })).toMatchObject({ status: 200, body: { state: 'refused' } });
    expect(await decide(proposal.proposal_id, 'approve', {}, second)).toMatchObject({ status: 409 });
    await waitFor('its run to end', async () => (await statusOf(proposal.proposal_id)) === 'COMPLETED');
    expect(await reinvestigated(alertId)).toMatchObject([{ proposal_id: proposal.proposal_id, state: 'refused' }]);
    expect((await noteOf(alertId))?.reason).toContain('refused before, and is not proposed again');
    expect(actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before);
  });

  it('that still waits, a second investigation finds the same proposal', async () => {
    const { alertId, proposal } = await investigated(RUI_PC.machineId);
    expect(await reinvestigated(alertId)).toMatchObject([{ proposal_id: proposal.proposal_id, state: 'waiting' }]);
    await service.temporal.workflow.getHandle(proposalWorkflowId(proposal.proposal_id)).cancel();
    expect(await reach(proposal.proposal_id, 'failed')).toMatchObject({ outcome: 'Cancelled in Temporal.' });
  });
});

describe('two people', () => {
  it('have to approve what touches a protected host, and one of them counts once', async () => {
    await protect('host', 'HR-SRV-FILES');
    const { alertId, proposal } = await investigated(FILE_SERVER.machineId);
    const caution = 'It touches the protected host HR-SRV-FILES: Nobody works without it.';
    expect(proposal).toMatchObject({ approvals_needed: 2, caution: [caution] });
    expect((await noteOf(alertId))?.reason).toBe(`The test wants it. ${caution} Two people have to approve it. A person decides.`);
    expect(await decide(proposal.proposal_id, 'approve', {})).toMatchObject({ status: 200, body: { state: 'waiting' } });
    expect(await decide(proposal.proposal_id, 'approve', {})).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('second person') },
    });
    expect(actionsOn(FILE_SERVER.machineId, 'Isolate')).toEqual([]);
    expect(await decide(proposal.proposal_id, 'approve', {}, second)).toMatchObject({ status: 200 });
    await reach(proposal.proposal_id, 'done');
    expect(await timelineOf(alertId)).toContain('decided: Isolate machine approved (1 of 2 approvals)');
  });

  it('have to where the asset was protected after it was proposed, and even after it was approved', async () => {
    const { proposal } = await investigated(RUI_PC.machineId);
    await stop();
    await decide(proposal.proposal_id, 'approve', {});
    await waitFor('it to be held', async () => (await read(proposal.proposal_id)).held_because);
    await protect('user', 'HARBOUR-REED\\Rui.Matos');
    const before = actionsOn(RUI_PC.machineId, 'Isolate').length;
    await resume();
    expect(await reach(proposal.proposal_id, 'waiting')).toMatchObject({ approvals_needed: 2, held_because: null });
    expect(actionsOn(RUI_PC.machineId, 'Isolate')).toHaveLength(before);
    await decide(proposal.proposal_id, 'approve', {}, second);
    await reach(proposal.proposal_id, 'done');
  });

  it('have to where what is touched could not be found out', async () => {
    const { alertId, proposal } = await investigated('f'.repeat(40));
    expect(proposal).toMatchObject({ touches: null, approvals_needed: 2, caution: ['What it touches could not be found out.'] });
    await decide(proposal.proposal_id, 'approve', {});
    await decide(proposal.proposal_id, 'approve', {}, second);
    expect(await reach(proposal.proposal_id, 'failed')).toMatchObject({ outcome: expect.stringContaining('404') });
    expect(await timelineOf(alertId)).toContainEqual(expect.stringContaining('action: Isolate machine failed'));
  });

  it('have to where the connection demands it', async () => {
    const demand = (needs_second_person: boolean) =>
      service.request('PATCH', `/platformapi/connections/${connectionId}`, { body: { needs_second_person } });
    const { proposal } = await investigated(DANA_PC.machineId);
    await demand(true);
    onTestFinished(async () => void (await demand(false)));
    expect(await decide(proposal.proposal_id, 'approve', {})).toMatchObject({ body: { state: 'waiting', approvals_needed: 2 } });
    expect(await decide(proposal.proposal_id, 'refuse', { reason: 'On second thoughts.' })).toMatchObject({ body: { state: 'refused' } });
  });

  it('have to for a write by hand that touches a protected tag', async () => {
    await protect('tag', "server's room");
    const before = actionsOn(FILE_SERVER.machineId, 'RunAntiVirusScan').length;
    const asked = await run('run-antivirus-scan', FILE_SERVER.machineId);
    expect(asked).toMatchObject({
      status: 202,
      body: { state: 'proposed', problem: { code: 'SecondPersonNeeded', message: expect.stringContaining("server's room") } },
    });
    const decision = `/platformapi/skill-runs/${asked.body.run_id}/decision`;
    expect(await service.request('POST', decision, { body: { approve: true } })).toMatchObject({ status: 409 });
    expect(actionsOn(FILE_SERVER.machineId, 'RunAntiVirusScan')).toHaveLength(before);
    expect(await service.request('POST', decision, { key: second, body: { approve: true } })).toMatchObject({
      status: 200,
      body: { state: 'done', problem: null },
    });
    expect(await run('run-antivirus-scan', INES_MAC.machineId)).toMatchObject({ status: 200 });
  });
});

const stop = () => service.request('POST', '/platformapi/response/stop', { body: { organization_code: 'DEMO', reason: 'Wait a moment.' } });
const resume = () => service.request('POST', '/platformapi/response/resume', { body: { organization_code: 'DEMO', reason: 'Go on.' } });

describe('the rules of the organization', () => {
  it('hold every write while the switch is off, a person’s own as well, and let each go on', async () => {
    const { proposal } = await investigated(DANA_PC.machineId);
    const sent = () => endpoints.requests.filter(({ method, url }) => method === 'POST' && !url.endsWith('/token')).length;
    const before = sent();
    expect(await stop()).toMatchObject({ status: 200, body: { stopped: true } });
    await decide(proposal.proposal_id, 'approve', {});
    const held = await waitFor('it to be held', async () => (await read(proposal.proposal_id)).held_because);
    expect(held).toContain('Wait a moment.');
    const byHand = await run('run-antivirus-scan', RUI_PC.machineId);
    expect(byHand).toMatchObject({ status: 202, body: { state: 'running', problem: { code: 'WritesHeld' } } });
    expect(await read(proposal.proposal_id)).toMatchObject({ state: 'approved' });
    expect(sent()).toBe(before);
    expect(await resume()).toMatchObject({ status: 200, body: { stopped: false } });
    await reach(proposal.proposal_id, 'done');
    await waitFor('the run by hand', async () => (await readRun(byHand.body.run_id)).state === 'done');
    expect((await readRun(byHand.body.run_id)).problem).toBeNull();
    expect(sent()).toBe(before + 2);
    const attempts = (await eventsOf(proposal.proposal_id)).flatMap((event) => event.activityTaskStartedEventAttributes?.attempt ?? []);
    expect(new Set(attempts)).toEqual(new Set([1]));
  });

  it('let a held one be refused', async () => {
    const { proposal } = await investigated(DANA_PC.machineId);
    const before = actionsOn(DANA_PC.machineId, 'Isolate').length;
    await stop();
    await decide(proposal.proposal_id, 'approve', {});
    await waitFor('it to be held', async () => (await read(proposal.proposal_id)).held_because);
    expect(await decide(proposal.proposal_id, 'refuse', { reason: 'No longer.' })).toMatchObject({ status: 200 });
    await waitFor('its run to end', async () => (await statusOf(proposal.proposal_id)) === 'COMPLETED');
    await resume();
    expect(actionsOn(DANA_PC.machineId, 'Isolate')).toHaveLength(before);
  });

  it('hold what exceeds the limit of an hour until there is room', async () => {
    const limit = (writes_per_hour: number) =>
      service.request<{ writes_last_hour: number }>('PATCH', '/platformapi/response', {
        body: { organization_code: 'DEMO', writes_per_hour },
      });
    const { body: rules } = await limit(1000);
    onTestFinished(async () => void (await limit(1000)));
    await limit(rules.writes_last_hour);
    const first = await run('run-antivirus-scan', DANA_PC.machineId);
    expect(first).toMatchObject({
      status: 202,
      body: { problem: { message: expect.stringContaining(`its limit is ${rules.writes_last_hour}`) } },
    });
    const isDone = async (runId: string) => (await readRun(runId)).state === 'done';
    await limit(rules.writes_last_hour + 1);
    await waitFor('it to go where there is room', () => isDone(first.body.run_id));
    // The oldest leaves the hour in a moment: nobody has to wake who waits for its place.
    await service.database.sql`update skill_results set started_at = now() - interval '1 hour' + interval '6 seconds'
      where operation_key = (select operation_key from skill_results where operation_key is not null and status <> 'failed' order by started_at limit 1)`;
    const other = await run('run-antivirus-scan', INES_MAC.machineId);
    expect(other).toMatchObject({ status: 202, body: { problem: { code: 'WritesHeld' } } });
    await waitFor('the other to go', () => isDone(other.body.run_id));
  });
});

describe('what is lost', () => {
  it('is started again, with what was decided meanwhile', async () => {
    const { proposal } = await investigated(INES_MAC.machineId);
    await lose(proposal.proposal_id);
    expect(await decide(proposal.proposal_id, 'approve', {})).toMatchObject({ status: 200, body: { state: 'approved' } });
    await reconcile();
    await reach(proposal.proposal_id, 'done');
  });

  it('is started again though its first run asked for the second person who has approved since', async () => {
    await protect('host', INES_MAC.name);
    const asked = await run('run-antivirus-scan', INES_MAC.machineId);
    expect(asked.body.state).toBe('proposed');
    // As if the API had died between the decision and the start.
    await service.database.sql`update skill_runs set state = 'running', decided_by = 'second', asked_at = now() - interval '1 hour'
      where run_uuid = ${asked.body.run_id}`;
    await reconcile();
    await waitFor('the run', async () => (await readRun(asked.body.run_id)).state === 'done');
  });

  it('is said to be, where a person ended its run', async () => {
    const { alertId, proposal } = await investigated(INES_MAC.machineId);
    await service.temporal.workflow.getHandle(proposalWorkflowId(proposal.proposal_id)).terminate();
    await age(proposal.proposal_id);
    await reconcile();
    expect(await read(proposal.proposal_id)).toMatchObject({ state: 'failed', outcome: 'Its run was ended in Temporal (terminated).' });
    expect(await timelineOf(alertId)).toContainEqual(expect.stringContaining('Its run was ended in Temporal'));
  });
});

describe('while Temporal is away', () => {
  it('what is decided stands, and is followed when it is back', { timeout: 300_000 }, async () => {
    const cli = await findTemporalCli({ given: process.env['TEMPORAL_CLI'], log });
    const temporal = { cli, folder: path.join(folder, 'temporal'), uiPort: 0, namespaces: ['default'], log };
    let server = await startTemporal(temporal);
    const port = Number(server.address.split(':')[1]);
    const usual = service;
    // The helpers above speak to this one until the test is over.
    service = await startTestService({
      env: { ...outgoing, TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default' },
      reconcile: { everySeconds: 1, untouchedForSeconds: 0 },
    });
    onTestFinished(async () => {
      await service.stop();
      await server.stop();
      service = usual;
    });
    await connect();
    const released = (machineId: string) => actionsOn(machineId, 'Unisolate').length;
    const before = COMPUTERS.map(({ machineId }) => released(machineId));
    const isolated = async (machineId: string) => {
      const { alertId, proposal } = await investigated(machineId);
      await decide(proposal.proposal_id, 'approve', {});
      await reach(proposal.proposal_id, 'done');
      const undo = (await proposalsOf(alertId)).find(({ undo_of }) => undo_of !== null) ?? expect.fail('there is no undo');
      return { proposalId: proposal.proposal_id, undoId: undo.proposal_id };
    };
    const dueIn = (undoId: string, seconds: number) =>
      service.database.sql`update proposals set run_at = now() + make_interval(secs => ${seconds}) where proposal_uuid = ${undoId}`;
    const beginsIn = async (undoId: string) => {
      const { executionTime } = await service.temporal.workflow.getHandle(proposalWorkflowId(undoId)).describe();
      return ((executionTime?.getTime() ?? 0) - Date.now()) / 1000;
    };

    const [sooner, later, forGood] = [
      await isolated(DANA_PC.machineId),
      await isolated(RUI_PC.machineId),
      await isolated(FILE_SERVER.machineId),
    ];
    const { alertId, proposal: waiting } = await investigated(INES_MAC.machineId);
    for (const { undoId } of [later, forGood]) await dueIn(undoId, 30);
    for (const { undoId } of [later, forGood]) await waitFor('its run to be moved', async () => (await beginsIn(undoId)) < 60);

    await server.stop();
    const reconfirmed = (hours: number | null) => ({ hours, reason: 'As long as it takes.' });
    const approval = { release_after_hours: 2 };
    expect(await decide(sooner.proposalId, 'reconfirm', reconfirmed(1))).toMatchObject({ status: 200 });
    expect(await decide(later.proposalId, 'reconfirm', reconfirmed(48))).toMatchObject({ status: 200 });
    expect(await decide(forGood.proposalId, 'reconfirm', reconfirmed(null))).toMatchObject({ status: 200 });
    expect(await decide(waiting.proposal_id, 'approve', approval)).toMatchObject({ status: 200, body: { state: 'approved' } });
    server = await startTemporal({ ...temporal, port });

    await waitFor('the sooner one to be moved', async () => (await beginsIn(sooner.undoId)) < 3600);
    expect(await beginsIn(sooner.undoId)).toBeGreaterThan(3000);
    await reach(waiting.proposal_id, 'done');
    const undo = (await proposalsOf(alertId)).find(({ undo_of }) => undo_of !== null);
    expect(undo?.run_at).toBeLessThan(Date.now() / 1000 + 2 * 3600 + 60);
    // The runs that could not be told begin at the old time, and find out what was decided.
    await waitFor('the withdrawn one to end', async () => (await statusOf(forGood.undoId)) === 'COMPLETED');
    const timers = async (undoId: string) =>
      (await eventsOf(undoId)).flatMap(({ timerStartedEventAttributes: timer }) =>
        timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
      );
    await waitFor('the later one to wait on', async () => (await timers(later.undoId)).length > 0);
    expect((await timers(later.undoId))[0]).toBeGreaterThan(47 * 3600);
    expect(COMPUTERS.map(({ machineId }) => released(machineId))).toEqual(before);

    // One that waits inside its run is woken when it is due; one whose run has not begun is begun in time.
    for (const { undoId } of [sooner, later]) await dueIn(undoId, 1);
    for (const { undoId } of [sooner, later]) await reach(undoId, 'done');
    expect(released(DANA_PC.machineId) + released(RUI_PC.machineId)).toBe((before[0] ?? 0) + (before[1] ?? 0) + 2);
  });
});

it('replays all that this left', async () => {
  expect(await replayAll(service)).toBeGreaterThan(20);
});
