import { describe, expect, it } from 'vitest';
import type { Entity } from '../../../domain/entity/entity.js';
import { canonicalKnowledge, type KnowledgeEntry } from '../../../domain/organization/knowledge.js';
import { classifyOwn, indexKnowledge, listOwn } from '../../../domain/organization/own-entities.js';
import { SaveKnowledge } from '../../../services/knowledge/wire.js';

const KNOWN: KnowledgeEntry[] = [
  { kind: 'domain', value: 'acme.example' },
  { kind: 'network', value: '10.0.0.0/8' },
  { kind: 'network', value: '2001:db8:5::/48' },
  { kind: 'syslog-relay', value: '10.1.2.3' },
  { kind: 'mail-relay', value: 'mx.relays.example' },
  { kind: 'vpn-exit', value: '198.51.100.0/28' },
  { kind: 'test-account', value: 'soc-tester' },
  { kind: 'test-account', value: 'probe@partner.example' },
  { kind: 'drill-provider', value: 'drills.example' },
];
const classify = (kind: Entity['kind'], value: string) => classifyOwn({ kind, value }, indexKnowledge(KNOWN));
const reasonOf = (kind: Entity['kind'], value: string) => classify(kind, value)?.reason ?? null;

describe('an entity is own', () => {
  it.each([
    ['domain', 'acme.example', 'own domain acme.example'],
    ['domain', 'mail.acme.example', 'own domain acme.example'],
    ['host', 'WS1.lab.acme.example.', 'own domain acme.example'],
    ['host', '10.9.9.9', 'own network 10.0.0.0/8'],
    ['host', 'mx.relays.example', 'mail relay mx.relays.example'],
    ['url', 'https://intranet.acme.example:8443/a?b', 'own domain acme.example'],
    ['url', 'http://10.4.4.4/login', 'own network 10.0.0.0/8'],
    ['url', 'http://[2001:db8:5::9]/', 'own network 2001:db8:5::/48'],
    ['ip', '10.200.1.1', 'own network 10.0.0.0/8'],
    ['ip', '10.1.2.3', 'syslog relay 10.1.2.3'],
    ['ip', '198.51.100.15', 'VPN exit 198.51.100.0/28'],
    ['ip', '2001:db8:5:1::7', 'own network 2001:db8:5::/48'],
    ['email', 'dana@acme.example', 'account of the own domain acme.example'],
    ['email', 'soc-tester@acme.example', 'test account soc-tester'],
    ['email', 'probe@partner.example', 'test account probe@partner.example'],
    ['user', 'ACME\\SOC-Tester', 'test account soc-tester'],
    ['user', 'soc-tester', 'test account soc-tester'],
    ['domain', 'mail.drills.example', 'drill provider drills.example'],
    ['email', 'hr@drills.example', 'drill provider drills.example'],
  ] as const)('%s %s: %s', (kind, value, reason) => {
    expect(reasonOf(kind, value)).toBe(reason);
  });
});

describe('an important machine or account', () => {
  const index = indexKnowledge([
    { kind: 'domain', value: 'acme.example' },
    { kind: 'important-machine', value: 'dc-01.acme.example' },
    { kind: 'important-machine', value: 'erp' },
    { kind: 'important-account', value: 'cfo@acme.example' },
    { kind: 'important-account', value: 'ceo' },
  ]);

  it.each([
    ['host', 'DC-01', 'important machine dc-01.acme.example'],
    ['host', 'dc-01.acme.example', 'important machine dc-01.acme.example'],
    ['host', 'erp.lab.acme.example', 'important machine erp'],
    ['email', 'ceo@acme.example', 'important account ceo'],
    ['user', 'ACME\\CFO', 'important account cfo@acme.example'],
    ['email', 'cfo@acme.example', 'important account cfo@acme.example'],
  ] as const)('is found as %s %s', (kind, value, reason) => {
    expect(classifyOwn({ kind, value }, index)).toMatchObject({ important: true, individual: true, reason });
  });

  it.each([
    ['host', 'dc-01.attacker.example'],
    ['host', 'dc-02'],
    ['email', 'cfo@attacker.example'],
    ['email', 'ceo@attacker.example'],
    ['host', 'erp.attacker.example'],
    ['domain', 'erp.example'],
  ] as const)('is not found as %s %s', (kind, value) => {
    expect(classifyOwn({ kind, value }, index)?.important).toBeUndefined();
  });

  it('has a name, not an address', () => {
    expect(canonicalKnowledge('important-machine', 'DC-01')).toBe('dc-01');
    expect(canonicalKnowledge('important-machine', '10.0.0.1')).toBeNull();
  });
});

describe('an entity is not own', () => {
  it.each([
    ['domain', 'notacme.example'],
    ['domain', 'acme.example.attacker.example'],
    ['domain', 'example'],
    ['ip', '11.0.0.1'],
    ['ip', '198.51.100.16'],
    ['ip', '2001:db8:6::1'],
    ['url', 'https://acme.example@attacker.example/'],
    ['url', 'https://attacker.example/?u=acme.example'],
    ['url', 'not a URL'],
    ['email', 'soc-tester@attacker.example'],
    ['email', '"dana@acme.example"@attacker.example'],
    ['user', 'soc-tester@attacker.example'],
    ['user', 'dana'],
    ['host', 'relays.example'],
    ['hash', 'acme.example'],
    ['cve', 'CVE-2024-1'],
  ] as const)('%s %s', (kind, value) => {
    expect(classify(kind, value)).toBeNull();
  });
});

describe('own entities', () => {
  it('name single computers and people apart from what all share', () => {
    const individual = (kind: Entity['kind'], value: string) => classify(kind, value)?.individual;
    expect(individual('host', 'ws1.acme.example')).toBe(true);
    expect(individual('ip', '10.9.9.9')).toBe(true);
    expect(individual('email', 'dana@acme.example')).toBe(true);
    expect(individual('domain', 'acme.example')).toBe(false);
    expect(individual('host', 'acme.example')).toBe(false);
    expect(individual('ip', '10.1.2.3')).toBe(false);
    expect(individual('ip', '198.51.100.1')).toBe(false);
    expect(individual('user', 'soc-tester')).toBe(false);
    expect(individual('email', 'hr@drills.example')).toBe(false);
  });

  it('name approved tests: scanners, test accounts and drill providers', () => {
    const isTest = (kind: Entity['kind'], value: string) => classify(kind, value)?.approved_test ?? false;
    expect(isTest('user', 'soc-tester')).toBe(true);
    expect(isTest('email', 'hr@drills.example')).toBe(true);
    expect(isTest('url', 'https://x.drills.example/a')).toBe(true);
    expect(isTest('email', 'dana@acme.example')).toBe(false);
    expect(isTest('ip', '10.9.9.9')).toBe(false);
  });

  it('prefer the entry that says more', () => {
    const known: KnowledgeEntry[] = [
      { kind: 'scanner', value: '192.0.2.1' },
      { kind: 'network', value: '192.0.2.1' },
    ];
    for (const entries of [known, known.toReversed()])
      expect(listOwn([{ kind: 'ip', value: '192.0.2.1' }], entries)[0]?.reason).toBe('scanner 192.0.2.1');
  });

  it('cost a bounded number of lookups, also with many entries and long, hostile values', () => {
    let lookups = 0;
    class CountingMap<Key, Value> extends Map<Key, Value> {
      override get(key: Key): Value | undefined {
        lookups += 1;
        return super.get(key);
      }
    }
    const many: KnowledgeEntry[] = Array.from({ length: 2_000 }, (_, n) =>
      n % 2 === 0 ? { kind: 'domain', value: `d${n}.example` } : { kind: 'network', value: `10.0.${n >> 8}.${n & 255}` },
    );
    const { networks, domains, names, accounts, importantMachines, importantAccounts } = indexKnowledge(many);
    const index = {
      networks: new CountingMap(networks),
      domains: new CountingMap(domains),
      names: new CountingMap(names),
      accounts: new CountingMap(accounts),
      importantMachines: new CountingMap(importantMachines),
      importantAccounts: new CountingMap(importantAccounts),
    };
    const countLookups = (entity: Entity) => {
      lookups = 0;
      expect(classifyOwn(entity, index)).toBeNull();
      return lookups;
    };
    expect(countLookups({ kind: 'ip', value: '192.0.2.1' })).toBeLessThanOrEqual(32);
    expect(countLookups({ kind: 'domain', value: 'a.b.c.example' })).toBeLessThanOrEqual(5);
    expect(countLookups({ kind: 'url', value: `https://${'a.'.repeat(1000)}example/` })).toBeLessThanOrEqual(1);
  });
});

describe('a value of knowledge', () => {
  it.each([
    ['domain', ' Acme.Example. ', 'acme.example'],
    ['domain', 'bücher.example', 'xn--bcher-kva.example'],
    ['network', '10.1.2.3/8', '10.0.0.0/8'],
    ['network', '192.0.2.7', '192.0.2.7'],
    ['network', '192.0.2.7/32', '192.0.2.7'],
    ['network', '2001:DB8:0:0::/32', '2001:db8::/32'],
    ['network', '::ffff:192.0.2.7', '192.0.2.7'],
    ['scanner', 'Scanner7', 'scanner7'],
    ['mail-relay', 'MX.acme.example', 'mx.acme.example'],
    ['test-account', 'ACME\\Tester', 'acme\\tester'],
    ['test-account', 'Tester@Acme.Example', 'tester@acme.example'],
  ] as const)('of kind %s has one spelling: %s', (kind, given, stored) => {
    expect(canonicalKnowledge(kind, given)).toBe(stored);
    expect(canonicalKnowledge(kind, stored)).toBe(stored);
  });

  it.each([
    ['domain', 'example'],
    ['domain', '192.0.2.1'],
    ['domain', 'https://acme.example'],
    ['domain', 'acme.example/path'],
    ['domain', 'user@acme.example'],
    ['domain', 'acme.example:443'],
    ['domain', '*.acme.example'],
    ['domain', 'a..example'],
    ['network', 'acme.example'],
    ['network', '0.0.0.0/0'],
    ['network', '10.0.0.0/7'],
    ['network', '10.0.0.0/33'],
    ['network', '10.0.0.0/8/8'],
    ['network', '10.0.0.0/'],
    ['network', '2001::/15'],
    ['vpn-exit', '300.1.1.1'],
    ['scanner', 'a b'],
    ['test-account', 'two words'],
    ['test-account', 'a\\b\\c'],
    ['test-account', '@acme.example'],
  ] as const)('of kind %s refuses %s and says why', (kind, value) => {
    expect(canonicalKnowledge(kind, value)).toBeNull();
    const parsed = SaveKnowledge.safeParse({ kind, value });
    expect(parsed.error?.issues).toMatchObject([{ path: ['value'], message: expect.stringContaining('must be') }]);
  });
});
