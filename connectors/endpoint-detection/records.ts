import { z } from 'zod';
import { describeState, itemId, optionalText, toEpochSeconds, toIsoString } from '../../domain/alert/intake-source.js';
import type { RecordSource } from '../../domain/record/record.js';
import { listEntityValues, ReportedEntity, readConclusion, readSeverity, toValues } from '../kit/microsoft-records.js';

const ReportedAlert = z.looseObject({
  id: itemId,
  incidentId: itemId.nullish().catch(null),
  title: optionalText,
  severity: optionalText,
  status: optionalText,
  classification: optionalText,
  determination: optionalText,
  alertCreationTime: optionalText,
  firstEventTime: optionalText,
  lastUpdateTime: optionalText,
  machineId: optionalText,
  computerDnsName: optionalText,
  mitreTechniques: z.array(z.string()).catch([]),
  relatedUser: z.looseObject({ userName: optionalText }).nullish().catch(null),
  evidence: z.array(ReportedEntity).catch([]),
});

/** The platform cannot list the alerts of a machine, an account or an indicator. */
export const endpointAlertRecords = {
  kind: 'alert',
  verb: 'listAlerts',
  buildInput: ({ since, until }) => ({
    updated_since: toIsoString(since),
    ...(until === null ? {} : { updated_until: toIsoString(until) }),
  }),
  read(item) {
    const { data: alert } = ReportedAlert.safeParse(item);
    if (!alert) return null;
    return {
      recordId: alert.id,
      title: alert.title ?? alert.id,
      severity: readSeverity(alert.severity),
      isOpen: alert.status?.toLowerCase() !== 'resolved',
      conclusion: readConclusion(alert.classification, alert.determination),
      state: describeState(alert, ['severity', 'status', 'classification', 'determination']),
      happenedAt: toEpochSeconds(alert.alertCreationTime ?? alert.firstEventTime),
      updatedAt: toEpochSeconds(alert.lastUpdateTime),
      mergedInto: null,
      alsoKnownAs: alert.incidentId == null ? [] : [alert.incidentId],
      techniques: alert.mitreTechniques,
      values: [
        alert.id.toLowerCase(),
        ...toValues('machine-id', alert.machineId),
        ...toValues('host', alert.computerDnsName),
        ...toValues('user', alert.relatedUser?.userName),
        ...listEntityValues(alert.evidence),
      ],
    };
  },
} as const satisfies RecordSource;

const ReportedIndicator = z.looseObject({
  id: itemId.nullish().catch(null),
  indicatorValue: z.string().min(1),
  action: optionalText,
  title: optionalText,
  severity: optionalText,
});

const MAX_INDICATORS = 10_000;

/** The indicators that the organization blocks or allows. A list of all costs less than a question about each one. */
export const indicatorRecords = {
  kind: 'indicator',
  verb: 'listIndicators',
  isSnapshot: true,
  freshSeconds: 900,
  createdBy: { verb: 'createIndicator', idPath: 'id' },
  buildInput: () => ({ max_items: MAX_INDICATORS }),
  read(item) {
    const { data } = ReportedIndicator.safeParse(item);
    if (!data) return null;
    const { id, indicatorValue, action, title, severity } = data;
    return {
      recordId: id ?? indicatorValue,
      title: title ?? indicatorValue,
      severity: readSeverity(severity),
      isOpen: true,
      conclusion: null,
      state: action ?? 'no action',
      happenedAt: null,
      updatedAt: null,
      mergedInto: null,
      alsoKnownAs: [],
      techniques: [],
      values: [indicatorValue.toLowerCase()],
    };
  },
} as const satisfies RecordSource;
