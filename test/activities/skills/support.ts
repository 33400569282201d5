import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createSkillActivities } from '../../../activities/skills/skill-activity.js';
import { catalogue } from '../../../connectors/catalogue.js';
import { implementations } from '../../../connectors/implementations.js';
import { Egress } from '../../../connectors/kit/egress.js';
import { HttpClient } from '../../../connectors/kit/http.js';
import { acquireSlot } from '../../../db/connections/connection-calls.js';
import type { SkillReply, SkillRequest } from '../../../domain/connection/skill.js';
import type { SkillKey } from '../../../domain/skill-key.js';
import { createMetrics } from '../../../platform/metrics.js';
import { createOrganization } from '../../api/support/records.js';
import { createConnection, startWithThirdParties } from '../../support/with-third-parties.js';

/** More than any test sends. */
const REQUESTS_PER_MINUTE = 10_000;

type Ask = (skillKey: SkillKey, input: unknown, more?: Partial<SkillRequest>) => Promise<SkillReply>;

/** Asks the skills of one third party without workflows. Each test has an organization, a connection and an alert of its own. */
export async function startSkillKit<const Name extends 'malwareProtection' | 'threatIntelligence'>(name: Name) {
  const { service, thirdParties, stop } = await startWithThirdParties({ worker: false });
  const { pg, db } = service.database;
  const standIn = thirdParties.standIns[name];
  const httpClient = new HttpClient(new Egress({ allow: thirdParties.allow, ca: thirdParties.caPem }), {
    acquireSlot: (id) => acquireSlot(pg, id, REQUESTS_PER_MINUTE),
  });
  const current = { connectionId: '', alertId: '' };
  return {
    service,
    standIn,
    current,
    async beginTest(): Promise<void> {
      const organization = `S${randomUUID().slice(0, 8).toUpperCase()}`;
      await createOrganization(service, organization);
      const fields = { ...thirdParties.connections[name], organization_code: organization, instance_name: `${name} ${organization}` };
      current.connectionId = await createConnection(service, fields);
      ({ alert_id: current.alertId } = await service.sendAlert({ organization_code: organization }));
      standIn.faults.clear();
      standIn.requests.length = 0;
    },
    /** One worker. Its questions share their reads and calls. */
    startWorker(): Ask {
      const deps = { pg, db, httpClient, keyring: service.keyring, metrics: createMetrics() };
      const activities = createSkillActivities({ catalogue, implementations }, deps);
      return (skillKey, input, more) => {
        const activity = activities[skillKey];
        if (!activity) throw new Error(`There is no activity ${skillKey}.`);
        const { connectionId, alertId } = current;
        const operationKey = `${alertId}/1/${skillKey}/${randomUUID()}`;
        const request: SkillRequest = { connectionId, operationKey, alertId, runId: null, input, mayReuse: true, ...more };
        return new MockActivityEnvironment({ workflowExecution: { workflowId: alertId, runId: randomUUID() } }).run(activity, request);
      };
    },
    async stop(): Promise<void> {
      await httpClient.close();
      await stop();
    },
  };
}
