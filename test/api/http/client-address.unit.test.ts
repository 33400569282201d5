import { expect, it } from 'vitest';
import { createFindClientAddress, toClientNetwork } from '../../../api/http/client-address.js';

const find = createFindClientAddress(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.1']);

it.each([
  ['no header', '10.0.0.1', {}, '10.0.0.1'],
  ['a client that is no proxy', '203.0.113.5', { 'x-forwarded-for': '198.51.100.1' }, '203.0.113.5'],
  ['one proxy', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
  ['a proxy with an address mapped to IPv6', '::ffff:10.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
  ['two proxies and an invented address', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 192.0.2.1' }, '198.51.100.1'],
  ['only proxies', '10.0.0.1', { 'x-forwarded-for': '10.0.0.3, 10.0.0.2' }, '10.0.0.3'],
  ['ports', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1:4711' }, '198.51.100.1'],
  ['a hidden client', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1, unknown' }, '10.0.0.1'],
  ['Forwarded', '2001:db8:1::1', { forwarded: 'for=198.51.100.1;proto=https, For="[2001:db8:9::7]:4711"' }, '2001:db8:9::7'],
  ['Forwarded that cannot be read', '10.0.0.1', { forwarded: 'for="198.51.100.1' }, '10.0.0.1'],
  ['headers that agree', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' }, '198.51.100.1'],
  ['headers that differ', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.2' }, '10.0.0.1'],
])('finds the client address: %s', (_case, ip, headers, expected) => {
  expect(find({ ip, headers })).toBe(expected);
});

it.each([
  ['203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
  ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8:0:2::7', '2001:db8:0:2::/64'],
])('limits count %s as %s', (address, network) => {
  expect(toClientNetwork(address)).toBe(network);
});
