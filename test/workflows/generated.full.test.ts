import { afterAll, beforeAll, it } from 'vitest';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';
import { expectIgnoredTime } from './support/generated.js';

let started: WithThirdParties;
beforeAll(async () => {
  started = await startWithThirdParties();
  for (const [name, fields] of Object.entries(started.thirdParties.connections))
    await createConnection(started.service, { instance_name: name, ...fields });
});
afterAll(() => started?.stop());

it.each([
  ['milliseconds', 'Zorbing of the frobnicator', 1_790_000_000_000],
  ['microseconds', 'Malware detected', 1_790_000_000_000_000],
  ['a time before 2000', 'Malware detected', 1000],
  ['the future', 'Malware detected', Math.floor(Date.now() / 1000) + 7 * 86_400],
])('ignores created_at_source in %s for its questions, and says so: %s', (_unit, alertType, createdAtSource) =>
  expectIgnoredTime(started, alertType, createdAtSource),
);
