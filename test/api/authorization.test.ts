import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../api/app.js';
import { send } from '../../dev/attack/request.js';
import { type AttackedRoute, buildRequest, listRoutes } from '../../dev/attack/routes.js';
import { type Credential, withKey } from '../../dev/attack/target.js';
import type { AlertListItem } from '../../domain/alert/alert.js';
import type { CaseSummary } from '../../domain/case/case.js';
import { Role } from '../../domain/identity/identity.js';
import { createMetrics } from '../../platform/metrics.js';
import type { Playbook } from '../../services/playbooks/wire.js';
import { log, startTestService, type TestService } from '../support/service.js';
import { readAllPages } from './support/http.js';
import { createOrganization, investigate } from './support/records.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const everyone: readonly Role[] = ['sender', 'analyst', 'admin'];
const analysts: readonly Role[] = ['analyst', 'admin'];
const admins: readonly Role[] = ['admin'];

/** The roles that may call each operation. The test fails for a new operation until its roles are listed here. */
const EXPECTED: Readonly<Record<string, readonly Role[] | 'public'>> = {
  getHealth: 'public',
  getReadiness: 'public',
  getMetrics: 'public',
  decodePayloadsAPI: analysts,
  getOverviewAPI: analysts,
  createAlertAPI: everyone,
  getAlertListAPI: everyone,
  getAlertAPI: everyone,
  investigateAlertAPI: analysts,
  getCaseListAPI: analysts,
  getCaseAPI: analysts,
  getCaseGraphAPI: analysts,
  getEntityAPI: analysts,
  getEntityAlertListAPI: analysts,
  searchAPI: analysts,
  updateCaseAPI: analysts,
  getCaseCountsAPI: analysts,
  recordCaseVisitAPI: analysts,
  changeCasesAPI: analysts,
  getSavedViewListAPI: analysts,
  createSavedViewAPI: analysts,
  updateSavedViewAPI: analysts,
  deleteSavedViewAPI: analysts,
  mergeCaseAPI: analysts,
  unmergeCaseAPI: analysts,
  getCaseTaskListAPI: analysts,
  createCaseTasksAPI: analysts,
  updateCaseTaskAPI: analysts,
  deleteCaseTaskAPI: analysts,
  getAttachmentListAPI: analysts,
  createAttachmentAPI: analysts,
  deleteAttachmentAPI: analysts,
  getTaskTemplateListAPI: analysts,
  saveTaskTemplateAPI: admins,
  deleteTaskTemplateAPI: admins,
  getNotificationChannelKindListAPI: admins,
  getNotificationChannelListAPI: admins,
  createNotificationChannelAPI: admins,
  updateNotificationChannelAPI: admins,
  deleteNotificationChannelAPI: admins,
  rotateNotificationSecretAPI: admins,
  testNotificationChannelAPI: admins,
  replayNotificationChannelAPI: admins,
  getNotificationRuleListAPI: admins,
  createNotificationRuleAPI: admins,
  updateNotificationRuleAPI: admins,
  deleteNotificationRuleAPI: admins,
  getNotificationDeliveryListAPI: admins,
  replayNotificationDeliveryAPI: admins,
  getInboxAPI: analysts,
  getUnreadCountAPI: analysts,
  markInboxReadAPI: analysts,
  markInboxEntryReadAPI: analysts,
  getInboxPreferencesAPI: analysts,
  saveInboxPreferencesAPI: analysts,
  placeCaseLegalHoldAPI: analysts,
  releaseCaseLegalHoldAPI: admins,
  getRetentionAPI: analysts,
  updateRetentionAPI: admins,
  dryRunRetentionAPI: admins,
  getSignInPolicyAPI: admins,
  saveSignInPolicyAPI: admins,
  getSlaPolicyAPI: analysts,
  updateSlaPolicyAPI: admins,
  placeLegalHoldAPI: admins,
  releaseLegalHoldAPI: admins,
  getConnectorListAPI: analysts,
  createConnectionAPI: admins,
  getConnectionListAPI: analysts,
  getConnectionAPI: analysts,
  updateConnectionAPI: admins,
  reconnectConnectionAPI: admins,
  testConnectionAPI: analysts,
  deleteConnectionAPI: admins,
  createConnectionLinkAPI: admins,
  createCredentialLinkAPI: admins,
  getCredentialLinkListAPI: analysts,
  revokeCredentialLinkAPI: admins,
  runSkillAPI: analysts,
  getSkillRunListAPI: analysts,
  getThirdPartyRecordsAPI: analysts,
  getThirdPartyRecordCopiesAPI: analysts,
  getSkillRunAPI: analysts,
  decideSkillRunAPI: analysts,
  getSkillResultAPI: analysts,
  getProposalListAPI: analysts,
  getProposalAPI: analysts,
  approveProposalAPI: analysts,
  refuseProposalAPI: analysts,
  reconfirmProposalAPI: analysts,
  releaseProposalAPI: analysts,
  getResponseRulesAPI: analysts,
  updateResponseRulesAPI: admins,
  stopWritesAPI: admins,
  resumeWritesAPI: admins,
  getProtectedAssetListAPI: analysts,
  createProtectedAssetAPI: admins,
  deleteProtectedAssetAPI: admins,
  createRemoteAgentAPI: admins,
  getRemoteAgentListAPI: analysts,
  confirmRemoteAgentAPI: admins,
  revokeRemoteAgentAPI: admins,
  getPlaybookListAPI: analysts,
  getPlaybookAPI: analysts,
  getPlaybookPlanAPI: analysts,
  getPlaybookStepsAPI: analysts,
  getPlanVersionListAPI: analysts,
  updatePlaybookPlanAPI: admins,
  pinPlaybookPlanAPI: admins,
  createPlaybookAPI: admins,
  deletePlaybookAPI: admins,
  getOrganizationListAPI: everyone,
  createOrganizationAPI: admins,
  getPeopleListAPI: analysts,
  getKnowledgeListAPI: analysts,
  createKnowledgeAPI: admins,
  updateKnowledgeAPI: admins,
  deleteKnowledgeAPI: admins,
  getKnowledgeSuggestionListAPI: analysts,
  rejectKnowledgeSuggestionAPI: admins,
  getProvidersAPI: everyone,
  createProviderAPI: admins,
  createApiKeyAPI: admins,
  getApiKeyListAPI: admins,
  revokeApiKeyAPI: admins,
  getUserListAPI: admins,
  deactivateUserAPI: admins,
  getUserBelongingsAPI: admins,
  handOverBelongingsAPI: admins,
  createInvitationAPI: admins,
  getInvitationListAPI: admins,
  revokeInvitationAPI: admins,
  getClaimMappingListAPI: admins,
  createClaimMappingAPI: admins,
  deleteClaimMappingAPI: admins,
  getSessionListAPI: analysts,
  revokeSessionAPI: analysts,
  getAuditLogAPI: admins,
};

describe('the role matrix', () => {
  let operations: readonly AttackedRoute[];
  beforeAll(async () => {
    operations = (await listRoutes()).filter(({ operationId }) => operationId !== null && operationId in EXPECTED);
  });

  /** The request names no record, so that only the role decides. */
  const call = (operation: AttackedRoute, credential: Credential) => send(service.url, buildRequest(operation, credential, null));

  it('lists every operation of the OpenAPI document', async () => {
    const { body } = await service.request<{ paths: Record<string, Record<string, { operationId: string }>> }>('GET', '/openapi.json');
    const documented = Object.values(body.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(documented.sort()).toEqual(Object.keys(EXPECTED).sort());
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(documented);
  });

  it('requires a key for every operation that is not public', async () => {
    for (const operation of operations) {
      const { operationId, security } = operation;
      const isPublic = EXPECTED[operationId ?? ''] === 'public';
      const { status } = await call(operation, []);
      expect(status, `${operationId}`).toBe(isPublic ? 200 : 401);
      expect(security, `${operationId}`).toEqual(isPublic ? [] : undefined);
    }
  });

  it.each(Role.options)('applies to the role %s', async (role) => {
    // Only the keys of users have an inbox.
    const { api_key } = await service.createPerson(role, null);
    for (const operation of operations) {
      const expected = EXPECTED[operation.operationId ?? ''];
      const { status } = await call(operation, withKey(api_key));
      const allowed = expected === 'public' || expected?.includes(role);
      if (allowed) expect([401, 403], `${operation.operationId}`).not.toContain(status);
      else expect(status, `${operation.operationId}`).toBe(403);
    }
  });

  it('applies to HEAD as to GET', async () => {
    const { api_key } = await service.createKey('sender', null);
    for (const get of operations.filter(({ method, access }) => method === 'GET' && access !== 'public')) {
      const head = { ...get, method: 'HEAD' };
      const [read, headed, anonymous] = await Promise.all([call(get, withKey(api_key)), call(head, withKey(api_key)), call(head, [])]);
      expect(headed.status, `${get.operationId}`).toBe(read.status);
      expect(anonymous.status, `${get.operationId}`).toBe(401);
    }
  });

  it('refuses changes to shared records by an admin of one organization', async () => {
    const { api_key } = await service.createKey('admin', 'DEMO');
    expect(
      (await service.request('POST', '/platformapi/organizations', { key: api_key, body: { organization_code: 'MINE', name: 'Mine' } }))
        .status,
    ).toBe(403);
    expect((await service.request('POST', '/platformapi/providers', { key: api_key, body: { name: 'mine' } })).status).toBe(403);
  });

  it('refuses to register a route that declares no roles', async () => {
    const app = await buildApp({
      database: service.database,
      metrics: createMetrics(),
      log,
      requestsPerMinute: 1,
      isTemporalReachable: async () => true,
      keyring: service.keyring,
      runner: service.runner,
      operator: service.settings,
    });
    expect(() => app.get('/platformapi/secrets', () => 'all of them')).toThrow('does not declare config.access');
    const route = { config: { access: ['admin' as const] }, handler: () => 'changed' };
    expect(() => app.post('/platformapi/secrets', route)).toThrow('does not declare config.changes');
    await app.close();
  });
});

describe('the isolation of organizations', () => {
  const codes = ['NORTH', 'SOUTH'] as const;
  type Code = (typeof codes)[number];
  interface OrganizationRecords {
    readonly alert: AlertListItem;
    readonly caseId: string;
    readonly sender: { api_key: string; key_uuid: string };
  }
  const records = new Map<Code, OrganizationRecords>();
  const keys = new Map<string, string>();
  const requireRecords = (code: Code) => records.get(code) ?? expect.fail(`${code} has nothing`);
  const requireKey = (role: Role, code: Code) => keys.get(`${role} ${code}`) ?? expect.fail(`${code} has no ${role}`);

  beforeAll(async () => {
    for (const code of codes) {
      await createOrganization(service, code);
      const sender = await service.createKey('sender', code);
      const alert = await service.sendAlert({ organization_code: code, alert_type: `Only in ${code}` }, { key: sender.api_key });
      records.set(code, { alert, caseId: await investigate(service, alert), sender });
      for (const role of ['analyst', 'admin'] as const) keys.set(`${role} ${code}`, (await service.createKey(role, code)).api_key);
    }
  });

  const roles = ['analyst', 'admin'] as const;

  it.each(roles)('shows an %s only the alerts, cases and playbooks of its own organization', async (role) => {
    for (const code of codes) {
      const key = requireKey(role, code);
      const alerts = await readAllPages<AlertListItem>(service, '/platformapi/alerts', { key, limit: 2 });
      const cases = await readAllPages<CaseSummary>(service, '/platformapi/cases', { key, limit: 2 });
      const playbooks = await readAllPages<Playbook>(service, '/platformapi/playbooks', { key, limit: 2 });
      const organizations = await readAllPages<{ organization_code: string }>(service, '/platformapi/organizations', { key, limit: 2 });
      expect(alerts.map((each) => each.alert_id)).toEqual([requireRecords(code).alert.alert_id]);
      expect(cases.map((each) => each.case_id)).toEqual([requireRecords(code).caseId]);
      // That of the alert type, and that of its category.
      expect(playbooks.filter((each) => each.origin === 'generated').map((each) => each.organization_code)).toEqual([code, code]);
      expect(organizations.map((each) => each.organization_code)).toEqual([code]);
    }
  });

  it('shows an admin only the keys and the audit log of its own organization', async () => {
    const key = requireKey('admin', 'NORTH');
    const listed = await readAllPages<{ key_uuid: string; organization_code: string | null }>(service, '/platformapi/api-keys', {
      key,
      limit: 2,
    });
    expect(new Set(listed.map((each) => each.organization_code))).toEqual(new Set(['NORTH']));
    expect(listed).toHaveLength(3);
    const entries = await readAllPages<{ organization_code: string | null; target: string }>(service, '/platformapi/audit', {
      key,
      limit: 2,
    });
    expect(new Set(entries.map((each) => each.organization_code))).toEqual(new Set(['NORTH']));
    expect(entries.map((each) => each.target)).toContain(requireRecords('NORTH').alert.alert_id);
  });

  it.each(roles)('returns no items when an %s filters by another organization', async (role) => {
    const key = requireKey(role, 'NORTH');
    for (const path of ['/platformapi/alerts', '/platformapi/cases']) {
      const foreign = await service.request(`GET`, `${path}?organization_code=SOUTH`, { key });
      const unknown = await service.request(`GET`, `${path}?organization_code=NOWHERE`, { key });
      expect(foreign.body).toEqual({ items: [], next_cursor: null });
      expect(foreign.body).toEqual(unknown.body);
    }
    const byId = await service.request('GET', `/platformapi/alerts?text=${requireRecords('SOUTH').alert.alert_id}`, { key });
    expect(byId.body).toEqual({ items: [], next_cursor: null });
  });

  it.each(roles)('returns an %s the same 404 for a foreign record as for an unknown one, and changes nothing', async (role) => {
    const key = requireKey(role, 'NORTH');
    const south = requireRecords('SOUTH');
    const before = await snapshot(south);
    const attempts = [
      ['GET', (id: string) => `/platformapi/alerts/${id}`, south.alert.alert_id, 'SOUTH-SIEM-999', undefined],
      ['POST', (id: string) => `/platformapi/alerts/${id}/investigate`, south.alert.alert_id, 'SOUTH-SIEM-999', undefined],
      ['GET', (id: string) => `/platformapi/cases/${id}`, south.caseId, 'SOUTH-CASE-999', undefined],
      ['PATCH', (id: string) => `/platformapi/cases/${id}`, south.caseId, 'SOUTH-CASE-999', { status: 'closed', comment: 'mine now' }],
      [
        'POST',
        (id: string) => `/platformapi/cases/${id}/merge`,
        south.caseId,
        'SOUTH-CASE-999',
        { into: requireRecords('NORTH').caseId, reason: 'x' },
      ],
      ['POST', (id: string) => `/platformapi/cases/${id}/legal-hold`, south.caseId, 'SOUTH-CASE-999', { reason: 'x' }],
      ['POST', (id: string) => `/platformapi/cases/${id}/unmerge`, south.caseId, 'SOUTH-CASE-999', { reason: 'x' }],
      ['DELETE', (id: string) => `/platformapi/api-keys/${id}`, south.sender.key_uuid, '01a1dd78-72e9-7236-aeab-ed7c2436108c', undefined],
    ] as const;
    for (const [method, path, foreign, unknown, body] of attempts) {
      if (method === 'DELETE' && role !== 'admin') continue;
      const [there, nowhere] = await Promise.all(
        [foreign, unknown].map((id) => service.request(method, path(id), { key, ...(body === undefined ? {} : { body }) })),
      );
      expect(there?.status, path(foreign)).toBe(404);
      expect(there?.body, path(foreign)).toEqual(nowhere?.body);
    }
    expect(await snapshot(south)).toEqual(before);
    expect((await service.request('GET', '/platformapi/alerts', { key: south.sender.api_key })).status).toBe(200);
  });

  it('prevents an organization admin from revoking a key that is valid for all organizations', async () => {
    const everywhere = await service.createKey('admin', null);
    expect(
      (await service.request('DELETE', `/platformapi/api-keys/${everywhere.key_uuid}`, { key: requireKey('admin', 'NORTH') })).status,
    ).toBe(404);
    expect((await service.request('GET', '/platformapi/audit', { key: everywhere.api_key })).status).toBe(200);
  });

  it('shows all organizations to a key that is valid for all of them', async () => {
    const { api_key } = await service.createKey('analyst', null);
    const cases = await readAllPages<CaseSummary>(service, '/platformapi/cases', { key: api_key, limit: 1 });
    expect(cases.map((each) => each.case_id).sort()).toEqual(codes.map((code) => requireRecords(code).caseId).sort());
  });

  async function snapshot({ alert, caseId }: OrganizationRecords): Promise<unknown> {
    const { pg } = service.database;
    return Promise.all([
      pg`select investigation_no, investigation_status, investigation_retry_count from alerts where alert_id = ${alert.alert_id}`,
      pg`select * from cases where case_id = ${caseId}`,
      pg`select timeline.* from case_timeline as timeline join cases using (case_uuid) where case_id = ${caseId}`,
      pg`select key_uuid, revoked_at from api_keys join organizations using (organization_uuid) where organization_code = 'SOUTH' order by 1`,
    ]);
  }
});
