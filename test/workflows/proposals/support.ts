import { expect, onTestFinished } from 'vitest';
import type { EndpointDetectionStandInState } from '../../../connectors/endpoint-detection/stand-in.js';
import { COMPANY } from '../../../connectors/kit/stand-in/company.js';
import type { StandIn } from '../../../connectors/kit/stand-in/stand-in.js';
import { PROPOSAL_CHANGED, type Proposal, type ProposalState, proposalWorkflowId } from '../../../domain/response/proposal.js';
import { ago, changeProposals } from '../../support/rows.js';
import { type TestService, waitFor } from '../../support/service.js';
import { createConnection, startWithThirdParties } from '../../support/with-third-parties.js';

export const isIsolate = ({ url }: { url: string }) => url.endsWith('/isolate');

export const DONE_THERE = 'The third party reports that this is already done.';

export type ProposalKit = Awaited<ReturnType<typeof startProposalKit>>;

/** Starts a service with a connection to the endpoint platform, whose actions complete quickly. */
export async function startProposalKit(env: Record<string, string> = {}) {
  const { service, thirdParties, egress, stop } = await startWithThirdParties({ env });
  const endpoints = thirdParties.standIns.endpointDetection;
  endpoints.state.actionSeconds = 1;
  return { ...(await proposalKit(service, endpoints)), egress, stop };
}

/** Connects this service to this endpoint platform. The returned helpers use only these two. */
export async function proposalKit(service: TestService, endpoints: StandIn<EndpointDetectionStandInState>) {
  const { clientId: client_id, clientSecret: client_secret } = endpoints.state.identity;
  const connectionId = await createConnection(service, {
    connector: 'endpoint-detection',
    instance_name: 'Endpoints',
    settings: { auth_url: endpoints.url, api_host: endpoints.url },
    credentials: { tenant_id: COMPANY.tenantId, client_id, client_secret },
  });

  // Two people, because the key of the test service never counts as a person.
  const { api_key: firstAdmin } = await service.createPerson('admin');
  const { api_key: secondAdmin } = await service.createPerson('admin');

  /** Relaxes a rule, with a second person where one is needed. */
  async function relax(method: string, path: string, body?: object) {
    const given = { key: firstAdmin, ...(body === undefined ? {} : { body }) };
    const reply = await service.request(method, path, given);
    return reply.status === 202 ? service.request(method, path, { ...given, key: secondAdmin }) : reply;
  }

  async function listProposals(alertId: string): Promise<Proposal[]> {
    const { body } = await service.request<{ items: Proposal[] }>('GET', '/platformapi/proposals?limit=200');
    return body.items.filter((proposal) => proposal.alert_id === alertId);
  }

  async function investigated(machineId: string): Promise<{ alertId: string; proposal: Proposal }> {
    const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Testbed proposing', alert_content: machineId });
    await service.waitForStatus(alertId, 15);
    const [proposal] = await listProposals(alertId);
    return { alertId, proposal: proposal ?? expect.fail('nothing was proposed') };
  }

  async function reinvestigated(alertId: string): Promise<Proposal[]> {
    await service.request('POST', `/platformapi/alerts/${alertId}/investigate`);
    await waitFor('the second investigation', async () => {
      const { timeline } = await service.readCase(alertId);
      return timeline.filter(({ kind }) => kind === 'concluded').length === 2;
    });
    return listProposals(alertId);
  }

  /** Returns the waiting proposal that follows the failed one. */
  async function proposedAgain(alertId: string): Promise<Proposal> {
    const proposals = await reinvestigated(alertId);
    expect(proposals.map(({ state }) => state).sort()).toEqual(['failed', 'waiting']);
    return proposals.find(({ state }) => state === 'waiting') ?? expect.fail('nothing waits');
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

  const decide = (proposalId: string, verb: 'approve' | 'refuse' | 'reconfirm' | 'release', body: object, key = firstAdmin) =>
    service.request<Proposal>('POST', `/platformapi/proposals/${proposalId}/${verb}`, { body, key });

  const run = (slug: string, machineId: string) =>
    service.request<{ run_id: string; state: string; problem: { code: string; message: string } | null }>(
      'POST',
      `/platformapi/connections/${connectionId}/skills/${slug}`,
      { key: firstAdmin, body: { input: { machine_id: machineId, comment: 'By hand.' }, confirm: true } },
    );

  /** Reads a run in its final state. */
  const readRun = async (runId: string) =>
    (await service.request<{ state: string; problem: { code: string } | null }>('GET', `/platformapi/skill-runs/${runId}`)).body;

  const actionsOn = (machineId: string, type: string) =>
    endpoints.state.actions.filter((action) => action.machineId === machineId && action.type === type);

  /** As a colleague who uses the platform itself. */
  function actInConsole(machineId: string, type: string): void {
    const now = new Date().toISOString();
    endpoints.state.actions.unshift({
      id: `console-${endpoints.state.actions.length}`,
      type,
      status: 'Succeeded',
      machineId,
      requestorComment: 'By a colleague.',
      creationDateTimeUtc: now,
      lastUpdateDateTimeUtc: now,
    });
  }

  /** The number of actions that this service sent. */
  const countActions = () => endpoints.requests.filter(({ method, url }) => method === 'POST' && url.includes('/machines/')).length;

  async function protect(kind: string, value: string): Promise<void> {
    const body = { organization_code: 'DEMO', kind, value, reason: 'Nobody works without it.' };
    const reply = await service.request<{ asset_id: string }>('POST', '/platformapi/protected-assets', { body });
    expect(reply.status).toBe(201);
    onTestFinished(async () => {
      await relax('DELETE', `/platformapi/protected-assets/${reply.body.asset_id}`);
    });
  }

  const decideRun = (runId: string, approve: boolean, key = firstAdmin) =>
    service.request<{ state: string }>('POST', `/platformapi/skill-runs/${runId}/decision`, { body: { approve }, key });

  const stopWrites = () =>
    service.request('POST', '/platformapi/response/stop', { body: { organization_code: 'DEMO', reason: 'Wait a moment.' } });
  const resumeWrites = () => relax('POST', '/platformapi/response/resume', { organization_code: 'DEMO', reason: 'Go on.' });

  const demandSecondPerson = (needs_second_person: boolean | null) =>
    relax('PATCH', `/platformapi/connections/${connectionId}`, { needs_second_person });

  async function findNote(alertId: string) {
    return (await service.readCase(alertId)).evidence.find(({ title }) => title.startsWith('Proposed'));
  }

  async function readTimeline(alertId: string): Promise<string[]> {
    return (await service.readCase(alertId)).timeline.map(({ kind, text }) => `${kind}: ${text}`);
  }

  const proposalHandle = (proposalId: string) => service.temporal.workflow.getHandle(proposalWorkflowId(proposalId));

  const signal = (proposalId: string) => proposalHandle(proposalId).signal(PROPOSAL_CHANGED);

  async function listEvents(proposalId: string) {
    return (await proposalHandle(proposalId).fetchHistory()).events ?? [];
  }

  async function readStatus(proposalId: string): Promise<string> {
    return (await proposalHandle(proposalId).describe()).status.name;
  }

  /** Returns the start delay of its run. */
  async function readStartDelay(proposalId: string): Promise<number> {
    const [started] = await listEvents(proposalId);
    return Number(started?.workflowExecutionStartedEventAttributes?.firstWorkflowTaskBackoff?.seconds ?? 0);
  }

  const age = (proposalUuid: string) => changeProposals(service, { proposalUuid }, { proposedAt: ago({ hours: 1 }) });

  /** Deletes the run, as if its start an hour ago was lost. */
  async function lose(proposalId: string): Promise<void> {
    const workflowExecution = { workflowId: proposalWorkflowId(proposalId) };
    await service.temporal.workflowService.deleteWorkflowExecution({ namespace: service.settings.TEMPORAL_NAMESPACE, workflowExecution });
    await waitFor('the run to be deleted', async () =>
      readStatus(proposalId).then(
        () => false,
        () => true,
      ),
    );
    await age(proposalId);
  }

  const reconcile = () =>
    service.temporal.workflow.execute('reconcile', {
      taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
      workflowId: `reconcile-${Math.random()}`,
    });

  return {
    service,
    endpoints,
    connectionId,
    firstAdmin,
    listProposals,
    investigated,
    reinvestigated,
    proposedAgain,
    read,
    reach,
    decide,
    run,
    readRun,
    decideRun,
    actionsOn,
    actInConsole,
    countActions,
    protect,
    stopWrites,
    resumeWrites,
    demandSecondPerson,
    findNote,
    readTimeline,
    proposalHandle,
    signal,
    listEvents,
    readStatus,
    readStartDelay,
    age,
    lose,
    reconcile,
  };
}
