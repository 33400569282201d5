import { z } from 'zod';
import { describeState, itemId, optionalText, toEpochSeconds, toIsoString } from '../../domain/alert/intake-source.js';
import type { RecordSource } from '../../domain/record/record.js';
import { LIST_BOUND } from '../kit/define.js';
import { listEntityValues, ReportedEntity, readConclusion, readSeverity, toValues } from '../kit/microsoft-records.js';

const ReportedIncident = z.looseObject({
  incidentId: itemId,
  redirectIncidentId: itemId.nullish().catch(null),
  incidentName: optionalText,
  severity: optionalText,
  status: optionalText,
  classification: optionalText,
  determination: optionalText,
  createdTime: optionalText,
  lastUpdateTime: optionalText,
  alerts: z
    .array(
      z.looseObject({
        alertId: itemId,
        mitreTechniques: z.array(z.string()).catch([]),
        devices: z.array(z.looseObject({ mdatpDeviceId: optionalText, deviceDnsName: optionalText })).catch([]),
        entities: z.array(ReportedEntity).catch([]),
      }),
    )
    .catch([]),
});

/** The platform cannot list the incidents of an account, a device or an indicator. */
export const incidentRecords = {
  kind: 'incident',
  verb: 'listIncidents',
  buildInput: ({ since, until }) => ({
    time_field: 'lastUpdateTime',
    since: toIsoString(since),
    ...(until === null ? {} : { until: toIsoString(until) }),
    // A window with more is read in parts, each with all details.
    max_items: LIST_BOUND.items,
  }),
  read(item) {
    const { data: incident } = ReportedIncident.safeParse(item);
    if (!incident) return null;
    const devices = incident.alerts.flatMap((alert) => alert.devices);
    return {
      recordId: incident.incidentId,
      title: incident.incidentName ?? `Incident ${incident.incidentId}`,
      severity: readSeverity(incident.severity),
      isOpen: !/^(?:resolved|redirected)$/i.test(incident.status ?? ''),
      conclusion: readConclusion(incident.classification, incident.determination),
      state: describeState(incident, ['severity', 'status', 'classification', 'determination']),
      happenedAt: toEpochSeconds(incident.createdTime),
      updatedAt: toEpochSeconds(incident.lastUpdateTime),
      mergedInto: incident.redirectIncidentId ?? null,
      alsoKnownAs: incident.alerts.map(({ alertId }) => alertId),
      techniques: incident.alerts.flatMap(({ mitreTechniques }) => mitreTechniques),
      values: [
        incident.incidentId,
        ...incident.alerts.map(({ alertId }) => alertId.toLowerCase()),
        ...devices.flatMap((device) => [...toValues('machine-id', device.mdatpDeviceId), ...toValues('host', device.deviceDnsName)]),
        ...incident.alerts.flatMap(({ entities }) => listEntityValues(entities)),
      ],
    };
  },
} as const satisfies RecordSource;
