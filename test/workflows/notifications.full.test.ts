import { expect, it, onTestFinished } from 'vitest';
import { notifyWorkflowId } from '../../domain/notification/delivery.js';
import { replayAll, waitFor } from '../support/service.js';
import { createRule, createWebhook, startWithReceiver } from '../support/webhook-receiver.js';
import { expectEveryEvent } from './support/flaky-receiver.js';

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
