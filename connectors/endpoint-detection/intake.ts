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

const ReportedAlert = z.looseObject({
  id: itemId,
  category: optionalText,
  severity: optionalText,
  status: optionalText,
  classification: optionalText,
  determination: optionalText,
  assignedTo: optionalText,
  alertCreationTime: optionalText,
  lastUpdateTime: optionalText,
});

export const endpointAlertIntake = {
  mode: 'poll',
  verb: 'listAlerts',
  buildInput: ({ since, until }) => ({
    updated_since: toIsoString(since),
    ...(until === null ? {} : { updated_until: toIsoString(until) }),
  }),
  read(item) {
    const alert = ReportedAlert.parse(item);
    const state = describeFields(alert, ['status', 'severity', 'classification', 'determination', 'assignedTo']);
    return {
      sourceId: alert.id,
      revision: alert.lastUpdateTime ?? alert.status ?? '',
      at: toEpochSeconds(alert.lastUpdateTime ?? alert.alertCreationTime),
      alert: {
        type: toAlertType('Endpoint alert', alert.category),
        ...toAlertBody(item, toEpochSeconds(alert.alertCreationTime)),
      },
      note: toNote(`Alert ${alert.id} changed at its source: ${state}.`),
    };
  },
} as const satisfies PolledIntake;
