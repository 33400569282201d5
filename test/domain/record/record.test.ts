import { describe, expect, it } from 'vitest';
import type { EntityKind } from '../../../domain/entity/entity.js';
import { boundRecord, namesInText, searchValues, type ThirdPartyRecord } from '../../../domain/record/record.js';

describe('the spellings of an entity', () => {
  it.each<[EntityKind, string, string[]]>([
    ['host', 'WS-014.Corp.Example', ['ws-014.corp.example', 'ws-014']],
    ['host', 'ws-014', ['ws-014']],
    ['user', 'CORP\\Dana', ['corp\\dana', 'dana']],
    ['user', 'Dana@corp.example', ['dana@corp.example', 'dana']],
    ['email', 'dana@corp.example', ['dana@corp.example', 'dana']],
    // The first label of a domain is a name only if it looks like a machine.
    ['domain', 'ws-014.corp.example', ['ws-014.corp.example', 'ws-014']],
    ['domain', 'login.corp.example', ['login.corp.example']],
    ['ip', '203.0.113.7', ['203.0.113.7']],
    ['ip', '2001:DB8::1', ['2001:db8::1']],
    ['url', 'https://Lure.example/A?b=1', ['https://lure.example/a?b=1']],
    ['hash', 'ABCDEF', ['abcdef']],
    ['incident-id', '2041', ['2041']],
  ])('%s %s', (kind, value, values) => {
    expect(searchValues({ kind, value })).toEqual(values);
  });

  it('are never empty texts', () => {
    for (const value of ['', '@', '\\', '.', '@corp.example'])
      for (const kind of ['host', 'user', 'email', 'domain'] as const) expect(searchValues({ kind, value })).not.toContain('');
  });
});

describe('the names in a text', () => {
  it.each([
    ['Bulk file changes on ws-014', ['ws-014']],
    ['Sign-ins of CORP\\dana from 10.0.0.5', ['sign-ins', 'corp\\dana', 'dana', '10.0.0.5']],
    ['Mail to dana@corp.example, then ws-014.corp.example.', ['dana@corp.example', 'dana', 'ws-014.corp.example', 'ws-014']],
    ['Ungewöhnliche Anmeldung auf büro-07', ['büro-07']],
    ['端末 ws-014 で検出', ['ws-014']],
    ['Console sign-in of bcalmon via a proxy', ['sign-in', 'bcalmon']],
    ['Intrusion with the account hbastos', ['hbastos']],
    ['Detection of malware by the service', []],
    ['No name here at all', []],
    ['', []],
  ])('%s', (text, names) => {
    expect(namesInText(text)).toEqual(names);
  });

  it('are found in limited time in a hostile text', () => {
    const before = process.cpuUsage().user;
    for (const text of ['a-'.repeat(100_000), '.'.repeat(100_000), 'a@'.repeat(100_000), `${'x'.repeat(2000)}-1`]) namesInText(text);
    expect(process.cpuUsage().user - before).toBeLessThan(500_000);
  });
});

describe('a record within the limits of its table', () => {
  const record: ThirdPartyRecord = {
    recordId: 'r'.repeat(300),
    title: '🙂'.repeat(400),
    severity: 'high',
    isOpen: true,
    conclusion: null,
    state: 's'.repeat(400),
    happenedAt: 1,
    updatedAt: 2,
    mergedInto: null,
    alsoKnownAs: Array.from({ length: 150 }, (_, n) => `${n}`),
    techniques: ['T1078', 'T1566.002', 'nonsense', 't1078', 'T1078.1'],
    values: ['a', 'a', '', 'v'.repeat(501), ...Array.from({ length: 400 }, (_, n) => `value-${n}`)],
  };

  it('has bounded texts and lists, distinct values and valid techniques', () => {
    const bound = boundRecord(record);
    expect([bound.recordId.length, bound.title.length <= 300, bound.state.length <= 300]).toEqual([200, true, true]);
    expect(bound.title.isWellFormed()).toBe(true);
    expect(bound.alsoKnownAs).toHaveLength(100);
    expect(bound.techniques).toEqual(['T1078', 'T1566.002']);
    expect(bound.values).toHaveLength(300);
    expect(bound.values.slice(0, 2)).toEqual(['a', 'value-0']);
  });

  it('keeps the rest', () => {
    expect(boundRecord({ ...record, recordId: 'r-1', values: ['ws-014'] })).toMatchObject({
      recordId: 'r-1',
      severity: 'high',
      isOpen: true,
      happenedAt: 1,
      updatedAt: 2,
      values: ['ws-014'],
    });
  });
});
