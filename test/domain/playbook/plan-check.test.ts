import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../connectors/catalogue.js';
import type { Catalogue } from '../../../connectors/kit/define.js';
import { checkPlan } from '../../../domain/playbook/plan-check.js';
import { type AskStep, Plan, type PlanStep, type ProposeStep } from '../../../domain/playbook/playbook.js';

const contracts: Catalogue = catalogue;
const requireSkill = (name: string) => {
  const [connector = '', verb = ''] = name.split('.');
  return contracts[connector]?.skills[verb] ?? null;
};

const machines: AskStep = {
  do: 'ask',
  id: 'machines',
  why: 'How the platform rates it.',
  skill: 'endpointDetection.listMachines',
  each: { of: 'entity', kind: 'host', atMost: 5 },
  input: { computer_dns_name: { take: 'item' }, max_items: { take: 'value', value: 5 } },
  proves: [{ when: [{ path: 'items[].riskScore', is: 'equals', value: 'High' }], points: 25, says: 'At risk', techniques: [] }],
  shows: ['items[].computerDnsName'],
};
const isolate: ProposeStep = {
  do: 'propose',
  id: 'isolate',
  why: 'It is cut off.',
  skill: 'endpointDetection.isolateMachine',
  each: { of: 'answer', step: 'machines', path: 'items[].id', atMost: 5 },
  input: { machine_id: { take: 'item' }, comment: { take: 'value', value: 'Proposed.' } },
  from: 'malicious',
};
const check = (...steps: PlanStep[]) => checkPlan(Plan.parse({ steps }), requireSkill);

describe('a plan that can be run', () => {
  it('has no problems', () => {
    expect(check(machines, isolate)).toEqual([]);
  });

  it.each<[string, Partial<AskStep>]>([
    ['an address', { each: { of: 'entity', kind: 'ip', atMost: 5 }, input: { last_ip_address: { take: 'item' } } }],
    [
      'a time',
      { input: { last_seen_since: { take: 'alert-time', as: 'iso', minusDays: 7 }, machine_tag: { take: 'value', value: 'server' } } },
    ],
    [
      'a list',
      { skill: 'malwareProtection.listComputers', input: { hostname: { take: 'item-in-list' } }, proves: [], shows: ['items[].hostname'] },
    ],
  ])('may use %s', (_, change) => {
    expect(check({ ...machines, ...change })).toEqual([]);
  });
});

describe('a plan that cannot be run', () => {
  it.each<[string, PlanStep[], string, RegExp]>([
    [
      'an unknown skill',
      [{ ...machines, skill: 'endpointDetection.reboot' }],
      '/steps/0/skill',
      /skill endpointDetection.reboot does not exist/,
    ],
    [
      'a write in an ask step',
      [{ ...machines, skill: isolate.skill, input: isolate.input, shows: [], proves: [] }],
      '/steps/0/skill',
      /a step cannot ask it/,
    ],
    [
      'a read in a propose step',
      [machines, { ...isolate, skill: 'endpointDetection.getMachine', input: { machine_id: { take: 'item' } } }],
      '/steps/1/skill',
      /a step cannot propose it/,
    ],
    [
      'an unknown field',
      [{ ...machines, input: { ...machines.input, hostname: { take: 'item' } } }],
      '/steps/0/input/hostname',
      /has no field hostname. Use one of its fields: computer_dns_name/,
    ],
    [
      'a field named like an inherited property',
      [{ ...machines, input: Object.fromEntries([['constructor', { take: 'item' as const }]]) }],
      '/steps/0/input/constructor',
      /has no field/,
    ],
    [
      'a field that is missing',
      [machines, { ...isolate, input: { machine_id: { take: 'item' } } }],
      '/steps/1/input',
      /needs the field comment/,
    ],
    [
      'a constant that the field rejects',
      [{ ...machines, input: { max_items: { take: 'value', value: 0 } } }],
      '/steps/0/input/max_items',
      />=1/,
    ],
    [
      'an item that never matches the field',
      [{ ...machines, input: { last_ip_address: { take: 'item' } } }],
      '/steps/0/input/last_ip_address',
      /Invalid/,
    ],
    [
      'a time with the wrong format for the field',
      [{ ...machines, input: { last_seen_since: { take: 'alert-time', as: 'seconds' } } }],
      '/steps/0/input/last_seen_since',
      /expected string/,
    ],
    [
      'fields that exclude each other',
      [
        {
          ...machines,
          skill: 'travelBooking.searchUserTravel',
          each: { of: 'entity', kind: 'email', atMost: 1 },
          input: {
            email: { take: 'item' },
            around: { take: 'alert-time', as: 'seconds' },
            from: { take: 'alert-time', as: 'seconds', minusDays: 2 },
            to: { take: 'alert-time', as: 'seconds' },
          },
          proves: [],
          shows: [],
        },
      ],
      '/steps/0/input',
      /enter either around/,
    ],
    [
      'an entity at an unknown field',
      [{ ...machines, leadsTo: [{ kind: 'machine-id', path: 'machines[].id' }] }],
      '/steps/0/leadsTo/0/path',
      /has no field machines\[\]/,
    ],
    [
      'an own machine at an unknown field',
      [{ ...machines, identifies: { asset: 'machine', path: 'machines[].id' } }],
      '/steps/0/identifies/path',
      /has no field machines\[\]/,
    ],
    [
      'a proof in an unknown list',
      [{ ...machines, proves: [{ inOne: 'machines[]', when: [{ path: 'id', is: 'present' }], points: 1, says: 'x', techniques: [] }] }],
      '/steps/0/proves/0/inOne',
      /has no field machines\[\]/,
    ],
    [
      'a proof about an unknown field of a list',
      [
        {
          ...machines,
          proves: [{ inOne: 'items[]', when: [{ path: ['id', 'riskScore[].x'], is: 'present' }], points: 1, says: 'x', techniques: [] }],
        },
      ],
      '/steps/0/proves/0/when/0/path',
      /has no field items\[\]\.riskScore\[\]\.x/,
    ],
    ['a duplicate id', [machines, machines], '/steps/1/id', /earlier step already has the id machines/],
    ['a step that refers to a later step', [isolate, machines], '/steps/0/each/step', /No earlier "ask" step has the id machines/],
    [
      'a step that refers to itself',
      [{ ...machines, each: { of: 'answer', step: 'machines', path: 'items[].id', atMost: 1 } }],
      '/steps/0/each/step',
      /No earlier "ask" step/,
    ],
    [
      'a path that does not exist',
      [machines, { ...isolate, each: { of: 'answer', step: 'machines', path: 'machines[].id', atMost: 5 } }],
      '/steps/1/each/path',
      /has no field machines\[\].id/,
    ],
    [
      'a misspelled field of an answer that may have more fields',
      [{ ...machines, shows: ['items[].riskscore'] }],
      '/steps/0/shows/0',
      /has no field items\[\]\.riskscore\. Did you mean items\[\]\.riskScore\?/,
    ],
    [
      'a field that no answer has',
      [{ ...machines, shows: ['items[].somethingNew'] }],
      '/steps/0/shows/0',
      /has no field items\[\]\.somethingNew\. Choose a path/,
    ],
    [
      'a misspelled time of a fact',
      [
        {
          ...machines,
          proves: [{ inOne: 'items[]', when: [{ path: 'id', is: 'present' }], at: 'lastSeem', points: 1, says: 'x', techniques: [] }],
        },
      ],
      '/steps/0/proves/0/at',
      /Did you mean items\[\]\.lastSeen\?/,
    ],
    ['a list where there is none', [{ ...machines, shows: ['total[].x'] }], '/steps/0/shows/0', /has no field total\[\].x/],
    [
      'a proof about an unknown field',
      [{ ...machines, proves: [{ when: [{ path: 'score', is: 'true' }], points: 1, says: 'x', techniques: [] }] }],
      '/steps/0/proves/0/when/0/path',
      /has no field score/,
    ],
    [
      'a comparison without a number',
      [{ ...machines, proves: [{ when: [{ path: 'total', is: 'at-least', value: '3' }], points: 1, says: 'x', techniques: [] }] }],
      '/steps/0/proves/0/when/0',
      /needs a number/,
    ],
    [
      'a comparison without a value',
      [{ ...machines, proves: [{ when: [{ path: 'cut', is: 'equals' }], points: 1, says: 'x', techniques: [] }] }],
      '/steps/0/proves/0/when/0',
      /needs a value/,
    ],
    [
      'a condition about an unknown field',
      [
        machines,
        { ...isolate, each: { of: 'answer', step: 'machines', path: 'items[].id', when: [{ path: 'score', is: 'true' }], atMost: 5 } },
      ],
      '/steps/1/each/when/0/path',
      /has no field score/,
    ],
  ])('is reported with pointer and reason: %s', (_, steps, pointer, why) => {
    const problems = check(...steps);
    expect(problems).toContainEqual({ pointer, detail: expect.stringMatching(why) });
  });
});

it('Plan accepts at most 120 steps', () => {
  const steps = Array.from({ length: 121 }, (_, index) => ({ ...machines, id: `machines-${index}` }));
  expect(Plan.safeParse({ steps }).success).toBe(false);
  expect(Plan.safeParse({ steps: steps.slice(1) }).success).toBe(true);
});

it.each(['a\u0000b', 'half \ud800'])('Plan refuses text that cannot be stored: %j', (why) => {
  expect(Plan.safeParse({ steps: [{ ...machines, why }] }).success).toBe(false);
  expect(Plan.safeParse({ steps: [{ ...machines, input: { [why]: { take: 'item' } } }] }).success).toBe(false);
});
