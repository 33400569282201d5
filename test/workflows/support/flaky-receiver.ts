import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { waitFor } from '../../support/service.js';
import { type WithReceiver, writeEvents } from '../../support/webhook-receiver.js';

/** Writes events of cases for a receiver that fails half of the time, and expects each of them once, in the order of its case. */
export async function expectEveryEvent(
  { service, state }: WithReceiver,
  { cases, eventsOfEach }: { cases: number; eventsOfEach: number },
): Promise<void> {
  const caseIds = Array.from({ length: cases }, () => randomUUID());
  state.accepts = () => Math.random() < 0.5;
  await writeEvents(service, caseIds, eventsOfEach);
  const receivedFor = (caseId: string) => state.accepted.filter(({ event }) => event.data['case_id'] === caseId);
  await waitFor('all events', async () => caseIds.every((caseId) => receivedFor(caseId).length >= eventsOfEach));
  for (const caseId of caseIds)
    expect(receivedFor(caseId).map(({ event }) => Number(event.sequence))).toEqual(
      Array.from({ length: eventsOfEach }, (_, index) => index + 1),
    );
}
