import { it } from 'vitest';
import { waitFor } from '../support/service.js';
import { connect, detected, newStream, publish, setUpStreams, startConsumers, stored, waitUntilEmpty } from './support/streams.js';

setUpStreams();

it('loses none of a thousand events while workers start and stop', async () => {
  const stream = await newStream();
  const connectionId = await connect(stream, false);
  const events = Array.from({ length: 1000 }, () => detected());
  let worker = startConsumers();
  for (let from = 0; from < events.length; from += 200) {
    await publish(stream, events.slice(from, from + 200));
    await waitFor('more stored events', async () => (await stored(connectionId)).length > from);
    const next = startConsumers();
    await worker.stop();
    worker = next;
  }
  await waitFor('all events', async () => (await stored(connectionId)).length === 1000);
  await waitUntilEmpty(stream);
});
