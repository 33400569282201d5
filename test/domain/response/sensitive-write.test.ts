import { describe, expect, it } from 'vitest';
import { endpointDetection } from '../../../connectors/endpoint-detection/contract.js';
import { writeContracts } from '../../../connectors/skill-index.js';
import { readAffectedAssets } from '../../../domain/response/write.js';

const list = (verb: string, input: object, assets: Parameters<typeof writeContracts.listSensitivities>[0]['assets'] = null) =>
  writeContracts.listSensitivities({ connectorKey: 'endpointDetection', verb, input: { ...input }, assets });

describe('a sensitive write', () => {
  it('runs commands on a machine', () => {
    expect(list('runLiveResponse', { machine_id: 'm1' })).toEqual(['It runs commands on a machine.']);
    for (const verb of ['unisolateMachine', 'runAntivirusScan', 'collectInvestigationPackage']) expect(list(verb, {})).toEqual([]);
  });

  it.each([
    ['DomainName', 'example.com', 'Block', true],
    ['DomainName', 'example.com', 'Warn', true],
    ['DomainName', 'example.com', 'Allowed', false],
    ['Url', 'https://example.com', 'Block', true],
    ['Url', 'example.com/*', 'Block', true],
    ['Url', 'https://example.com/login?id=1', 'Block', false],
    ['IpAddress', '203.0.113.66', 'Block', false],
    ['FileSha256', 'a'.repeat(64), 'Block', false],
  ])('blocks a domain: %s %s %s is %s', (indicator_type, indicator_value, action, isSensitive) => {
    expect(list('createIndicator', { indicator_type, indicator_value, action })).toEqual(isSensitive ? ['It blocks a whole domain.'] : []);
  });

  it.each([
    ['WindowsServer2022', true],
    ['Ubuntu', true],
    ['', true],
    ['Windows11', false],
    ['macOS', false],
  ])('isolates a server: %s is %s', (osPlatform, isServer) => {
    const { isolateMachine } = endpointDetection.skills;
    const answers = isolateMachine.touches.map((read) => ({
      read,
      output: read.verb === 'getMachine' ? { computerDnsName: 'one.corp.example', osPlatform, machineTags: [] } : { items: [] },
      isComplete: true,
    }));
    const assets = readAffectedAssets(isolateMachine, { machine_id: 'm1' }, answers);
    expect(assets?.servers).toEqual(isServer ? ['one.corp.example'] : []);
    expect(list('isolateMachine', {}, assets)).toHaveLength(isServer ? 1 : 0);
  });

  it('may isolate a server if the machine is not known, and keeps the rules of its time if an earlier version stored it', () => {
    expect(list('isolateMachine', {}, null)).toHaveLength(1);
    expect(list('isolateMachine', {}, { hosts: ['one'], users: [], tags: [] })).toEqual([]);
  });
});
