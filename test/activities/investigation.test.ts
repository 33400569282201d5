import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEntityExtractor, type EntityExtractor } from '../../activities/entities/extractor.js';
import { createInvestigationActivities } from '../../activities/investigation.js';
import { concludeFrom } from '../../domain/investigation/verdict.js';
import { createMetrics } from '../../platform/metrics.js';
import { FINDING, investigate } from '../api/support/records.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let entities: EntityExtractor;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  entities = createEntityExtractor();
});
afterAll(async () => {
  await entities.close();
  await service.stop();
});

it('returns the same result for a worker that died after the commit, and rejects a superseded worker', async () => {
  const { alert_id: alertId } = await service.sendAlert({ alert_type: 'Told twice' });
  const alert = (await service.request<Parameters<typeof investigate>[1]>('GET', `/platformapi/alerts/${alertId}`)).body;
  await investigate(service, alert, { concluded: false });
  const { conclude } = createInvestigationActivities({ ...service.database, entities, metrics: createMetrics(), reconnectWaitSeconds: 1 });
  const attempt = { alertId, investigationNo: 1, playbookId: alert.alert_uuid, attempt: 1 };
  const result = { evidence: [FINDING], conclusion: concludeFrom([FINDING]) };
  expect(await conclude(attempt, result)).toBe(true);
  expect(await conclude(attempt, result)).toBe(true);
  const { timeline } = await service.readCase(alertId);
  expect(timeline.filter(({ kind }) => kind === 'concluded')).toHaveLength(1);
  expect(await service.request('POST', `/platformapi/alerts/${alertId}/investigate`)).toMatchObject({ status: 202 });
  expect(await conclude(attempt, result)).toBe(false);
});
