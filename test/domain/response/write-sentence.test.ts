import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../../connectors/catalogue.js';
import { type Catalogue, defineSkill } from '../../../connectors/kit/define.js';
import { describeWrite, isSameWrite } from '../../../domain/response/write-sentence.js';

const ORGANIZATION = 'Harbour & Reed';
const assets = (...hosts: string[]) => ({ hosts, users: [], tags: [] });
const connectors: Catalogue = catalogue;

function describeSkill(verb: string, input: object, affected: ReturnType<typeof assets> | null = assets()): string {
  const { title, sentence } = connectors['endpointDetection']?.skills[verb] ?? expect.fail(`there is no ${verb}`);
  return describeWrite({ skill: title, sentence, input, assets: affected, organization: ORGANIZATION });
}

describe('the sentence of a write', () => {
  it('names the action, the target and the scope', () => {
    const block = { indicator_value: '203.0.113.66', action: 'Block' };
    expect(describeSkill('createIndicator', block)).toBe('Block 203.0.113.66 on all endpoints of Harbour & Reed');
    expect(describeSkill('createIndicator', { ...block, action: 'Allowed', rbac_group_names: ['Servers', 'Labs'] })).toBe(
      'Allow 203.0.113.66 on Servers, Labs of Harbour & Reed',
    );
    expect(describeSkill('isolateMachine', { machine_id: 'm1' }, assets('hr-ws-014.harbour.example'))).toBe(
      'Isolate hr-ws-014.harbour.example of Harbour & Reed from the network',
    );
    expect(describeSkill('runAntivirusScan', { machine_id: 'm1', scan_type: 'Quick' }, assets('a', 'b', 'c', 'd', 'e'))).toBe(
      'Run a quick antivirus scan on a, b, c and 2 more of Harbour & Reed',
    );
  });

  it('names the id of a machine without a known name', () => {
    expect(describeSkill('isolateMachine', { machine_id: 'm1' }, null)).toBe('Isolate the machine m1 of Harbour & Reed from the network');
  });

  it('has a default for a contract without a sentence', () => {
    const write = { skill: 'Lock account', sentence: undefined, input: {}, organization: ORGANIZATION };
    expect(describeWrite({ ...write, assets: assets('pc1') })).toBe('Lock account on pc1 of Harbour & Reed');
    expect(describeWrite({ ...write, assets: null })).toBe('Lock account on the target in its input of Harbour & Reed');
  });

  it('exists for every write of the catalogue, and names only known fields', () => {
    for (const { skills } of Object.values(connectors))
      for (const { title, effect, sentence } of Object.values(skills)) if (effect === 'write') expect(sentence, title).toBeDefined();
    const contract = {
      title: 'Lock account',
      purpose: 'Locks an account.',
      effect: 'write',
      call: 'POST /lock',
      timeoutSeconds: 1,
      input: z.object({ account: z.string() }),
      output: z.object({}),
    } as const;
    defineSkill({ ...contract, sentence: { template: 'Lock {account} of {organization}' }, target: ['account'] });
    // @ts-expect-error The input has no field `acount`.
    defineSkill({ ...contract, sentence: { template: 'Lock {acount}' } });
    // @ts-expect-error The input has no field `acount`.
    defineSkill({ ...contract, target: ['acount'] });
  });
});

describe('two writes', () => {
  it('are the same if their target is the same', () => {
    expect(isSameWrite(['machine_id'], { machine_id: 'M1', comment: 'x' }, { machine_id: 'm1', comment: 'y' })).toBe(true);
    expect(isSameWrite(['machine_id'], { machine_id: 'm1' }, { machine_id: 'm2' })).toBe(false);
    expect(isSameWrite(undefined, { a: 1 }, { a: 1 })).toBe(true);
    expect(isSameWrite(undefined, { a: 1 }, { a: 2 })).toBe(false);
  });
});
