import { expect, it } from 'vitest';
import { catalogue } from '../../../connectors/catalogue.js';
import type { Catalogue } from '../../../connectors/kit/define.js';
import { describeTarget, titleWithTarget } from '../../../domain/connection/skill-target.js';

it.each([
  [{ machine_id: 'abc', comment: 'Because of an alert' }, 'abc'],
  [{ indicator_value: '203.0.113.66', indicator_type: 'IpAddress', action: 'Block' }, '203.0.113.66'],
  [{ entities: ['one.example', 'two.example'], max_items: 10 }, 'one.example and 1 more'],
  [{ kind: 'ip', value: '203.0.113.66' }, '203.0.113.66'],
  [{ hostname: '', max_items: 10 }, null],
  [{ query: 'x'.repeat(200) }, `${'x'.repeat(79)}…`],
  [null, null],
])('names the target of %j', (input, expected) => {
  expect(describeTarget(input)).toBe(expected);
});

it('titles a call with its target', () => {
  expect(titleWithTarget('Get enrichment', '203.0.113.66')).toBe('Get enrichment: 203.0.113.66');
  expect(titleWithTarget('List alerts', null)).toBe('List alerts');
});

it('finds a target in every write and in every read of one object', () => {
  const connectors: Catalogue = catalogue;
  const without = Object.values(connectors).flatMap(({ kind, skills }) =>
    Object.entries(skills)
      .filter(([verb, { effect }]) => effect === 'write' || /^get(?!Bookings|Users|PlaybookAlerts)/.test(verb))
      .filter(([, { input }]) => describeTarget(Object.fromEntries(Object.keys(input.shape).map((field) => [field, 'given']))) === null)
      .map(([verb]) => `${kind}.${verb}`),
  );
  expect(without).toEqual([]);
});
