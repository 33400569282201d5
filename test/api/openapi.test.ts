import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { send } from './support/http.js';
import { type ApiDocument, everyNode, isObject, isPlanStep, type Json, readDocument } from './support/openapi.js';
import { createOrganization } from './support/records.js';

let service: TestService;
let api: ApiDocument;
let raw: ApiDocument['raw'];
let document: ApiDocument['document'];
let operations: ApiDocument['operations'];

beforeAll(async () => {
  service = await startTestService({ worker: false });
  api = await readDocument(service);
  ({ raw, document, operations } = api);
});
afterAll(() => service.stop());

describe('the OpenAPI document', () => {
  it('has version 3.1, the version of the API and its compatibility policy', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toMatch(/^1\.\d+\.\d+$/);
    expect(document.info.description).toMatch(/Versions and compatibility/);
    expect(document.info.description).toMatch(/Within version 1 we may add/);
    expect(document.info.description).toMatch(/We do not remove or rename/);
    expect(document.info.description).toMatch(/at least 12 months/);
  });

  it('describes the authentication', () => {
    expect(document.components.securitySchemes).toEqual({
      session: { type: 'apiKey', in: 'cookie', name: 'Session' },
      bearer: { type: 'http', scheme: 'bearer' },
    });
    expect(document.security).toEqual([{ session: [] }, { bearer: [] }]);
  });

  it('names every operation once, with the names of the specification', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const named = Object.fromEntries(operations.map(({ operationId, method, path }) => [operationId, `${method} ${path}`]));
    expect(named).toMatchObject({
      createAlertAPI: 'POST /platformapi/alerts',
      getOrganizationListAPI: 'GET /platformapi/organizations',
      getProvidersAPI: 'GET /platformapi/providers',
    });
  });

  it('has no broken reference', () => {
    const references = everyNode(raw).flatMap((node) => (isObject(node) && typeof node['$ref'] === 'string' ? [node['$ref']] : []));
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) expect(api.resolveReference(reference), reference).toBeDefined();
  });

  it('declares every parameter of every path', () => {
    for (const { operationId, path, parameters = [] } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
        operationId,
      ).toEqual(inPath);
    }
  });

  it('describes the input and output of every skill', () => {
    expect(document.components.schemas).toHaveProperty(['endpoint-detection.isolate-machine.input', 'properties', 'machine_id']);
    const skills = Object.keys(document.components.schemas).filter((name) => name.endsWith('.output'));
    expect(skills).toHaveLength(37);
  });

  it('has an example for every body, and the example matches the schema of the body', () => {
    const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
    expect(withBody.map(({ operationId }) => operationId).sort()).toEqual([
      'approveProposalAPI',
      'changeCasesAPI',
      'createAlertAPI',
      'createApiKeyAPI',
      'createCaseTasksAPI',
      'createClaimMappingAPI',
      'createConnectionAPI',
      'createConnectionLinkAPI',
      'createCredentialLinkAPI',
      'createInvitationAPI',
      'createKnowledgeAPI',
      'createNotificationChannelAPI',
      'createNotificationRuleAPI',
      'createOrganizationAPI',
      'createPlaybookAPI',
      'createProtectedAssetAPI',
      'createProviderAPI',
      'createRemoteAgentAPI',
      'createSavedViewAPI',
      'decideSkillRunAPI',
      'decodePayloadsAPI',
      'dryRunRetentionAPI',
      'handOverBelongingsAPI',
      'investigateAlertAPI',
      'markInboxReadAPI',
      'mergeCaseAPI',
      'pinPlaybookPlanAPI',
      'placeCaseLegalHoldAPI',
      'placeLegalHoldAPI',
      'reconfirmProposalAPI',
      'reconnectConnectionAPI',
      'refuseProposalAPI',
      'rejectKnowledgeSuggestionAPI',
      'releaseCaseLegalHoldAPI',
      'releaseLegalHoldAPI',
      'releaseProposalAPI',
      'resumeWritesAPI',
      'runSkillAPI',
      'saveInboxPreferencesAPI',
      'saveSignInPolicyAPI',
      'saveTaskTemplateAPI',
      'stopWritesAPI',
      'unmergeCaseAPI',
      'updateCaseAPI',
      'updateCaseTaskAPI',
      'updateConnectionAPI',
      'updateKnowledgeAPI',
      'updateNotificationChannelAPI',
      'updateNotificationRuleAPI',
      'updatePlaybookPlanAPI',
      'updateResponseRulesAPI',
      'updateRetentionAPI',
      'updateSavedViewAPI',
      'updateSlaPolicyAPI',
    ]);
    for (const { operationId, requestBody } of withBody) {
      const { schema, example } = requestBody?.content['application/json'] ?? expect.fail(operationId);
      expect(isObject(schema as Json) && schema['additionalProperties'], operationId).toBe(false);
      expect(example, operationId).toBeDefined();
      expect(api.toSchema(schema as Json).safeParse(example).success, operationId).toBe(true);
    }
  });

  it('describes every error as a problem document', () => {
    const everywhere = ['400', '401', '403', '422', '429', '503'];
    for (const { operationId, path, responses, requestBody } of operations.filter((each) => each.path.startsWith('/platformapi'))) {
      const expected = [...everywhere, ...(path.includes('{') ? ['404'] : []), ...(requestBody ? ['413', '415'] : [])];
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(expected));
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        expect(Object.keys(response.content ?? {}), `${operationId} ${status}`).toEqual(['application/problem+json']);
      }
    }
  });

  it('has the time and number formats of the specification', () => {
    const created = api.schemaNode('createAlertAPI', '201');
    const properties = isObject(created) && isObject(created['properties']) ? created['properties'] : {};
    expect(Object.keys(properties).sort()).toEqual(
      [
        ...['alert_content', 'alert_id', 'alert_provider', 'alert_type', 'alert_uuid', 'created_at', 'created_at_source', 'created_by'],
        ...['investigation_retry_count', 'investigation_status', 'modified_at', 'organization_code', 'organization_uuid'],
      ].sort(),
    );
    for (const name of ['created_at', 'modified_at', 'investigation_retry_count'])
      expect(properties[name], name).toMatchObject({ type: 'integer' });
    expect(properties['investigation_status']).toMatchObject({
      type: 'integer',
      enum: [0, 5, 10, 15, 20],
      description: expect.stringContaining('Completed'),
    });
    expect(properties['created_at_source']).toMatchObject({ anyOf: [{ type: 'integer', format: 'int64' }, { type: 'null' }] });
    const status = operations
      .find(({ operationId }) => operationId === 'getAlertListAPI')
      ?.parameters?.find(({ name }) => name === 'status');
    expect(status?.schema).toMatchObject({ type: 'integer', enum: [0, 5, 10, 15, 20] });
  });

  it('allows new fields in replies, as its policy says', () => {
    const named = Object.entries(document.components.schemas).filter(([name]) => !name.includes('.') && !name.endsWith('Input'));
    expect(named.map(([name]) => name)).toContain('CaseDetail');
    const replies = operations.flatMap(({ operationId, responses }) =>
      Object.values(responses).map((reply) => [operationId, reply] as const),
    );
    for (const [name, schema] of [...named, ...replies]) {
      for (const node of everyNode(schema as Json)) {
        // A step of a stored plan is strict, because a planner writes data of the same schema.
        if (isObject(node) && !isPlanStep(node)) expect(node['additionalProperties'] ?? true, name).not.toBe(false);
      }
    }
  });
});

describe('the replies', () => {
  it('match the document for refused requests', async () => {
    await createOrganization(service, 'TAKEN');
    const refusals: [operationId: string, status: number, path: string, body?: unknown, headers?: Record<string, string>][] = [
      ['createAlertAPI', 400, '/platformapi/alerts', '{'],
      ['createAlertAPI', 413, '/platformapi/alerts', 'x'.repeat(1024 * 1024 + 1)],
      ['createAlertAPI', 415, '/platformapi/alerts', '{}', { 'content-type': 'text/plain' }],
      ['createAlertAPI', 422, '/platformapi/alerts', '{}'],
      ['createAlertAPI', 403, '/platformapi/alerts', '{}', { origin: 'null' }],
      ['getAlertAPI', 404, '/platformapi/alerts/nothing'],
      ['getAlertListAPI', 401, '/platformapi/alerts', undefined, { cookie: 'Session=nobody' }],
      ['createOrganizationAPI', 409, '/platformapi/organizations', { organization_code: 'taken', name: 'x' }],
    ];
    for (const [operationId, status, path, body, headers] of refusals) {
      const method = api.findMethod(operationId);
      const reply = await service.request<Json>(method, path, {
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
      });
      expect(reply.status, operationId).toBe(status);
      expect(api.findDifferences(operationId, status, reply.body), operationId).toEqual([]);
    }
  });
});

describe('the docs page', () => {
  it('loads all assets from its own origin', async () => {
    const page = await send(`${service.url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => asset ?? '');
    expect(assets.filter((asset) => asset.endsWith('.js')).length).toBeGreaterThanOrEqual(2);
    for (const asset of assets) {
      const url = new URL(asset, `${service.url}/docs/`);
      expect(url.origin).toBe(new URL(service.url).origin);
      expect((await send(url.href)).status, asset).toBe(200);
    }
    const shown = await service.request<Json>('GET', '/docs/json', { key: null });
    expect(shown.body).toEqual(raw);
  });

  it('allows no inline or third-party script, and works without TLS', async () => {
    const policy = (await send(`${service.url}/docs`)).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self'/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|upgrade-insecure-requests/);
  });
});
