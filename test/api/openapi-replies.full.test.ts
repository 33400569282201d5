import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { catalogue } from '../../connectors/catalogue.js';
import type { Playbook, PlaybookSummary } from '../../services/playbooks/wire.js';
import { endProposal } from '../../services/proposals/end.js';
import { storeSkillResult } from '../support/rows.js';
import { startTestService, type TestService, waitFor } from '../support/service.js';
import { idleContext } from '../support/service-context.js';
import { unreachableEndpoints } from '../support/unreachable-endpoints.js';
import { inviteAndJoin } from '../support/users.js';
import { type ApiDocument, type Json, type JsonObject, readDocument } from './support/openapi.js';
import { investigate, proposeIsolation } from './support/records.js';

let service: TestService;
let api: ApiDocument;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  api = await readDocument(service);
});
afterAll(() => service.stop());

function guardedConnection(name: string) {
  return {
    ...unreachableEndpoints(name),
    needs_second_person: true,
  };
}

const storeResult = () => storeSkillResult(service, { skillId: 'List Alerts', output: { items: [] } });

it('match the document for every operation', async () => {
  const alert = await service.sendAlert();
  const caseId = await investigate(service, alert);
  const mergedCase = await investigate(service, await service.sendAlert());
  const playbooks = await service.request<{ items: PlaybookSummary[] }>('GET', '/platformapi/playbooks');
  const ofType = playbooks.body.items.find(({ alert_types }) => alert_types.includes(alert.alert_type));
  // The first change of a type's playbook would give it its own plan: change that of its category.
  const listed = ofType?.plan_of;
  const { body: generated } = await service.request<Playbook>('GET', `/platformapi/playbooks/${listed?.playbook_id}`);
  const { key_uuid } = await service.createKey('sender');
  const { api_key: other } = await service.createPerson('analyst');
  const connections = '/platformapi/connections';
  const made = async (where: TestService, body: object) => (await where.request<JsonObject>('POST', connections, { body })).body;
  const guarded = (await made(service, guardedConnection('Guarded')))['connection_id'];
  const spare = (await made(service, { ...guardedConnection('Spare'), needs_second_person: false }))['connection_id'];
  const links = `${connections}/${guarded}/credential-links`;
  const spareLink = (await service.request<JsonObject>('POST', links, { body: {} })).body['link_id'];
  const { credentials: _, ...asked } = guardedConnection('Asked for');
  const isolate = { input: { machine_id: 'a'.repeat(40), comment: 'contain it' }, confirm: true };
  const isolating = `${connections}/${guarded}/skills/isolate-machine`;
  const proposed = (await service.request<JsonObject>('POST', isolating, { key: other, body: isolate })).body['run_id'];
  const resultId = await storeResult();
  const proposal = await proposeIsolation(service, alert.alert_id, String(guarded), { releaseAfterHours: 1 });
  const refused = await proposeIsolation(service, alert.alert_id, String(guarded), { proposalKey: 'refused' });
  const done = await proposeIsolation(service, alert.alert_id, String(guarded), {
    proposalKey: 'done',
    releaseAfterHours: 1,
    input: { machine_id: 'm1' },
  });
  await endProposal(idleContext(service), catalogue, done, { resultId, outcome: 'Succeeded' });
  const asset = { organization_code: 'DEMO', kind: 'host', value: 'documented', reason: 'x' };
  const spareAsset = await service.request<JsonObject>('POST', '/platformapi/protected-assets', { body: { ...asset, value: 'spare' } });
  const unprotect = `/platformapi/protected-assets/${spareAsset.body['asset_id']}`;
  const agent = await service.request<JsonObject>('POST', '/platformapi/remote-agents', {
    body: { organization_code: 'DEMO', name: 'x' },
  });
  const confirmAgent = `/platformapi/remote-agents/${agent.body['agent_id']}/confirm`;
  await service.request('POST', confirmAgent, { key: (await service.createPerson('admin')).api_key });
  const view = await service.request<JsonObject>('POST', '/platformapi/saved-views', {
    body: { list: 'cases', name: 'kept', filters: { severity: 'high' } },
  });
  const knowledge = '/platformapi/organizations/DEMO/knowledge';
  const retention = '/platformapi/organizations/DEMO/retention';
  const sla = '/platformapi/organizations/DEMO/sla';
  const known = await service.request<JsonObject>('POST', knowledge, { body: { kind: 'domain', value: 'known.example' } });
  // Only a worker can call a third party. This third party does not exist, and the reply still has the documented format.
  const working = await startTestService();
  onTestFinished(() => working.stop());
  const untested = (await made(working, guardedConnection('Untested')))['connection_id'];
  const onWorking = new Set(['reconnectConnectionAPI', 'testConnectionAPI', 'testNotificationChannelAPI', 'replayNotificationDeliveryAPI']);
  const tasks = `/platformapi/cases/${caseId}/tasks`;
  const templates = '/platformapi/organizations/DEMO/task-templates';
  const files = `/platformapi/cases/${caseId}/attachments`;
  const asFile = { 'content-type': 'application/octet-stream' };
  const added = await service.request<{ items: JsonObject[] }>('POST', tasks, { body: { titles: ['one', 'two'] } });
  const [task, spareTask] = added.body.items.map((each) => String(each['task_id']));
  const template = await service.request<JsonObject>('PUT', templates, { body: { alert_type: 'spare', tasks: ['x'] } });
  const file = await service.request<JsonObject>('POST', `${files}?name=spare`, { body: 'x', headers: asFile });
  const member = await inviteAndJoin(service);
  const invitations = '/platformapi/invitations';
  const invite = { email: 'spare@demo.example', role: 'analyst', organization_code: 'DEMO' };
  const invited = await service.request<JsonObject>('POST', invitations, { body: invite });
  const { body: sessions } = await service.request<{ items: JsonObject[] }>('GET', '/platformapi/sessions');
  const mappings = '/platformapi/claim-mappings';
  const mapping = { claim: 'groups', value: 'spare', role: 'analyst', organization_code: 'DEMO' };
  const mapped = await service.request<JsonObject>('POST', mappings, { body: mapping });
  const channels = '/platformapi/notification-channels';
  const webhook = (name: string) => ({ organization_code: 'DEMO', name, kind: 'webhook', settings: { url: 'https://hooks.example/x' } });
  const createChannel = async (on: TestService, name: string) =>
    String((await on.request<JsonObject>('POST', channels, { body: webhook(name) })).body['channel_id']);
  const [channel, spareChannel] = [await createChannel(service, 'kept'), await createChannel(service, 'spare')];
  const testable = await createChannel(working, 'testable');
  const rules = '/platformapi/notification-rules';
  const rule = { name: 'x', channel_id: channel, events: ['case.opened'] };
  const addRule = async () =>
    String((await service.request<JsonObject>('POST', rules, { body: { ...rule, organization_code: 'DEMO' } })).body['rule_id']);
  const [kept, spareRule] = [await addRule(), await addRule()];
  const failed = (await working.request<JsonObject>('POST', `${channels}/${testable}/test`)).body['delivery_id'];
  const person = await service.createPerson('analyst');
  const asPerson = { authorization: `Bearer ${person.api_key}` };
  await service.request('PATCH', `/platformapi/cases/${caseId}`, { body: { assignee: person.name } });
  const entry = await waitFor('an entry', async () => {
    const { body } = await service.request<{ items: JsonObject[] }>('GET', '/platformapi/inbox', { headers: asPerson });
    return body.items[0]?.['entry_id'];
  });
  const requests: Record<string, [status: number, path: string, body?: unknown, headers?: Record<string, string>]> = {
    getUserListAPI: [200, '/platformapi/users'],
    getClaimMappingListAPI: [200, mappings],
    createClaimMappingAPI: [201, mappings, { ...mapping, value: 'documented' }],
    deleteClaimMappingAPI: [204, `${mappings}/${mapped.body['mapping_uuid']}`],
    createInvitationAPI: [201, invitations, { ...invite, email: 'documented@demo.example' }],
    getInvitationListAPI: [200, invitations],
    revokeInvitationAPI: [204, `${invitations}/${invited.body['invitation_uuid']}`],
    getSessionListAPI: [200, '/platformapi/sessions'],
    revokeSessionAPI: [204, `/platformapi/sessions/${sessions.items[0]?.['session_uuid']}`],
    getUserBelongingsAPI: [200, `/platformapi/users/${member.userUuid}/belongings`],
    handOverBelongingsAPI: [200, `/platformapi/users/${member.userUuid}/hand-over`, { to_user_id: person.user_uuid }],
    deactivateUserAPI: [204, `/platformapi/users/${member.userUuid}/deactivate`],
    getCaseTaskListAPI: [200, tasks],
    createCaseTasksAPI: [201, tasks, { titles: ['documented'] }],
    updateCaseTaskAPI: [200, `${tasks}/${task}`, { done: true }],
    deleteCaseTaskAPI: [204, `${tasks}/${spareTask}`],
    getAttachmentListAPI: [200, files],
    createAttachmentAPI: [201, `${files}?name=documented`, 'x', asFile],
    deleteAttachmentAPI: [204, `${files}/${file.body['attachment_id']}`],
    getTaskTemplateListAPI: [200, templates],
    saveTaskTemplateAPI: [200, templates, { alert_type: 'documented', tasks: ['x'] }],
    deleteTaskTemplateAPI: [204, `${templates}/${template.body['template_id']}`],
    getNotificationChannelKindListAPI: [200, '/platformapi/notification-channel-kinds'],
    getNotificationChannelListAPI: [200, channels],
    createNotificationChannelAPI: [201, channels, webhook('documented')],
    updateNotificationChannelAPI: [200, `${channels}/${channel}`, { is_enabled: true }],
    deleteNotificationChannelAPI: [204, `${channels}/${spareChannel}`],
    rotateNotificationSecretAPI: [200, `${channels}/${channel}/rotate-secret`],
    testNotificationChannelAPI: [200, `${channels}/${testable}/test`],
    replayNotificationChannelAPI: [200, `${channels}/${channel}/replay`],
    getNotificationRuleListAPI: [200, rules],
    createNotificationRuleAPI: [201, rules, { ...rule, organization_code: 'DEMO' }],
    updateNotificationRuleAPI: [200, `${rules}/${kept}`, rule],
    deleteNotificationRuleAPI: [204, `${rules}/${spareRule}`],
    getNotificationDeliveryListAPI: [200, '/platformapi/notification-deliveries'],
    replayNotificationDeliveryAPI: [200, `/platformapi/notification-deliveries/${failed}/replay`],
    getInboxAPI: [200, '/platformapi/inbox', undefined, asPerson],
    getUnreadCountAPI: [200, '/platformapi/inbox/unread-count', undefined, asPerson],
    markInboxEntryReadAPI: [204, `/platformapi/inbox/${entry}/read`, undefined, asPerson],
    markInboxReadAPI: [204, '/platformapi/inbox/read', {}, asPerson],
    getInboxPreferencesAPI: [200, '/platformapi/inbox/preferences', undefined, asPerson],
    saveInboxPreferencesAPI: [200, '/platformapi/inbox/preferences', { groups: {} }, asPerson],
    getConnectorListAPI: [200, '/platformapi/connectors'],
    createConnectionAPI: [201, connections, guardedConnection('Documented')],
    createConnectionLinkAPI: [201, '/platformapi/credential-links', asked],
    createCredentialLinkAPI: [201, links, { valid_hours: 1 }],
    getCredentialLinkListAPI: [200, '/platformapi/credential-links'],
    revokeCredentialLinkAPI: [204, `/platformapi/credential-links/${spareLink}`],
    getConnectionListAPI: [200, connections],
    getConnectionAPI: [200, `${connections}/${guarded}`],
    updateConnectionAPI: [200, `${connections}/${guarded}`, { description: 'documented' }],
    reconnectConnectionAPI: [200, `${connections}/${untested}/reconnect`, { credentials: { client_secret: 'x' } }],
    testConnectionAPI: [200, `${connections}/${untested}/test`],
    deleteConnectionAPI: [204, `${connections}/${spare}`],
    runSkillAPI: [202, isolating, isolate],
    getSkillRunListAPI: [200, '/platformapi/skill-runs'],
    getSkillRunAPI: [200, `/platformapi/skill-runs/${proposed}`],
    decideSkillRunAPI: [200, `/platformapi/skill-runs/${proposed}/decision`, { approve: false }],
    getSkillResultAPI: [200, `/platformapi/skill-results/${resultId}`],
    getProposalListAPI: [200, '/platformapi/proposals'],
    getProposalAPI: [200, `/platformapi/proposals/${proposal}`],
    approveProposalAPI: [200, `/platformapi/proposals/${proposal}/approve`, { release_after_hours: 2 }],
    refuseProposalAPI: [200, `/platformapi/proposals/${refused}/refuse`, { reason: 'documented' }],
    reconfirmProposalAPI: [200, `/platformapi/proposals/${done}/reconfirm`, { hours: 3, reason: 'documented' }],
    releaseProposalAPI: [202, `/platformapi/proposals/${done}/release`, { reason: 'documented' }],
    getResponseRulesAPI: [200, '/platformapi/response?organization_code=DEMO'],
    updateResponseRulesAPI: [200, '/platformapi/response', { organization_code: 'DEMO', writes_per_hour: 20 }],
    stopWritesAPI: [200, '/platformapi/response/stop', { organization_code: 'DEMO', reason: 'documented' }],
    resumeWritesAPI: [202, '/platformapi/response/resume', { organization_code: 'DEMO', reason: 'documented' }],
    getProtectedAssetListAPI: [200, '/platformapi/protected-assets'],
    createProtectedAssetAPI: [201, '/platformapi/protected-assets', asset],
    deleteProtectedAssetAPI: [202, unprotect],
    createRemoteAgentAPI: [201, '/platformapi/remote-agents', { organization_code: 'DEMO', name: 'documented' }],
    getRemoteAgentListAPI: [200, '/platformapi/remote-agents'],
    confirmRemoteAgentAPI: [204, confirmAgent],
    revokeRemoteAgentAPI: [204, `/platformapi/remote-agents/${agent.body['agent_id']}`],
    getHealth: [200, '/healthz'],
    getReadiness: [200, '/readyz'],
    getMetrics: [200, '/metrics'],
    getOverviewAPI: [200, '/platformapi/overview'],
    createAlertAPI: [
      201,
      '/platformapi/alerts',
      { organization_code: 'DEMO', alert_provider: 'siem', alert_type: 'x', alert_content: 'y', created_at_source: 1 },
    ],
    getAlertListAPI: [200, '/platformapi/alerts'],
    getAlertAPI: [200, `/platformapi/alerts/${alert.alert_id}`],
    getCaseListAPI: [200, '/platformapi/cases'],
    getCaseAPI: [200, `/platformapi/cases/${caseId}`],
    getCaseGraphAPI: [200, `/platformapi/cases/${caseId}/graph`],
    getEntityAPI: [200, '/platformapi/entity?kind=ip&value=203.0.113.9&organization_code=DEMO'],
    getEntityAlertListAPI: [200, '/platformapi/entity/alerts?kind=ip&value=203.0.113.9&organization_code=DEMO'],
    searchAPI: [200, '/platformapi/search?text=203.0.113.9'],
    updateCaseAPI: [
      200,
      `/platformapi/cases/${caseId}`,
      { status: 'closed', assignee: 'first admin', comment: 'x', analyst_verdict: { verdict: 'benign', reason: 'x' } },
    ],
    getCaseCountsAPI: [200, '/platformapi/case-counts'],
    recordCaseVisitAPI: [200, '/platformapi/case-visit'],
    changeCasesAPI: [
      200,
      '/platformapi/cases/bulk',
      { changes: [{ case_id: caseId, update: { classification: 'true_positive', add_tags: ['documented'] } }] },
    ],
    getSavedViewListAPI: [200, '/platformapi/saved-views'],
    createSavedViewAPI: [201, '/platformapi/saved-views', { list: 'cases', name: 'documented', filters: { status: 'open' } }],
    updateSavedViewAPI: [200, `/platformapi/saved-views/${view.body['view_id']}`, { is_shared: true }],
    deleteSavedViewAPI: [204, `/platformapi/saved-views/${view.body['view_id']}`],
    mergeCaseAPI: [200, `/platformapi/cases/${mergedCase}/merge`, { into: caseId, reason: 'documented' }],
    unmergeCaseAPI: [200, `/platformapi/cases/${mergedCase}/unmerge`, { reason: 'documented' }],
    investigateAlertAPI: [202, `/platformapi/alerts/${alert.alert_id}/investigate`],
    getPlaybookListAPI: [200, '/platformapi/playbooks'],
    getPlaybookAPI: [200, `/platformapi/playbooks/${generated.playbook_id}`],
    getPlaybookPlanAPI: [200, `/platformapi/playbooks/${generated.playbook_id}/plan`],
    getPlaybookStepsAPI: [200, `/platformapi/playbooks/${generated.playbook_id}/steps`],
    getPlanVersionListAPI: [200, `/platformapi/playbooks/${generated.playbook_id}/plan/versions`],
    updatePlaybookPlanAPI: [200, `/platformapi/playbooks/${generated.playbook_id}/plan`, { made_from: 1, plan: generated.plan }],
    pinPlaybookPlanAPI: [200, `/platformapi/playbooks/${generated.playbook_id}/pin`, { version: 1 }],
    createPlaybookAPI: [201, '/platformapi/playbooks', { organization_code: 'DEMO', alert_type: alert.alert_type }],
    deletePlaybookAPI: [204, `/platformapi/playbooks/${generated.playbook_id}`],
    getOrganizationListAPI: [200, '/platformapi/organizations'],
    createOrganizationAPI: [201, '/platformapi/organizations', { organization_code: 'DOCUMENTED', name: 'Documented' }],
    getPeopleListAPI: [200, '/platformapi/organizations/DEMO/people'],
    getKnowledgeListAPI: [200, knowledge],
    createKnowledgeAPI: [201, knowledge, { kind: 'domain', value: 'documented.example' }],
    updateKnowledgeAPI: [200, `${knowledge}/${known.body['knowledge_id']}`, { kind: 'nat', value: '192.0.2.1', note: 'x' }],
    deleteKnowledgeAPI: [204, `${knowledge}/${known.body['knowledge_id']}`],
    getKnowledgeSuggestionListAPI: [200, `${knowledge}-suggestions`],
    rejectKnowledgeSuggestionAPI: [204, `${knowledge}-suggestions/reject`, { kind: 'domain', value: 'rejected.example' }],
    getRetentionAPI: [200, retention],
    updateRetentionAPI: [200, retention, { rules: [{ kind: 'answers', severity: null, days: 365 }] }],
    getSignInPolicyAPI: [200, '/platformapi/organizations/DEMO/sign-in-policy'],
    saveSignInPolicyAPI: [200, '/platformapi/organizations/DEMO/sign-in-policy', { requires_two_factor: false }],
    getSlaPolicyAPI: [200, sla],
    updateSlaPolicyAPI: [200, sla, { time_zone: 'UTC', hours: [{ day: 'monday', from: '08:00', to: '17:00' }], holidays: [], targets: [] }],
    dryRunRetentionAPI: [200, `${retention}/dry-run`, { rules: [{ kind: 'alerts', severity: 'low', days: 365 }] }],
    placeLegalHoldAPI: [200, '/platformapi/organizations/DEMO/legal-hold', { reason: 'documented' }],
    releaseLegalHoldAPI: [200, '/platformapi/organizations/DEMO/legal-hold/release', { reason: 'documented' }],
    placeCaseLegalHoldAPI: [204, `/platformapi/cases/${caseId}/legal-hold`, { reason: 'documented' }],
    releaseCaseLegalHoldAPI: [204, `/platformapi/cases/${caseId}/legal-hold/release`, { reason: 'documented' }],
    getProvidersAPI: [200, '/platformapi/providers'],
    createProviderAPI: [201, '/platformapi/providers', { name: 'documented' }],
    createApiKeyAPI: [201, '/platformapi/api-keys', { name: 'x', role: 'admin', organization_code: 'DEMO', expires_at: 4_000_000_000 }],
    getApiKeyListAPI: [200, '/platformapi/api-keys'],
    revokeApiKeyAPI: [204, `/platformapi/api-keys/${key_uuid}`],
    decodePayloadsAPI: [
      200,
      '/platformapi/temporal-codec/decode',
      { payloads: [] },
      { 'x-namespace': service.settings.TEMPORAL_NAMESPACE },
    ],
    getAuditLogAPI: [200, '/platformapi/audit'],
    getThirdPartyRecordsAPI: [200, '/platformapi/third-party-records'],
    getThirdPartyRecordCopiesAPI: [200, '/platformapi/third-party-record-copies'],
  };
  expect(Object.keys(requests).sort()).toEqual(api.operations.map(({ operationId }) => operationId).sort());
  for (const [operationId, [status, path, body, headers = {}]] of Object.entries(requests)) {
    const method = api.findMethod(operationId);
    const asked = onWorking.has(operationId) ? working : service;
    const reply = await asked.request<Json>(method, path, { headers, ...(body === undefined ? {} : { body }) });
    expect(reply.status, operationId).toBe(status);
    if (status === 204) expect(reply.body).toBe('');
    else expect(api.findDifferences(operationId, status, reply.body), operationId).toEqual([]);
  }
  const items = (await service.request<{ items: unknown[] }>('GET', '/platformapi/cases')).body.items;
  expect(items.length).toBeGreaterThan(0);
});
