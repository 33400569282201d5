import { describe, expect, it } from 'vitest';
import { readAlertContent } from '../../../domain/alert/alert-content.js';
import { Entity, EntityCollection, hashAlgorithm, MAX_ENTITIES_PER_KIND } from '../../../domain/entity/entity.js';

function namedIn(content: string): string[] {
  return readAlertContent(content)
    .named.list()
    .map(({ kind, value }) => `${kind} ${value}`);
}

describe('Entity', () => {
  it.each(['', 'a\u0000b', 'half a pair \uD800', 'x'.repeat(2049)])('refuses a value that cannot be stored (%j)', (value) => {
    expect(Entity.safeParse({ kind: 'user', value }).success).toBe(false);
  });

  it('accepts the longest value', () => {
    expect(Entity.safeParse({ kind: 'url', value: 'x'.repeat(2048) }).success).toBe(true);
  });
});

describe('EntityCollection', () => {
  it('keeps each entity once per kind, in the order of first appearance', () => {
    const collection = new EntityCollection();
    collection.add({ kind: 'user', value: 'jane' });
    collection.add({ kind: 'ip', value: '192.0.2.2' });
    collection.add({ kind: 'ip', value: '192.0.2.1' });
    collection.add({ kind: 'ip', value: '192.0.2.2' });
    expect(collection.list()).toEqual([
      { kind: 'ip', value: '192.0.2.2' },
      { kind: 'ip', value: '192.0.2.1' },
      { kind: 'user', value: 'jane' },
    ]);
    expect(collection.overfull()).toEqual([]);
  });

  it('keeps the first hundred of a kind and names the kinds that exceed it', () => {
    const collection = new EntityCollection();
    for (let i = 0; i < MAX_ENTITIES_PER_KIND; i += 1) {
      collection.add({ kind: 'user', value: `user${i}` });
      collection.add({ kind: 'host', value: `host${i}` });
    }
    collection.add({ kind: 'host', value: 'host0' });
    collection.add({ kind: 'user', value: 'one more' });
    expect(collection.list()).toHaveLength(2 * MAX_ENTITIES_PER_KIND);
    expect(collection.overfull()).toEqual(['user']);
  });

  it('excludes values that no entity can hold', () => {
    const collection = new EntityCollection();
    collection.add({ kind: 'user', value: 'half \uDC00' });
    collection.add({ kind: 'url', value: `http://evil.example/${'x'.repeat(2048)}` });
    expect(collection.list()).toEqual([]);
  });
});

describe('the role of an entity', () => {
  it('is the first that is stated', () => {
    const collection = new EntityCollection();
    collection.add({ kind: 'ip', value: '192.0.2.1' });
    collection.add({ kind: 'ip', value: '192.0.2.1', role: 'destination' });
    collection.add({ kind: 'ip', value: '192.0.2.1', role: 'source' });
    collection.add({ kind: 'host', value: 'web01' });
    expect(collection.list()).toEqual([
      { kind: 'ip', value: '192.0.2.1', role: 'destination' },
      { kind: 'host', value: 'web01' },
    ]);
  });

  it('is absent from records that older releases stored', () => {
    expect(Entity.parse({ kind: 'ip', value: '192.0.2.1' })).toEqual({ kind: 'ip', value: '192.0.2.1' });
    expect(Entity.safeParse({ kind: 'ip', value: '192.0.2.1', role: 'bystander' }).success).toBe(false);
  });
});

describe('hashAlgorithm', () => {
  it.each([
    [32, 'md5'],
    [40, 'sha1'],
    [64, 'sha256'],
    [128, 'sha512'],
    [33, null],
  ])('of %i hexadecimal digits is %s', (length, algorithm) => {
    expect(hashAlgorithm('aF'.repeat(64).slice(0, length))).toBe(algorithm);
  });

  it('is unknown for other values', () => {
    expect(['', 'g'.repeat(32), `${'a'.repeat(31)} `].map(hashAlgorithm)).toEqual([null, null, null]);
  });
});

describe('readAlertContent', () => {
  it('reads users, hosts and ids from JSON fields with different spellings', () => {
    const alert = {
      userPrincipalName: 'Jane.Doe@Example.com',
      AccountName: 'jdoe',
      target_user_name: 'CORP\\Bob',
      computerDnsName: 'Laptop-7.corp.example.com.',
      'host.name': 'web01',
      machineId: '1E5BC9D7E413DDD7902C2932E418702B84D0CC07',
      connector_guid: '{d05a5933-880a-41ac-8bb4-949a9c8786c2}',
      incident_id: 'INC-0042',
    };
    expect(namedIn(JSON.stringify(alert))).toEqual([
      'user jane.doe@example.com',
      'user jdoe',
      'user corp\\bob',
      'host laptop-7.corp.example.com',
      'host web01',
      'machine-id 1e5bc9d7e413ddd7902c2932e418702b84d0cc07',
      'machine-id d05a5933-880a-41ac-8bb4-949a9c8786c2',
      'incident-id INC-0042',
    ]);
  });

  it('reads lists, and names that are split between an object and its field', () => {
    const alert = { user: { name: 'jane' }, devices: [{ id: 'dev-1' }, { id: 'dev-2' }], hosts: ['web01', 'web02'], incident: { id: 17 } };
    expect(namedIn(JSON.stringify(alert))).toEqual([
      'user jane',
      'host web01',
      'host web02',
      'machine-id dev-1',
      'machine-id dev-2',
      'incident-id 17',
    ]);
  });

  it('keeps every digit of a number', () => {
    expect(namedIn('{"incidentId": 9007199254740993123}')).toEqual(['incident-id 9007199254740993123']);
  });

  it('reads a host that is an address as an address', () => {
    expect(namedIn('{"host": "192.0.2.1:8443", "hostname": "[2001:DB8::1]:443", "deviceName": "web01:22"}')).toEqual([
      'ip 192.0.2.1',
      'ip 2001:db8::1',
      'host web01',
    ]);
  });

  it('reads JSON in front of other text', () => {
    expect(namedIn('Raised:\n{"user":"jane","n":1}\nPlease check host: web01, then {"host":"web02"}')).toEqual([
      'user jane',
      'host web01',
      'host web02',
    ]);
  });

  it('reads lists of hosts and accounts, and stops at the next label', () => {
    expect(namedIn('hosts: web-01, web-02 and web-03, user: jane.doe, b.ray, src-1: x')).toEqual([
      'user jane.doe',
      'user b.ray',
      'host web-01',
      'host web-02',
      'host web-03',
    ]);
  });

  it('reads JSON in a string, after a log line, one per line, and truncated', () => {
    expect(namedIn(JSON.stringify({ Entities: JSON.stringify([{ HostName: 'web01' }]) }))).toEqual(['host web01']);
    expect(namedIn(JSON.stringify({ host: JSON.stringify({ name: 'web01' }) }))).toEqual(['host web01']);
    expect(namedIn('<134>Oct 11 22:14:15 relay app: {"user":"jane","n":1}')).toEqual(['user jane']);
    expect(namedIn('{"user":"jane"}\n{"user":"bob"}\n')).toEqual(['user jane', 'user bob']);
    expect(namedIn('{"user":"jane","host":"web01.exam')).toEqual(['user jane']);
    expect(namedIn('{"user":"jane","incidentId":12')).toEqual(['user jane']);
  });

  it('returns the unescaped strings of JSON, without field names and annotations', () => {
    const message = String.raw`a\nevil.example http:\/\/b.example\/`;
    const content = `{"@odata.type":"#microsoft.graph.security.x","host.name":"h","192.0.2.1":1,"m":"${message}"}`;
    expect(readAlertContent(content).text.split('\n')).toEqual(['h', '192.0.2.1', 'a', 'evil.example http://b.example/']);
  });

  it('reads fields in prose', () => {
    const event = [
      'Sign-in failed for user: jane.doe on host=WEB01 (machine_id: 0a1b2c3d, incident #12)',
      'Account Name:\t\tCORP\\bob',
      'Workstation name: "FIN LT", Computer: fin-lt-22.',
      'User: Jane Doe',
      'Incident ID: #4711',
    ].join('\r\n');
    expect(namedIn(event)).toEqual([
      'user jane.doe',
      'user corp\\bob',
      'user jane doe',
      'host web01',
      'host fin-lt-22',
      'machine-id 0a1b2c3d',
      'incident-id 4711',
    ]);
  });

  it.each([
    '{"user": "", "userName": "N/A", "host": "localhost", "machineId": "unknown", "deviceId": "-"}',
    '{"incidentId": 0, "account": "123456789012", "machineId": "00000000-0000-0000-0000-000000000000"}',
    '{"user": "NT AUTHORITY\\\\SYSTEM", "accountName": "Network Service", "userName": null, "host": true, "hostName": "two words"}',
    'https://login.example/?user=jane&host=web01',
    'The source is unknown. The server restarted. Incident 2026 review, see resource: storage, target: all, to: be, user logged in',
    'C:\\Users\\jane\\a.exe HKLM\\Software ABC\\tool.exe \\\\FILES\\share NT AUTHORITY\\SYSTEM',
    'user: host: login= account:',
    'User-Agent: curl, user::find, ghost: x, the given user: ASN, Browser',
    'GET / HTTP/1.1\r\nHost: evil.example\r\n',
    'Usage: user: the name; account: disabled; incident: ransomware; machine id: none',
  ])('finds no entity in %j', (content) => {
    expect(namedIn(content)).toEqual([]);
  });

  it.each(['[ALERT] user=jane', '{not json} user=jane', '[1] user=jane', '{"a" "b"} user=jane', '{"a":1]user=jane'])(
    'reads %j, which only begins like JSON, as prose',
    (content) => {
      expect(readAlertContent(content).text).toBe(content);
      expect(namedIn(content)).toContain('user jane');
    },
  );

  it.each([
    ['deep arrays', '['.repeat(500_000)],
    ['deep objects', '{"a":'.repeat(200_000)],
    ['a string of backslashes', `["${'\\'.repeat(1_000_000)}`],
    ['a string of quotes', `["${'\\"'.repeat(500_000)}"]`],
    ['repeated field names without values', 'user='.repeat(200_000)],
    ['many repeated roles', 'source target '.repeat(70_000)],
    ['huge digits', `{"incidentId":${'9'.repeat(1_000_000)}}`],
    ['lone surrogates', '{"user":"\uD800","host":"\uDFFF"}'.repeat(20_000)],
  ])('terminates for %s', (_, content) => {
    for (const entity of readAlertContent(content).named.list()) expect(Entity.safeParse(entity).success).toBe(true);
  });
});
