import type { z } from 'zod';
import type { Implementation, SkillContext } from '../kit/implement.js';
import { MicrosoftApi, odata } from '../kit/microsoft-api.js';
import type { Collected } from '../kit/paging.js';
import { Incident, incidentSource } from './contract.js';

type FoundIncident = z.output<typeof Incident>;

const api = new MicrosoftApi(incidentSource.errors);
/** The third party's maximum. */
const INCIDENTS_A_PAGE = 100;
const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

export const incidentSourceImplementation = {
  skills: {
    listIncidentsForDetections: async (input, context) => {
      const { items: incidents, total, cut } = await listIncidents(input, context);
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

    listIncidents: (input, context) => listIncidents(input, context),

    // https://learn.microsoft.com/en-us/defender-xdr/api-get-incident
    getIncident: (input, context) => api.get(context, `/api/incidents/${input.incident_id}`, Incident),
  },

  test: (context) => api.test(context, { path: '/api/incidents', skills: incidentSource.skills }),
} satisfies Implementation<typeof incidentSource>;

/** Newest change first: a change during the read shifts the pages, so duplicates are dropped. */
// https://learn.microsoft.com/en-us/defender-xdr/api-list-incidents
function listIncidents(
  input: z.output<typeof incidentSource.skills.listIncidents.input>,
  context: SkillContext<typeof incidentSource>,
): Promise<Collected<FoundIncident>> {
  return api.list(context, {
    path: '/api/incidents',
    filter: odata.all(
      odata.from(input.time_field, input.since ?? windowStart(input)),
      odata.until(input.time_field, input.until),
      odata.isOneOf('status', input.status),
      odata.is('assignedTo', input.assigned_to),
    ),
    item: Incident,
    pageSize: INCIDENTS_A_PAGE,
    maxItems: input.max_items,
    idOf: ({ incidentId }) => incidentId,
  });
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
