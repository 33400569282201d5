import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { catalogue } from '../../../../connectors/catalogue.js';
import type { EndpointDetectionStandInState } from '../../../../connectors/endpoint-detection/stand-in.js';
import { implementations } from '../../../../connectors/implementations.js';
import type { IncidentSourceStandInState } from '../../../../connectors/incident-source/stand-in.js';
import type { StandIn } from '../../../../connectors/kit/stand-in/stand-in.js';
import type { ConnectionFields, StandIns } from '../../../../connectors/stand-ins.js';
import type { ThreatIntelligenceStandInState } from '../../../../connectors/threat-intelligence/stand-in.js';
import type { PollReport } from '../../../../domain/alert/intake-source.js';
import { schedulePolls } from '../../../../services/sources/schedule-polls.js';
import type { TestService } from '../../../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../../../support/with-third-parties.js';

/** Lists of the endpoint platform end after ten items, so that a few alerts exceed the limit. */
const MAX_LISTED = 10;
const skills = {
  catalogue,
  implementations: {
    ...implementations,
    endpointDetection: {
      ...implementations.endpointDetection,
      skills: {
        ...implementations.endpointDetection.skills,
        listAlerts: (...[input, context]: Parameters<typeof implementations.endpointDetection.skills.listAlerts>) =>
          implementations.endpointDetection.skills.listAlerts({ ...input, max_items: MAX_LISTED }, context),
      },
    },
  },
};

export let service: TestService;
export let incidents: StandIn<IncidentSourceStandInState>;
export let endpoint: StandIn<EndpointDetectionStandInState>;
export let intelligence: StandIn<ThreatIntelligenceStandInState>;
export let vulnerabilities: StandIns['vulnerabilityInvestigation'];
export let vulnerabilityConnection: ConnectionFields;
let stop: WithThirdParties['stop'];

/** Most tests only take alerts in. Alerts with a lease wait in the outbox, so no investigation asks the stand-ins. */
const holdNewAlerts = () => service.database.pg`alter table alerts alter column lease_until set default now() + interval '1 hour'`;
export const investigateNewAlerts = () => service.database.pg`alter table alerts alter column lease_until drop default`;

export type Tenant = StandIn<Pick<IncidentSourceStandInState, 'identity'>>;
export const tenantCredentials = ({ state: { identity } }: Tenant) => ({
  tenant_id: identity.tenantId,
  client_id: identity.clientId,
  client_secret: identity.clientSecret,
});

export type Fields = Record<string, string>;
export const connect = (connector: string, settings: Fields, credentials: Fields, more: { remote_agent?: string } = {}) =>
  createConnection(service, {
    connector,
    instance_name: `${connector} ${randomUUID()}`,
    settings,
    credentials,
    feeds_intake: true,
    ...more,
  });

export const connectIncidents = () =>
  connect(
    'incident-source',
    { auth_url: incidents.url, api_host: incidents.url, scope_resource: incidents.state.identity.resource },
    tenantCredentials(incidents),
  );

export async function poll(connectionId: string): Promise<PollReport> {
  return service.temporal.workflow.execute('pollSource', {
    taskQueue: service.settings.TEMPORAL_TASK_QUEUE,
    workflowId: `poll-source-${connectionId}-${randomUUID()}`,
    args: [{ connectionId }],
  });
}

export const NOW = () => Date.now();
export const MINUTE_MS = 60_000;

/** Adds an incident that was created and last changed this long ago by the third party's clock. */
export function report(incidentId: number, ms: number, more: Record<string, unknown> = {}): void {
  const at = new Date(NOW() - ms).toISOString();
  incidents.state.incidents.push({
    incidentId,
    incidentName: `Incident ${incidentId}`,
    createdTime: at,
    lastUpdateTime: at,
    status: 'Active',
    severity: 'Medium',
    alerts: [{ alertId: `a${incidentId}`, category: 'Malware', severity: 'Medium', status: 'New' }],
    ...more,
  });
}

export function change(incidentId: number, changes: Record<string, unknown>): void {
  const index = incidents.state.incidents.findIndex((incident) => incident.incidentId === incidentId);
  const [incident] = incidents.state.incidents.splice(index, index < 0 ? 0 : 1);
  if (incident) incidents.state.incidents.push({ ...incident, lastUpdateTime: new Date(NOW()).toISOString(), ...changes });
}

export interface Taken {
  source_id: string;
  alert_id: string;
  alert_type: string;
  created_by: string;
  content: string;
}
export const takenFrom = (connectionId: string) => service.database.pg<Taken[]>`
  select source_id, alert_id, alert_type, created_by, alert_content as content from source_items join alerts using (alert_uuid)
  where connection_uuid = ${connectionId} order by source_id`;
export const listSourceIds = async (connectionId: string) => (await takenFrom(connectionId)).map((row) => row.source_id);
/** Counts all alerts that the connection created, including those without a source record. */
export async function alertsBy(connectionId: string): Promise<number> {
  const [row] = await service.database.pg<
    { count: number }[]
  >`select count(*)::int as count from alerts where created_by = ${connectionId}`;
  return row?.count ?? 0;
}
export async function readWatermark(connectionId: string) {
  const [row] = await service.database.pg<{ ms: number; last_error: string | null }[]>`
    select extract(epoch from read_until)::float8 * 1000 as ms, last_error from source_watermarks where connection_uuid = ${connectionId}`;
  if (!row) throw new Error('no watermark');
  return row;
}
export const scheduleHandle = (connectionId: string) => service.temporal.schedule.getHandle(`source-${connectionId}`);
export const schedule = () => schedulePolls({ pg: service.database.pg, client: service.temporal }, service.settings.TEMPORAL_TASK_QUEUE);

/** Starts what the tests of a file share. */
export function setUpSources(): void {
  beforeAll(async () => {
    const started = await startWithThirdParties({
      skills,
      // The tests trigger each poll. A scheduled pass would poll in between.
      reconcile: { everySeconds: 86_400, untouchedForSeconds: 120 },
    });
    ({ service, stop } = started);
    ({ incidentSource: incidents, endpointDetection: endpoint, threatIntelligence: intelligence } = started.thirdParties.standIns);
    vulnerabilities = started.thirdParties.standIns.vulnerabilityInvestigation;
    vulnerabilityConnection = started.thirdParties.connections.vulnerabilityInvestigation;
  });
  afterAll(() => stop?.());
  beforeEach(async () => {
    await holdNewAlerts();
    incidents.state.identity.recentMs = [];
    incidents.state.identity.requestsPerMinute = 1000;
    incidents.state.incidents.length = 0;
    incidents.state.pageSize = 100;
    incidents.state.afterPage = () => {};
    for (const standIn of [incidents, endpoint, intelligence]) {
      standIn.faults.clear();
      standIn.requests.length = 0;
    }
  });
}
