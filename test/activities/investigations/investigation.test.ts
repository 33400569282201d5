import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInvestigationActivities } from '../../../activities/investigations/investigation.js';
import { catalogue } from '../../../connectors/catalogue.js';
import { newUuid } from '../../../db/ids.js';
import { replaceContent } from '../../../db/sources/sources.js';
import { concludeFrom } from '../../../domain/verdict/verdict.js';
import { createMetrics } from '../../../platform/metrics.js';
import { createOrganization, FINDING, investigate, storeAnswer } from '../../api/support/records.js';
import { sharedExtractor } from '../../support/entity-extractor.js';
import { startTestService, type TestService } from '../../support/service.js';

const entities = sharedExtractor();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(async () => {
  await service.stop();
});

const deps = () => ({ ...service.database, entities, metrics: createMetrics(), reconnectWaitSeconds: 1 });

it('returns the same result for a worker that died after the commit, and rejects a superseded worker', async () => {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Told twice' });
  const alert = (await service.request<Parameters<typeof investigate>[1]>('GET', `/platformapi/alerts/${alertId}`)).body;
  await investigate(service, alert, { concluded: false });
  const { conclude } = createInvestigationActivities({ catalogue }, deps());
  const attempt = { alertId, investigationNo: 1, playbookId: alert.alert_uuid, attempt: 1 };
  const result = { evidence: [FINDING], conclusion: concludeFrom([FINDING]) };
  expect(await conclude(attempt, result)).toBe(true);
  expect(await conclude(attempt, result)).toBe(true);
  const { timeline } = await service.readCase(alertId);
  expect(timeline.filter(({ kind }) => kind === 'concluded')).toHaveLength(1);
  expect(await service.request('POST', `/platformapi/alerts/${alertId}/investigate`)).toMatchObject({ status: 202 });
  expect(await conclude(attempt, result)).toBe(false);
});

it('stores the key of a skill that a run of an earlier build names only by its title', async () => {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Earlier build' });
  const alert = (await service.request<Parameters<typeof investigate>[1]>('GET', `/platformapi/alerts/${alertId}`)).body;
  await investigate(service, alert, { concluded: false });
  const { recordEvidence, conclude } = createInvestigationActivities({ catalogue }, deps());
  const attempt = { alertId, investigationNo: 1, playbookId: alert.alert_uuid, attempt: 1 };
  const source = { connector: 'threat-intelligence', connection: 'main', skill_id: 'Get Enrichment' };
  const evidence = ['first', 'second'].map((step) => ({ ...FINDING, step, source }));
  await recordEvidence(attempt, evidence.slice(0, 1));
  const listKeys = async () => (await service.readCase(alertId)).evidence.map((entry) => entry.source?.skill_key);
  expect(await listKeys()).toEqual(['threatIntelligence.getEnrichment']);
  expect(await conclude(attempt, { evidence, conclusion: concludeFrom(evidence) })).toBe(true);
  expect(await listKeys()).toEqual(['threatIntelligence.getEnrichment', 'threatIntelligence.getEnrichment']);
});

it('begins with the content that its source replaced while it was read, and keeps it from then on', async () => {
  const { alert_id: alertId, alert_uuid: alertUuid } = await service.sendAlert({ alert_type: 'Replaced', alert_content: 'host=ws-001' });
  const { pg } = service.database;
  const read: string[] = [];
  const extract: typeof entities.extract = async (content) => {
    read.push(content);
    if (read.length === 1) await replaceContent(pg, alertUuid, 'host=ws-002');
    return entities.extract(content);
  };
  const { begin } = createInvestigationActivities({ catalogue }, { ...deps(), entities: { ...entities, extract } });
  const attempt = { alertId, investigationNo: 1, playbookId: newUuid(), attempt: 1 };
  await expect(begin(attempt)).rejects.toThrow(`The content of ${alertId} changed while it was read.`);
  const begun = await begin(attempt);
  expect(read).toEqual(['host=ws-001', 'host=ws-002']);
  expect(begun).toMatchObject({ stale: false, alert: { content: 'host=ws-002' }, entities: [{ kind: 'host', value: 'ws-002' }] });
  expect(await replaceContent(pg, alertUuid, 'host=ws-003')).toBe(false);
  const { body: shown } = await service.request<{ alert_content: string }>('GET', `/platformapi/alerts/${alertId}`);
  expect(shown.alert_content).toBe('host=ws-002');
});

it('begins with the entities that belong to the organization', async () => {
  await service.request('POST', '/platformapi/organizations/DEMO/knowledge', { body: { kind: 'domain', value: 'demo-own.example' } });
  await service.request('POST', '/platformapi/organizations/DEMO/knowledge-suggestions/reject', {
    body: { kind: 'domain', value: 'partner.example' },
  });
  const alert_content = 'host=pc1.demo-own.example user=dana@demo-own.example visited https://partner.example/a';
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Own entities', alert_content });
  const { begin } = createInvestigationActivities({ catalogue }, deps());
  const begun = await begin({ alertId, investigationNo: 1, playbookId: newUuid(), attempt: 1 });
  if (begun.stale) expect.fail('the investigation is not stale');
  expect(begun.own).toContainEqual({
    kind: 'email',
    value: 'dana@demo-own.example',
    reason: 'account of the own domain demo-own.example',
    individual: true,
  });
  expect(begun.own?.some(({ value }) => value.includes('partner.example'))).toBe(false);
  expect(begun.entities.some(({ value }) => value.includes('partner.example'))).toBe(true);
});

it('finds the domains that machines and people of the organization use, without those that an admin rejected', async () => {
  const organizationUuid = await createOrganization(service, 'LIKELY');
  await storeAnswer(service, organizationUuid, 'endpoint-detection', {
    items: ['a', 'b', 'c'].flatMap((name) =>
      [`${name}.lab.example`, `${name}.partner.example`].map((computerDnsName) => ({ computerDnsName })),
    ),
  });
  await storeAnswer(service, organizationUuid, 'travel-booking', {
    items: ['x', 'y', 'z'].map((name) => ({ email: `${name}@people.example` })),
  });
  await service.request('POST', '/platformapi/organizations/LIKELY/knowledge-suggestions/reject', {
    body: { kind: 'domain', value: 'partner.example' },
  });
  const { alert_id: alertId } = await service.sendAlert({ organization_code: 'LIKELY' });
  const { findLikelyOwn } = createInvestigationActivities({ catalogue }, deps());
  const domains = ['lab.example', 'mail.people.example', 'notpeople.example', 'www.partner.example', '192.0.2.1'];
  expect(await findLikelyOwn({ alertId, domains })).toEqual(['lab.example', 'mail.people.example']);
});
