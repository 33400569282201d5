import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../../domain/identity/identity.js';
import type { Proposal } from '../../../domain/response/proposal.js';
import { toSkillKey } from '../../../domain/skill-key.js';
import type { Connection } from '../../../services/connections/wire.js';
import type { Context } from '../../../services/context.js';
import { CommandError } from '../../../services/errors.js';
import { approveProposal } from '../../../services/proposals/approve.js';
import { requestWrite } from '../../../services/proposals/request.js';
import { decideRun } from '../../../services/skill-runs/decide.js';
import type { SkillRun } from '../../../services/skill-runs/wire.js';
import { adminPrincipal } from '../../support/principal.js';
import { ago, changeProposals, storeProposal, storeSkillRun } from '../../support/rows.js';
import { startTestService, type TestService } from '../../support/service.js';
import { idleContext } from '../../support/service-context.js';
import { unreachableEndpoints } from '../../support/unreachable-endpoints.js';

let service: TestService;
let connectionId: string;
let runId: string;
/** The person who requests the writes. */
let requester: string;
const people = new Map<string, Principal>();

beforeAll(async () => {
  service = await startTestService({ worker: false });
  const body = {
    ...unreachableEndpoints('Endpoints'),
    needs_second_person: true,
  };
  requester = (await service.createPerson('admin')).api_key;
  for (const name of ['dana', 'second', 'third']) {
    const { user_uuid: userUuid } = await service.createPerson('admin', null, name);
    people.set(name, { ...adminPrincipal(name, userUuid), userUuid });
  }
  connectionId = (await service.request<Connection>('POST', '/platformapi/connections', { body })).body.connection_id;
});
afterAll(() => service.stop());

beforeEach(async () => {
  const body = { input: { machine_id: 'm1', comment: 'Stolen.' }, confirm: true };
  const path = `/platformapi/connections/${connectionId}/skills/isolate-machine`;
  runId = (await service.request<SkillRun>('POST', path, { key: requester, body })).body.run_id;
});

const contextOf = (name: string, runner: Partial<Context['runner']> = {}): Context => {
  const idle = idleContext(service);
  return { ...idle, by: people.get(name) ?? adminPrincipal(name), runner: { ...idle.runner, ...runner } };
};

const list = async (query: string) =>
  (await service.request<{ items: Proposal[] }>('GET', `/platformapi/proposals?limit=200${query}`)).body.items;

describe('a manual write that needs a second person', () => {
  it('is a proposal with a requester and without an alert, which is listed on request', async () => {
    const listed = (await list('&manual=true&state=waiting')).find(({ proposal_id }) => proposal_id === runId);
    expect(listed).toMatchObject({ case_id: null, alert_id: null, state: 'waiting', approvals_needed: 2, expires_at: expect.any(Number) });
    expect(listed?.decisions).toMatchObject([{ by: listed?.requested_by, decision: 'approve' }]);
    expect((await list('')).map(({ proposal_id }) => proposal_id)).not.toContain(runId);
  });

  it('cannot be approved by its requester on any route, and is approved once by a second person', async () => {
    const approve = { body: { approve: true } };
    for (const [path, given] of [
      [`/platformapi/skill-runs/${runId}/decision`, approve],
      [`/platformapi/proposals/${runId}/approve`, { body: {} }],
    ] as const) {
      const reply = await service.request('POST', path, { key: requester, ...given });
      expect(reply).toMatchObject({ status: 409, body: { detail: expect.stringContaining('You requested this run') } });
    }
    const signalled: (readonly string[])[] = [];
    const second = contextOf('second', { signal: async (ids) => void signalled.push(ids) });
    expect(await approveProposal(second, runId, {})).toMatchObject({ state: 'approved' });
    expect(signalled).toEqual([[`proposal-${runId}`]]);
    await expect(approveProposal(contextOf('third'), runId, {})).rejects.toMatchObject({ refusal: 'conflict' });
    expect((await service.request<SkillRun>('GET', `/platformapi/skill-runs/${runId}`)).body).toMatchObject({
      state: 'running',
      decided_by: 'second',
    });
  });

  it('can be refused by its requester, whose name the run then shows', async () => {
    const refused = await service.request<SkillRun>('POST', `/platformapi/skill-runs/${runId}/decision`, {
      key: requester,
      body: { approve: false },
    });
    expect(refused.body).toMatchObject({ state: 'refused', decided_by: refused.body.asked_by, problem: null });
    await expect(approveProposal(contextOf('second'), runId, {})).rejects.toMatchObject({ refusal: 'conflict' });
  });

  it('expires like any proposal', async () => {
    await changeProposals(service, { proposalUuid: runId }, { expiresAt: ago({ seconds: 1 }) });
    await expect(approveProposal(contextOf('second'), runId, {})).rejects.toMatchObject({ refusal: 'conflict' });
    await changeProposals(service, { proposalUuid: runId }, { state: 'expired', endedAt: ago({}) });
    expect((await service.request<SkillRun>('GET', `/platformapi/skill-runs/${runId}`)).body).toMatchObject({
      state: 'refused',
      decided_by: null,
      problem: { code: 'Expired' },
    });
  });
});

describe('the deprecated decision', () => {
  it('does not apply to a read or to the proposal of an alert', async () => {
    const { alert_uuid: alertUuid } = await service.sendAlert({ alert_type: 'Testbed proposing' });
    const read = await storeSkillRun(service, { connectionUuid: connectionId });
    const ofAlert = await storeProposal(service, { connectionUuid: connectionId, alertUuid });
    await expect(decideRun(contextOf('second'), read, { approve: true })).rejects.toMatchObject({ refusal: 'conflict' });
    await expect(decideRun(contextOf('second'), ofAlert, { approve: true })).rejects.toMatchObject({ refusal: 'not-found' });
  });
});

describe('without Temporal', () => {
  const unavailable = async () => {
    throw new CommandError('unavailable', 'Try again.');
  };
  const request = async (needsSecondPerson: boolean) => {
    const [connection] = await service.database.pg<{ organization: string }[]>`
      select organization_uuid as organization from connections where connection_uuid = ${connectionId}`;
    const write = {
      organizationUuid: connection?.organization ?? '',
      connectionUuid: connectionId,
      connectorKey: 'endpointDetection',
      verb: 'isolateMachine',
      skillKey: toSkillKey('endpointDetection', 'isolateMachine'),
      skillId: 'Isolate machine',
      input: { machine_id: 'm1', comment: 'x' },
    };
    return requestWrite(contextOf('dana', { startOnce: unavailable }), write, { needsSecondPerson });
  };

  it.each([
    [true, 'waiting'],
    [false, 'approved'],
  ])('accepts a write once, for the reconcile pass to start (a second person is needed: %s)', async (needsSecondPerson, state) => {
    const accepted = await request(needsSecondPerson);
    expect((await list('&manual=true')).find(({ proposal_id }) => proposal_id === accepted)).toMatchObject({ state });
  });
});
