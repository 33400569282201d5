import { z } from 'zod';
import { describeState, itemId, optionalText, toEpochSeconds } from '../../domain/alert/intake-source.js';
import type { RecordSource } from '../../domain/record/record.js';
import { intelligenceAlertIntake } from './intake.js';

const ReportedAlert = z.looseObject({
  id: itemId,
  title: optionalText,
  review: z.looseObject({ status_in_portal: optionalText, status: optionalText }).nullish().catch(null),
  log: z.looseObject({ triggered: optionalText, status_date: optionalText }).nullish().catch(null),
  hits: z.array(z.looseObject({ entities: z.array(z.looseObject({ name: optionalText })).catch([]) })).catch([]),
});

const CLOSED = /^(?:dismissed|resolved)$/i;

/** The platform filters alerts by rule and time, not by the entities of their hits. */
export const intelligenceAlertRecords = {
  kind: 'intelligence-alert',
  verb: 'listAlerts',
  buildInput: intelligenceAlertIntake.buildInput,
  read(item) {
    const { data } = ReportedAlert.safeParse(item);
    if (!data) return null;
    const { id, title, review, log, hits } = data;
    const status = review?.status_in_portal ?? review?.status ?? null;
    const happenedAt = toEpochSeconds(log?.triggered);
    return {
      recordId: id,
      title: title ?? `Alert ${id}`,
      severity: null,
      isOpen: !CLOSED.test(status ?? ''),
      // A dismissed alert says that the mention does not matter, not that the entity is harmless.
      conclusion: null,
      state: describeState({ status }, ['status']),
      happenedAt,
      updatedAt: toEpochSeconds(log?.status_date) ?? happenedAt,
      mergedInto: null,
      alsoKnownAs: [],
      techniques: [],
      values: [id.toLowerCase(), ...hits.flatMap(({ entities }) => entities.flatMap(({ name }) => (name ? [name.toLowerCase()] : [])))],
    };
  },
} as const satisfies RecordSource;
