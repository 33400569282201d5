import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { toRefusal } from '../../../connectors/kit/errors.js';
import { toReply } from '../../../connectors/kit/http.js';
import { requireApi } from '../../../connectors/kit/require-api.js';
import { ThirdPartyError } from '../../../domain/connection/skill-errors.js';

const reply = (status: number, text: string) => toReply({ status, headers: {} }, text, 'api.example');
const NOT_FOUND = reply(404, '');

/** Returns the code of the error, or the number of probes of two questions. */
async function ask(...replies: (ReturnType<typeof reply> | Error)[]): Promise<unknown> {
  let probed = 0;
  const probe = async () => {
    const next = replies[probed];
    probed += 1;
    if (next === undefined || next instanceof Error) throw next ?? new Error('one probe too many');
    return next;
  };
  const address = {
    connection: { id: randomUUID(), generation: 1 },
    baseUrl: 'https://api.example',
    probes: replies.map(() => probe),
    refusal: (refused: typeof NOT_FOUND) => toRefusal(refused, {}, ''),
  };
  try {
    await requireApi(address, NOT_FOUND);
    await requireApi(address, NOT_FOUND);
    return probed;
  } catch (error) {
    if (error instanceof ThirdPartyError) expect(error.mayHaveHappened).toBe(false);
    return error instanceof ThirdPartyError ? error.code : error;
  }
}

it('finds the API by the reply of a path that it always has, and remembers it', async () => {
  expect(await ask(reply(200, '{"value":[]}'))).toBe(1);
  expect(await ask(reply(403, ''))).toBe(1);
  expect(await ask(reply(404, ''), reply(200, '{}'))).toBe(2);
});

it('does not find it at a host that knows none of the paths, or answers each with a page', async () => {
  expect(await ask(reply(404, ''), reply(404, ''))).toBe('Misconfigured');
  expect(await ask(reply(200, '<html>'))).toBe('Misconfigured');
});

it('leaves the question open if the probe has no answer', async () => {
  expect(await ask(reply(503, ''))).toBe('Unavailable');
  expect(await ask(reply(429, ''))).toBe('RateLimited');
  expect(await ask(new ThirdPartyError('Unavailable', 'reset'))).toBe('Unavailable');
});
