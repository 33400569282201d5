import { expect, it } from 'vitest';
import { mayReadMetrics } from '../../platform/metrics-access.js';

type Request = Parameters<typeof mayReadMetrics>[0];
const from = (remoteAddress: string, headers: Request['headers'] = {}): Request =>
  ({ headers: { host: 'localhost:3000', ...headers }, socket: { remoteAddress } }) as Request;
const TOKEN = 'a-token-of-the-prometheus-server';

it('another machine needs the token, whatever its headers claim', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::7', '10.0.0.5', '']) {
    expect(mayReadMetrics(from(address), TOKEN)).toBe(false);
    expect(mayReadMetrics(from(address, { 'x-forwarded-for': '127.0.0.1' }), TOKEN)).toBe(false);
    expect(mayReadMetrics(from(address, { authorization: 'Bearer ' }), null)).toBe(false);
    expect(mayReadMetrics(from(address, { authorization: `Bearer ${TOKEN}x` }), TOKEN)).toBe(false);
    expect(mayReadMetrics(from(address, { authorization: `Bearer ${TOKEN}` }), TOKEN)).toBe(true);
  }
});

it('the machine of the process needs none, but a proxy on it does', () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    expect(mayReadMetrics(from(address), null)).toBe(true);
    expect(mayReadMetrics(from(address, { host: 'evil.example' }), null)).toBe(false);
    expect(mayReadMetrics(from(address, { 'x-forwarded-for': '192.0.2.7' }), TOKEN)).toBe(false);
  }
});
