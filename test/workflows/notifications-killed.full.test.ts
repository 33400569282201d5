import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startWorkerProcess, waitFor } from '../support/service.js';
import { createRule, createWebhook, startWithReceiver, type WithReceiver, writeEvents } from '../support/webhook-receiver.js';

let kit: WithReceiver;
beforeAll(async () => {
  kit = await startWithReceiver({ worker: false });
});
afterAll(() => kit?.stop());

it('a worker that is killed between event and delivery loses no event, and the repetition has its id', async () => {
  const { service, receiver, state } = kit;
  const channel = await createWebhook(service, kit.url);
  await createRule(service, channel.channel_id, { events: ['case.commented'] });
  const ids: string[] = [];
  state.accepts = ({ event }) => ids.push(event.id) > 0;
  receiver.faults.next({ drip: true, performed: true });
  const first = startWorkerProcess(service.settings);
  onTestFinished(() => void first.kill('SIGKILL'));
  const subject = randomUUID();
  await writeEvents(service, [subject], 3);
  await waitFor('the first request', async () => receiver.requests.length > 0);
  first.kill('SIGKILL');
  // The API forgets everything that it has in memory, too.
  await writeEvents(service, [subject], 1);
  await service.restartApi();
  const second = startWorkerProcess(service.settings);
  onTestFinished(() => void second.kill('SIGKILL'));
  await waitFor('all events', async () => new Set(ids).size === 4);
  // The first event was received twice, with the same id; the others followed in their order.
  const sequences = state.accepted.map(({ event }) => Number(event.sequence));
  expect(sequences).toEqual([1, 1, 2, 3, 4]);
  expect(ids[0]).toBe(ids[1]);
});
