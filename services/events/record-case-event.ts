import type { z } from 'zod';
import { insertCaseEvent } from '../../db/notifications/events.js';
import type { EVENT_DATA, EventName } from '../../domain/notification/event.js';
import type { Inside, WorkContext } from '../context.js';

type CaseFact = 'case_id' | 'severity' | 'verdict' | 'assignee';
type CaseEventName = { [Name in EventName]: CaseFact extends keyof z.infer<(typeof EVENT_DATA)[Name]> ? Name : never }[EventName];

/** Writes an event about a case, with the case as the transaction leaves it. */
export function recordCaseEvent<Name extends CaseEventName>(
  { beforeCommit }: Pick<Inside<WorkContext>, 'beforeCommit'>,
  caseUuid: string,
  name: Name,
  data: Omit<z.input<(typeof EVENT_DATA)[Name]>, CaseFact>,
): void {
  beforeCommit((db) => insertCaseEvent(db, { name, caseUuid, data }));
}
