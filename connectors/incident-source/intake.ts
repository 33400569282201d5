import { z } from 'zod';
import {
  describeFields,
  itemId,
  optionalText,
  type PolledIntake,
  toAlertBody,
  toAlertType,
  toEpochSeconds,
  toIsoString,
  toNote,
} from '../../domain/alert/intake-source.js';
import { LIST_BOUND } from '../kit/define.js';

const ReportedIncident = z.looseObject({
  incidentId: itemId,
  redirectIncidentId: itemId.nullish().catch(null),
  incidentName: optionalText,
  severity: optionalText,
  status: optionalText,
  classification: optionalText,
  determination: optionalText,
  assignedTo: optionalText,
  createdTime: optionalText,
  lastUpdateTime: optionalText,
  alerts: z.array(z.looseObject({ category: optionalText, severity: optionalText })).catch([]),
});

export const incidentIntake = {
  mode: 'poll',
  verb: 'listIncidents',
  buildInput: ({ since, until }) => ({
    time_field: 'lastUpdateTime',
    since: toIsoString(since),
    ...(until === null ? {} : { until: toIsoString(until) }),
    // A window with more is read in parts, each with all details.
    max_items: LIST_BOUND.items,
  }),
  read(item) {
    const incident = ReportedIncident.parse(item);
    const { incidentId, redirectIncidentId, status, lastUpdateTime, createdTime } = incident;
    // The incident that a redirected one was merged into reports the same alerts.
    const isRedirected = redirectIncidentId != null || status === 'Redirected';
    const alert = {
      type: toAlertType('Incident', findMostSevereCategory(incident.alerts)),
      ...toAlertBody(item, toEpochSeconds(createdTime)),
    };
    const state = describeFields(incident, ['status', 'severity', 'classification', 'determination', 'assignedTo']);
    return {
      sourceId: incidentId,
      revision: lastUpdateTime ?? `${status} ${redirectIncidentId ?? ''}`,
      at: toEpochSeconds(lastUpdateTime ?? createdTime),
      alert: isRedirected ? null : alert,
      note: toNote(
        isRedirected
          ? `Incident ${incidentId} was merged into ${redirectIncidentId == null ? 'another incident' : `incident ${redirectIncidentId}`}.`
          : `Incident ${incidentId} changed at its source: ${state}, alerts ${incident.alerts.length}.`,
      ),
    };
  },
} as const satisfies PolledIntake;

const SEVERITIES = ['informational', 'low', 'medium', 'high'];

function findMostSevereCategory(
  alerts: readonly { category?: string | null | undefined; severity?: string | null | undefined }[],
): string | null {
  const rankSeverity = (severity: string | null | undefined) => SEVERITIES.indexOf(severity?.toLowerCase() ?? '');
  const [mostSevere] = alerts
    .filter(({ category }) => category != null)
    .toSorted((a, b) => rankSeverity(b.severity) - rankSeverity(a.severity));
  return mostSevere?.category ?? null;
}
