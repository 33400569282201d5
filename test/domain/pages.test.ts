import { expect, it } from 'vitest';
import { toOwnPath } from '../../domain/pages.js';

it.each([
  ['/', '/'],
  ['/?hours=24', '/?hours=24'],
  ['/alerts', '/alerts'],
  ['/alerts?status=20&cursor=a%2Fb#top', '/alerts?status=20&cursor=a%2Fb#top'],
  ['/cases/CASE-1?text=//evil.example', '/cases/CASE-1?text=//evil.example'],
  ['/cases?text=Zürich', '/cases?text=Z%C3%BCrich'],
])('the path %s stays', (to, path) => {
  expect(toOwnPath(to)).toBe(path);
});

it.each([
  undefined,
  '',
  'alerts',
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example/',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/a/..//evil.example',
  '/a/../\\evil.example',
  '/./\\evil.example',
  '/%2e//evil.example',
  '/alerts\r\nSet-Cookie: Session=x',
  '/alerts\u0000',
  '/@evil.example',
  '/:80',
  '/.evil.example',
  '/%09/evil.example',
])('the path %j leads to the overview', (to) => {
  const path = toOwnPath(to);
  expect(path).toBe('/');
});

it('never leaves the site, and every path is valid in a header', () => {
  const parts = [
    '/',
    '\\',
    '.',
    '..',
    '\t',
    '\r\n',
    'evil.example',
    '@',
    ':',
    '%2f',
    '%5c',
    'a',
    '?',
    '#',
    ' ',
    '\u3002',
    '\u00e9',
    '\ud800',
  ];
  for (const one of parts)
    for (const two of parts)
      for (const three of parts) {
        const path = toOwnPath(`/${one}${two}${three}/evil.example`);
        expect(new URL(path, 'https://soc.example.com').origin).toBe('https://soc.example.com');
        expect(path).toMatch(/^\/(?:$|[A-Za-z?#])[\x21-\x7e]*$/);
      }
});
