import { z } from 'zod';
import {
  describeFields,
  itemId,
  optionalText,
  type PolledIntake,
  toAlertBody,
  toAlertType,
  toEpochSeconds,
  toNote,
} from '../../domain/alert/intake-source.js';
import { clip } from '../../domain/text.js';

/** The platform requires an end of the window; this covers a clock that is ahead of ours. */
const CLOCK_SKEW_SECONDS = 24 * 3600;

const ReportedAlert = z.looseObject({
  id: itemId,
  type: optionalText,
  rule: z.looseObject({ name: optionalText }).nullish().catch(null),
  review: z
    .looseObject({ status_in_portal: optionalText, status: optionalText, assignee: optionalText, note: optionalText })
    .nullish()
    .catch(null),
  log: z.looseObject({ triggered: optionalText, status_date: optionalText, note_date: optionalText }).nullish().catch(null),
});

export const intelligenceAlertIntake = {
  mode: 'poll',
  verb: 'listAlerts',
  buildInput: ({ since, until }, nowSeconds) => ({ from: since, to: until ?? Math.max(since, nowSeconds) + CLOCK_SKEW_SECONDS }),
  read(item) {
    const { id, type, rule, review, log } = ReportedAlert.parse(item);
    const status = review?.status_in_portal ?? review?.status ?? null;
    const state = describeFields({ status, assignee: review?.assignee, note: review?.note }, ['status', 'assignee', 'note']);
    const triggeredAt = toEpochSeconds(log?.triggered);
    return {
      sourceId: id,
      // The platform has no time of the last change: the review fields tell one.
      revision: clip(JSON.stringify([status, review?.assignee ?? null, log?.status_date ?? null, log?.note_date ?? null]), 500),
      at: triggeredAt,
      alert: { type: toAlertType('Intelligence alert', rule?.name ?? type), ...toAlertBody(item, triggeredAt) },
      note: toNote(`Alert ${id} changed at its source: ${state}.`),
    };
  },
} as const satisfies PolledIntake;
