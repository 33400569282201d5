import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { notifyWorkflowId } from '../../domain/notification/delivery.js';
import { replayAll, waitFor } from '../support/service.js';
import { createRule, createWebhook, startWithReceiver, type WithReceiver, writeEvents } from '../support/webhook-receiver.js';

it('loses none of a thousand events of a receiver that fails half of the time', { timeout: 600_000 }, async () => {
  const kit = await startWithReceiver({ deliveryBackoff: { baseMs: 20, maxMs: 200 } });
  onTestFinished(() => kit.stop());
  const { channel_id: channelId } = await createWebhook(kit.service, kit.url);
  await createRule(kit.service, channelId, { events: ['case.commented'] });
  await expectEveryEvent(kit, { cases: 40, eventsOfEach: 25 });
  const run = kit.service.temporal.workflow.getHandle(notifyWorkflowId(channelId));
  await waitFor('its run to end', async () => (await run.describe()).status.name === 'COMPLETED');
  expect(await replayAll(kit.service)).toBeGreaterThan(0);
});

/** Writes events of cases for a receiver that fails half of the time, and expects each of them once, in the order of its case. */
async function expectEveryEvent(
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
