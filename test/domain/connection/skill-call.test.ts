import { describe, expect, it } from 'vitest';
import {
  chooseFailureEffect,
  limitRequests,
  requireUsable,
  settlesInSeconds,
  toSkillReply,
} from '../../../domain/connection/skill-call.js';
import { InvalidSkillInput, SkillTimedOut, ThirdPartyError } from '../../../domain/connection/skill-errors.js';

const working = {
  state: 'working',
  stateReason: null,
  refused: null,
  blockedForSeconds: null,
  blockReason: null,
  failuresInARow: 0,
} as const;

describe('requireUsable', () => {
  it('returns a working connection', () => {
    expect(requireUsable(working)).toBe(working);
  });

  it.each([
    [null, { code: 'Misconfigured' }],
    [
      { ...working, state: 'broken' as const, stateReason: 'The key expired.' },
      { code: 'CredentialsRejected', message: 'The key expired.' },
    ],
    [
      { ...working, refused: { reason: 'No scope.', resolution: 'Grant it.' } },
      { code: 'NotPermitted', resolution: 'Grant it.' },
    ],
    [
      { ...working, blockedForSeconds: 7 },
      { code: 'RateLimited', status: 429, retryAfterSeconds: 7, message: expect.stringContaining('asked us to wait') },
    ],
    [
      { ...working, blockedForSeconds: 15, blockReason: 'it failed 5 times in a row', failuresInARow: 5 },
      { code: 'CircuitOpen', status: undefined, retryAfterSeconds: 15, message: expect.stringContaining('it failed 5 times in a row') },
    ],
  ])('refuses %j', (connection, error) => {
    expect(() => requireUsable(connection)).toThrow(expect.objectContaining(error));
  });
});

describe('chooseFailureEffect', () => {
  it.each([
    [new ThirdPartyError('CredentialsRejected', 'bad key'), { kind: 'break-connection', reason: 'bad key' }],
    [new ThirdPartyError('NotPermitted', 'no scope'), { kind: 'refuse-skill', reason: 'no scope', resolution: null }],
    [
      new ThirdPartyError('RateLimited', 'slow down', { status: 429, retryAfterSeconds: 9 }),
      { kind: 'pause-connection', seconds: 9, reason: 'slow down' },
    ],
    [new ThirdPartyError('RateLimited', 'slow down', { status: 429 }), { kind: 'pause-connection', seconds: null, reason: 'slow down' }],
    [new ThirdPartyError('RateLimited', 'our own limit'), null],
    [new ThirdPartyError('Unavailable', 'reset'), { kind: 'count-failure' }],
    [new SkillTimedOut('too slow'), { kind: 'count-failure' }],
    [new ThirdPartyError('NotFound', 'no such machine'), null],
    [new InvalidSkillInput('no input'), null],
    [new Error('a bug'), null],
  ])('maps %s', (error, effect) => {
    expect(chooseFailureEffect(error)).toEqual(effect);
  });
});

it('waits a minute before a lookup counts as proof', () => {
  expect(settlesInSeconds({ secondsAgo: 0.5 })).toBe(60);
  expect(settlesInSeconds({ secondsAgo: 61 })).toBe(0);
});

it('truncates the answer that a workflow history carries', () => {
  const reply = toSkillReply('id', { text: 'x'.repeat(100_000) }, 'main');
  expect(reply).toMatchObject({ resultId: 'id', instanceName: 'main', truncated: true });
  expect(JSON.stringify(reply.output).length).toBeLessThan(33 * 1024);
});

describe('limitRequests', () => {
  it('keeps a part of the request limit for severe alerts', () => {
    expect(limitRequests(50, {})).toBe(45);
    expect(limitRequests(50, { isSevere: true })).toBe(50);
    expect(limitRequests(1, {})).toBe(1);
  });
});
