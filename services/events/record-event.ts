import type { z } from 'zod';
import type { Transaction } from '../../db/client.js';
import { insertEvent } from '../../db/notifications/events.js';
import type { EVENT_DATA, EventName } from '../../domain/notification/event.js';

/** Writes an event for the notification channels. The subject orders the events: a case, a run, a connection or an agent. */
export function recordEvent<Name extends EventName>(
  transaction: Transaction,
  event: {
    readonly name: Name;
    readonly organizationUuid: string;
    readonly subjectUuid: string;
    readonly data: z.input<(typeof EVENT_DATA)[Name]>;
  },
): Promise<void> {
  return insertEvent(transaction, event);
}
