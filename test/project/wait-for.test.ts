import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.js';

let looks = 0;
let hasContinued = false;

it.fails('waitFor ends with the time limit of the test', { timeout: 200 }, async () => {
  await waitFor('a condition that holds too late', async () => {
    looks += 1;
    await delay(20);
    return looks > 6;
  });
  hasContinued = true;
});

it('waitFor does not run beside the next test', async () => {
  const before = looks;
  await delay(300);
  expect(looks).toBeLessThanOrEqual(before + 1);
  expect(hasContinued).toBe(false);
});

it('waitFor returns what the condition found', async () => {
  let calls = 0;
  expect(await waitFor('the third call', async () => (++calls === 3 ? 'found' : null))).toBe('found');
});
