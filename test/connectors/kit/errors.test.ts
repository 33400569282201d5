import { describe, expect, it } from 'vitest';
import type { ErrorTable } from '../../../connectors/kit/define.js';
import { readRetryAfter, toRefusal } from '../../../connectors/kit/errors.js';
import type { HttpReply } from '../../../connectors/kit/implement.js';
import { NEVER_RETRIED } from '../../../domain/connection/skill-errors.js';

function reply(status: number, headers: Record<string, string> = {}): HttpReply {
  return { status, headers, text: '', json: () => null };
}

const TABLE: ErrorTable = {
  401: { cause: 'The token is not accepted', resolution: 'Reconnect.' },
  403: { cause: 'A permission is missing', resolution: 'Grant admin consent.' },
  '5xx': { cause: 'The service has a fault', resolution: 'Try again later.' },
};

describe('an error response', () => {
  it.each([
    [400, 'BadRequest', false, false],
    [401, 'CredentialsRejected', false, false],
    [403, 'NotPermitted', false, false],
    [404, 'Misconfigured', false, false],
    [405, 'BadRequest', false, false],
    [408, 'Unavailable', true, true],
    [409, 'Conflict', false, false],
    [422, 'BadRequest', false, false],
    [429, 'RateLimited', false, false],
    [500, 'Unavailable', true, true],
    [502, 'Unavailable', true, true],
    [503, 'Unavailable', true, true],
    [504, 'Unavailable', true, true],
  ])('with status %d is %s', (status, code, retryable, mayHaveHappened) => {
    const error = toRefusal(reply(status), TABLE, '');
    expect(error).toMatchObject({ code, status, retryable, mayHaveHappened });
    expect(NEVER_RETRIED.includes(code)).toBe(!retryable);
  });

  it('contains the cause, the response and the resolution from the table of its connector', () => {
    expect(toRefusal(reply(403), TABLE, 'Missing scopes')).toMatchObject({
      message: 'A permission is missing (HTTP 403: Missing scopes)',
      resolution: 'Grant admin consent.',
    });
    expect(toRefusal(reply(502), TABLE, '')).toMatchObject({
      message: 'The service has a fault (HTTP 502)',
      resolution: 'Try again later.',
    });
    expect(toRefusal(reply(404), TABLE, '')).toMatchObject({ message: 'HTTP 404', resolution: undefined });
  });

  it('contains a bounded excerpt of the body that the database can store', () => {
    const { message } = toRefusal(reply(400), TABLE, `\u0000${'x'.repeat(5000)}`);
    expect(message.length).toBeLessThan(350);
    expect(message).not.toContain('\u0000');
  });

  it('with a retry delay is a rate limit with that delay', () => {
    expect(toRefusal(reply(429, { 'retry-after': '120' }), TABLE, '').retryAfterSeconds).toBe(120);
    expect(toRefusal(reply(429), TABLE, '').retryAfterSeconds).toBeUndefined();
    expect(toRefusal(reply(429, { 'retry-after': '0' }), TABLE, '').retryAfterSeconds).toBeUndefined();
    expect(toRefusal(reply(503, { 'retry-after': '5' }), TABLE, '')).toMatchObject({ code: 'RateLimited', retryAfterSeconds: 5 });
    expect(toRefusal(reply(500, { 'retry-after': '5' }), TABLE, '').retryAfterSeconds).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const read = (value: string, date?: string) =>
    readRetryAfter({ headers: { 'retry-after': value, ...(date === undefined ? {} : { date }) } }, now);

  it.each([
    ['0', 0],
    ['30', 30],
    [' 30 ', 30],
    ['1.2', 2],
    ['99999999', 24 * 3600],
    ['9'.repeat(400), 24 * 3600],
    ['Sun, 01 Mar 2026 12:00:45 GMT', 45],
    ['Sunday, 01-Mar-26 12:00:45 GMT', 45],
    ['2026-03-01T12:00:44.500Z', 45],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('reads %j as %d seconds, never less than requested', (value, seconds) => {
    expect(read(value)).toBe(seconds);
  });

  it('reads a date relative to the clock of the sender', () => {
    expect(read('Sun, 01 Mar 2026 12:01:00 GMT', 'Sun, 01 Mar 2026 12:00:50 GMT')).toBe(10);
    expect(read('Sun, 01 Mar 2026 12:01:00 GMT', 'Sun, 01 Mar 2026 11:55:00 GMT')).toBe(360);
    expect(read('Sun, 01 Mar 2026 12:01:00 GMT', 'garbage')).toBe(60);
  });

  it.each(['', ' ', 'soon', '-5', '1e9', '5 minutes', '0x10', 'NaN'])('ignores %j', (value) => {
    expect(read(value)).toBeUndefined();
  });
});
