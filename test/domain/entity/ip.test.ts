import { describe, expect, it } from 'vitest';
import { canonicalIp } from '../../../domain/entity/ip.js';

describe('canonicalIp', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['::1', '::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4:5:6:c000:201'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ])('normalizes %s to %s', (written, canonical) => {
    expect(canonicalIp(written)).toBe(canonical);
  });

  it.each([
    '',
    '256.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.4.',
    '2130706433',
    '::1::',
    '12:30:45',
    '00:1a:2b:3c:4d:5e',
    'fe80::1%eth0',
    '::ffff:010.1.1.1',
    '1:2:3:4:5:6:1.2.3',
    'g::1',
    'example.com',
    '[::1]',
  ])('does not parse %j as an address', (written) => {
    expect(canonicalIp(written)).toBeNull();
  });
});
