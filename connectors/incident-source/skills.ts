import type { z } from 'zod';
import type { Implementation, SkillContext } from '../kit/implement.js';
import { MicrosoftApi, odata } from '../kit/microsoft-api.js';
import type { Collected } from '../kit/paging.js';
import { Incident, incidentSource } from './contract.js';

type FoundIncident = z.output<typeof Incident>;

const api = new MicrosoftApi(incidentSource.errors, { path: '/api/incidents', permission: incidentSource.skills.listIncidents.permission });
/** The third party's maximum. */
const INCIDENTS_A_PAGE = 100;
/** The requests of a list wait for each other: 50 pages a minute. The rest of the time limit is for the last page. */
const LIST_MS = 240_000;
/** The incidents of the first replies keep all details. A list can have any length, but the memory cannot. */
const WITH_DETAILS_BYTES = 32 * 1024 * 1024;
const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

export const incidentSourceImplementation = {
  skills: {
    listIncidentsForDetections: async (input, context) => {
      const { items: incidents, total, cut } = await listIncidents(input, context, withoutDetails);
      return {
        items: incidents.flatMap((incident) => incident.alerts.map((alert) => detectionRow(incident, alert))),
        redirected: incidents.filter(isRedirected).map(({ incidentId, incidentName, redirectIncidentId }) => ({
          incident_id: incidentId,
          incident_name: incidentName,
          redirect_incident_id: redirectIncidentId,
        })),
        total,
        cut,
      };
    },

    listIncidents: async (input, context) => {
      const details = new DetailLimit(WITH_DETAILS_BYTES);
      const list = await listIncidents(input, context, (incident, bytesBefore) => details.keep(incident, bytesBefore));
      const reasons = [list.cut, details.reason].filter((reason) => reason !== null);
      return { ...list, cut: reasons.length === 0 ? null : reasons.join(' ') };
    },

    // https://learn.microsoft.com/en-us/defender-xdr/api-get-incident
    getIncident: (input, context) => api.getRecord(context, `/api/incidents/${input.incident_id}`, Incident),
  },

  test: (context) => api.test(context, incidentSource.skills),
} satisfies Implementation<typeof incidentSource>;

/** Newest change first: a change during the read shifts the pages, so duplicates are dropped. */
// https://learn.microsoft.com/en-us/defender-xdr/api-list-incidents
async function listIncidents(
  input: z.output<typeof incidentSource.skills.listIncidents.input>,
  context: SkillContext<typeof incidentSource>,
  keep: (incident: FoundIncident, bytesBefore: number) => FoundIncident,
): Promise<Collected<FoundIncident>> {
  const { isRequestLimit, ...list } = await api.list(context, {
    path: '/api/incidents',
    filter: odata.all(
      odata.from(input.time_field, input.since ?? windowStart(input)),
      odata.until(input.time_field, input.until),
      odata.isOneOf('status', input.status),
      odata.is('assignedTo', input.assigned_to),
    ),
    item: Incident,
    pageSize: INCIDENTS_A_PAGE,
    maxItems: input.max_items ?? Number.POSITIVE_INFINITY,
    idOf: ({ incidentId }) => incidentId,
    keep,
    ...(input.max_items === undefined ? { waits: { untilMs: Date.now() + LIST_MS, signal: context.signal } } : {}),
  });
  const oldest = list.items.at(-1)?.lastUpdateTime;
  if (isRequestLimit !== true || input.time_field !== 'lastUpdateTime' || oldest == null) return list;
  return { ...list, cut: `${list.cut} Continue with "until": ${JSON.stringify(oldest)}.` };
}

/** Keeps the details of the first incidents of a list. */
export class DetailLimit {
  readonly #bytes: number;
  #without = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  keep(incident: FoundIncident, bytesBefore: number): FoundIncident {
    if (bytesBefore < this.#bytes) return incident;
    this.#without += 1;
    return withoutDetails(incident);
  }

  /** What is missing; null: nothing. */
  get reason(): string | null {
    if (this.#without === 0) return null;
    return `The last ${this.#without} incidents have no devices, entities and comments. Read them with Get Incident.`;
  }
}

/** Lists are small without what only some alerts have much of. */
function withoutDetails({ alerts, ...incident }: FoundIncident): FoundIncident {
  const { incidentId, redirectIncidentId, incidentName, severity, status, classification, determination, assignedTo } = incident;
  const { createdTime, lastUpdateTime, tags } = incident;
  const named = { incidentId, redirectIncidentId, incidentName, severity, status, classification, determination, assignedTo };
  return { ...named, createdTime, lastUpdateTime, tags, comments: [], alerts: alerts.map(alertWithoutDetails) };
}

function alertWithoutDetails(alert: FoundIncident['alerts'][number]): FoundIncident['alerts'][number] {
  const { alertId, incidentId, serviceSource, detectionSource, title, category, status, severity, classification, determination } = alert;
  const { creationTime, lastUpdatedTime, resolvedTime, mitreTechniques } = alert;
  const named = { alertId, incidentId, serviceSource, detectionSource, title, category, status, severity, classification, determination };
  return { ...named, creationTime, lastUpdatedTime, resolvedTime, mitreTechniques, description: null, devices: [], entities: [] };
}

function windowStart({
  duration,
  duration_type,
}: {
  duration?: number | undefined;
  duration_type: keyof typeof UNIT_MS;
}): string | undefined {
  return duration === undefined ? undefined : new Date(Date.now() - duration * UNIT_MS[duration_type]).toISOString();
}

function isRedirected({ status, redirectIncidentId }: FoundIncident): boolean {
  return redirectIncidentId !== null || status === 'Redirected';
}

function detectionRow(incident: FoundIncident, alert: FoundIncident['alerts'][number]) {
  return {
    incident_id: incident.incidentId,
    incident_name: incident.incidentName,
    incident_severity: incident.severity,
    incident_status: incident.status,
    incident_classification: incident.classification,
    incident_determination: incident.determination,
    assigned_analyst: incident.assignedTo,
    alert_id: alert.alertId,
    alert_title: alert.title,
    alert_category: alert.category,
    alert_severity: alert.severity,
    alert_status: alert.status,
    service_source: alert.serviceSource,
    detection_source: alert.detectionSource,
  };
}
