import { describe, expect, it } from 'vitest';
import { createEntityExtractor } from '../../../activities/entities/extractor.js';
import { NO_ACTIVITY } from '../../../domain/alert/activity.js';
import { ENTITY_KINDS, type EntityKind } from '../../../domain/entity/entity.js';
import { sharedExtractor } from '../../support/entity-extractor.js';

const MIB = 1024 * 1024;
const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const NO_HEADER = { severity: null, ruleName: null, techniques: [], tactics: [] };
const fill = (pattern: string, length = MIB) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);

describe('createEntityExtractor', () => {
  const extractor = sharedExtractor();

  async function found(content: string, kind: EntityKind): Promise<string[]> {
    const { entities, incomplete } = await extractor.extract(content);
    expect(incomplete).toBeNull();
    return entities.filter((entity) => entity.kind === kind).map(({ value }) => value);
  }

  it('finds every kind in a JSON alert, in the order of kinds', async () => {
    const alert = {
      title: 'Log4Shell (cve-2021-44228) from 198.51.100.7',
      evidence: [{ sha256: SHA256.toUpperCase(), url: 'HTTPS://Evil.Example/Path?q=1' }],
      sender: 'Mallory@Evil.Example',
      deviceName: 'WEB01',
      userName: 'jane',
      machineId: SHA1,
      incidentId: 437,
      alertId: 'da637551227677560813_-961444813',
      investigationId: 'rrn:investigation:us:1f946362-0809-426d-987c-849bde704c16:investigation:AF6JTFINWHGK',
    };
    const { entities, incomplete } = await extractor.extract(JSON.stringify(alert));
    expect(incomplete).toBeNull();
    expect(entities).toEqual([
      { kind: 'ip', value: '198.51.100.7' },
      { kind: 'domain', value: 'evil.example' },
      { kind: 'url', value: 'https://evil.example/Path?q=1' },
      { kind: 'hash', value: SHA256 },
      { kind: 'cve', value: 'CVE-2021-44228' },
      { kind: 'email', value: 'mallory@evil.example', role: 'sender' },
      { kind: 'user', value: 'jane' },
      { kind: 'host', value: 'web01' },
      { kind: 'machine-id', value: SHA1 },
      { kind: 'incident-id', value: '437' },
      { kind: 'alert-id', value: 'da637551227677560813_-961444813' },
      { kind: 'investigation-id', value: 'rrn:investigation:us:1f946362-0809-426d-987c-849bde704c16:investigation:AF6JTFINWHGK' },
    ]);
    expect(new Set(entities.map(({ kind }) => kind))).toEqual(new Set(ENTITY_KINDS));
  });

  it.each([
    [{ user: 'Dana[at]corp[.]example.' }, ['email dana@corp.example', 'user dana@corp.example']],
    [{ hostname: 'WS-014[.]corp[.]example' }, ['host ws-014.corp.example']],
    [{ source_ip: '::FFFF:203.0.113[.]7' }, ['ip 203.0.113.7']],
    [{ link: 'hxxp://[::ffff:203.0.113.7]/a' }, ['ip 203.0.113.7', 'url http://203.0.113.7/a']],
  ])('reads one spelling of %j', async (content, expected) => {
    const { entities } = await extractor.extract(JSON.stringify(content));
    const found = entities.map(({ kind, value }) => `${kind} ${value}`);
    expect(found.filter((entity) => !entity.startsWith('domain'))).toEqual(expected);
  });

  it('believes no names of one host in a mail, whose sender can write any', async () => {
    const names = JSON.stringify({ hostname: 'dc-01', fqdn: 'dc-01.evil.example' });
    const mail = `From: mallory@evil.example\nTo: dana@corp.example\nSubject: Hello\nMIME-Version: 1.0\nContent-Type: text/plain\n\n${names}\n`;
    expect((await extractor.extract(names)).names).toHaveLength(1);
    expect((await extractor.extract(mail)).names).toEqual([]);
  });

  it.each([
    ['user: {{user.name}}, host: %host.name%'],
    ['user=actor.user.name host=device.hostname'],
    ['user=%USERNAME% machine id=1 incident id=7'],
  ])('takes no template, no path of a field and no counter: %s', async (content) => {
    expect((await extractor.extract(content)).entities).toEqual([]);
  });

  it.each(['\u200b', '\u202e', '\u2066', '\u00ad', '\ufeff'])('finds an incident behind a hidden character (%j)', async (hidden) => {
    expect(await found(`Incident${hidden} ID:${hidden} ${hidden}84${hidden}031${hidden} was changed`, 'incident-id')).toEqual(['84031']);
  });

  it.each([
    ['The account that signed in was dana.', 'user', 'dana'],
    ['A conta usada foi orangel.', 'user', 'orangel'],
    ['A máquina envolvida é a legado-as400-b.', 'host', 'legado-as400-b'],
    ['O incidente no XDR é o de número 84504.', 'incident-id', '84504'],
    ['El incidente es el 84512.', 'incident-id', '84512'],
    ['||incidente|{{84507}}|', 'incident-id', '84507'],
    ['user: 7104074', 'user', '7104074'],
    ['It concerns ws-014.hr.example, used by svc_backup.', 'user', 'svc_backup'],
    ['A estação ws-014, usada por dana, fez o download.', 'user', 'dana'],
    ['{"agentRealtimeInfo": {"agentLastLoggedInUserName": "dana"}}', 'user', 'dana'],
  ] as const)('finds the name behind the verb of a sentence: %s', async (content, kind, value) => {
    expect(await found(content, kind)).toEqual([value]);
  });

  it.each([
    'The account of the user was disabled.',
    'La cuenta del usuario fue bloqueada.',
    'The host was rebooted.',
    'The user is now locked out.',
    'The page, used by many people, is down.',
  ])('finds no name in: %s', async (content) => {
    expect((await extractor.extract(content)).entities).toEqual([]);
  });

  it('reads a table of two rows whose first cells are headings', async () => {
    const rows = '<tr><th>user</th><td>dana</td></tr><tr><th>way out</th><td>gw</td></tr>';
    expect(await found(`<html><body><table>${rows}</table></body></html>`, 'user')).toEqual(['dana']);
  });

  it.each([
    [
      'a firewall',
      '%ASA-6-302013: Built outbound TCP connection 8 for outside:192.0.2.1/443 (192.0.2.1/443) to inside:10.0.0.5/5 (10.0.0.5/5) (dana)',
      'dana',
    ],
    ['a proxy', '1795092423.840    211 10.0.0.5 TCP_TUNNEL/200 8122 CONNECT files.example:443 dana HIER_DIRECT/192.0.2.1 -', 'dana'],
    ['a web server', '10.0.0.5 - dana [19/Nov/2026:13:55:36 +0000] "GET /admin HTTP/1.1" 200 2326', 'dana'],
    [
      'a proxy that knows no account',
      '1795092423.840    211 10.0.0.5 TCP_TUNNEL/200 8122 CONNECT files.example:443 - HIER_DIRECT/192.0.2.1 -',
      undefined,
    ],
    ['a web server that knows no account', '10.0.0.5 - - [19/Nov/2026:13:55:36 +0000] "GET /admin HTTP/1.1" 200 2326', undefined],
  ])('finds the account in a line of %s, whose fields have no names', async (_, content, user) => {
    expect(await found(content, 'user')).toEqual(user === undefined ? [] : [user]);
  });

  it('reads no address that stands for any address', async () => {
    expect(await found('listens on 0.0.0.0:443 and [::]:443, sent to 255.255.255.255, met 192.0.2.1', 'ip')).toEqual(['192.0.2.1']);
  });

  it('knows who passed a thread of mails on', async () => {
    const thread = [
      'From: desk@hr.example',
      'To: soc@hr.example',
      'Subject: FW: Invoice',
      '',
      'Please look.',
      '',
      '> From: dana@hr.example',
      '> To: desk@hr.example',
      '>> From: Billing <billing@invoice.example>',
      '>> To: dana@hr.example',
      '>> Subject: Invoice',
      '>> Please pay at once.',
    ].join('\n');
    const { entities } = await extractor.extract(thread.replace('>> From', '>\n>> From'));
    expect(entities).toEqual([
      { kind: 'domain', value: 'invoice.example' },
      { kind: 'email', value: 'desk@hr.example', role: 'reporter' },
      { kind: 'email', value: 'soc@hr.example', role: 'reporter' },
      { kind: 'email', value: 'dana@hr.example', role: 'reporter' },
      { kind: 'email', value: 'billing@invoice.example', role: 'sender' },
    ]);
    const single = await extractor.extract('From: billing@invoice.example\nTo: dana@hr.example\nSubject: Invoice\n\nPay at once.');
    expect(single.entities.filter(({ kind }) => kind === 'email').map(({ role }) => role)).toEqual(['sender', 'recipient']);
  });

  it('knows who passed the alert on', async () => {
    const { entities } = await extractor.extract('Reported by: desk@hr.example\nuser: HR\\dana');
    expect(entities).toEqual([
      { kind: 'email', value: 'desk@hr.example', role: 'reporter' },
      { kind: 'user', value: 'hr\\dana' },
    ]);
  });

  it.each([
    ['192.0.2.1, 198.51.100.2 and 203.0.113.3', ['192.0.2.1', '198.51.100.2', '203.0.113.3']],
    ['10.0.0.1:443 127.0.0.1/8 [172.16.0.9].', ['10.0.0.1', '127.0.0.1', '172.16.0.9']],
    ['2001:DB8:0:0::1, [2001:db8::2]:443 and ::ffff:192.0.2.8: refused', ['2001:db8::1', '2001:db8::2', '192.0.2.8']],
    ['fe80::1%eth0', ['fe80::1']],
    ['192[.]0[.]2[.]1 192.0.2(.)2 192.0.2[dot]3', ['192.0.2.1', '192.0.2.2', '192.0.2.3']],
    ['http://[2001:db8::5]/ http://2130706433/', ['2001:db8::5', '127.0.0.1']],
    ['256.1.1.1 1.2.3 1.2.3.4.5 1.3.6.1.4.1.311 4.3.2.1.dynamic.example.com', []],
    ['std::string a::b :: 12:30:45 00:1a:2b:3c:4d:5e AA:BB:CC:DD:EE:FF:00:11:22:33:44', []],
    ['Mozilla/5.0 Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0', []],
  ])('finds addresses in %j', async (content, expected) => {
    expect(await found(content, 'ip')).toEqual(expected);
  });

  it.each([
    ['Beacons to Evil.Example.COM. and example.org, (sub.example.net)', ['evil.example.com', 'example.org', 'sub.example.net']],
    ['evil-site.com -- blocked', ['evil-site.com']],
    ['evil[.]com evil(dot)net evil[DOT]org evil\\.info', ['evil.com', 'evil.net', 'evil.org', 'evil.info']],
    ['a.example then https://b.example/ then c@c.example then d.example', ['a.example', 'b.example', 'c.example', 'd.example']],
    ['printer.local dc01.corp abcdefghijklmnop.onion x.invalid', ['printer.local', 'dc01.corp', 'abcdefghijklmnop.onion', 'x.invalid']],
    ['bücher.example пример.рф my-site.xn--p1ai', ['xn--bcher-kva.example', 'xn--e1afmkfd.xn--p1ai', 'my-site.xn--p1ai']],
    ['请勿访问evil.com下载', ['evil.com']],
    ['ev\u200Bil.com _dmarc.example.com \\\\files.example.com\\share', ['evil.com', 'example.com', 'files.example.com']],
    ['invoice.pdf.exe cmd.exe report.docx invoice.zip setup.sh photo.pdf.zip', []],
    ['C:\\Users\\jane\\run.sh /opt/app/tool.pl (New-Object System.Net.WebClient).Foo [System.IO.File]::Read list.select(x)', []],
    ['host.name: x, user.id=5, v1.2.3, e.g. this and i.e. that, 3.14', []],
    ['-.com a..com .com a-.com a.b-.com -ok.com _ok.net_', ['ok.com', 'ok.net']],
  ])('finds domains in %j', async (content, expected) => {
    expect(await found(content, 'domain')).toEqual(expected);
  });

  it('does not treat a file name in JSON as a domain', async () => {
    expect(await found('{"fileName":"backup.pl","processName":"tool.so","host":"backup.example.pl"}', 'domain')).toEqual([]);
  });

  it.each([
    ['hXXps[:]//evil[.]com[/]a?b=c, hxxp://192[.]0[.]2[.]1:8080/x.', ['https://evil.com/a?b=c', 'http://192.0.2.1:8080/x']],
    [
      '(see http://a.example/wiki/Foo_(bar)), <http://b.example>; "http://c.example/"!',
      ['http://a.example/wiki/Foo_(bar)', 'http://b.example/', 'http://c.example/'],
    ],
    [`<a href='http://a.example/?x=1&amp;y=2'>Click</a>`, ['http://a.example/?x=1&y=2']],
    ['http://jane:secret@evil.example/a HTTP://EVIL.example:80/a', ['http://evil.example/a']],
    ['http://пример.рф/путь', ['http://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C']],
    ['http://intranet/a ftp://files.example.com/b.zip', ['http://intranet/a', 'ftp://files.example.com/b.zip']],
    [
      '见http://a.example/b，以及http://c.example。谢谢 http://d.example./',
      ['http://a.example/b', 'http://c.example/', 'http://d.example/'],
    ],
    ['http:// https://? http://%%% javascript://x.example', []],
    ['2026-01-10,jane,https://a.example/x,734003200', ['https://a.example/x']],
    [
      'http://a.example/1,https://b.example/2 and http://c.example/d,e.html',
      ['http://a.example/1', 'https://b.example/2', 'http://c.example/d,e.html'],
    ],
  ])('finds URLs in %j', async (content, expected) => {
    expect(await found(content, 'url')).toEqual(expected);
  });

  it('finds the link and the recipient in a wrapped link', async () => {
    const wrapped = 'https://eur01.safelinks.example/?url=https%3A%2F%2Fphish.example%2Flogin%3Fa%3D1&data=05%7Cjane%40example.com%7C';
    expect(await found(wrapped, 'url')).toEqual([wrapped, 'https://phish.example/login?a=1']);
    expect(await found(wrapped, 'email')).toEqual(['jane@example.com']);
  });

  it('keeps the host of a URL that exceeds the length limit', async () => {
    const { entities } = await extractor.extract(`http://evil.example/${'x'.repeat(5000)}`);
    expect(entities).toEqual([{ kind: 'domain', value: 'evil.example' }]);
  });

  it.each([
    [
      'From: "Jane" <Jane.Doe@Example.COM>, o\'brien@example.ie; mailto:a+b@example.com',
      ['jane.doe@example.com', "o'brien@example.ie", 'a+b@example.com'],
    ],
    ['jane[@]example[.]com bob(at)example(dot)com', ['jane@example.com', 'bob@example.com']],
    ['sender=ceo@example.com bounce+jane=example.com@lists.example.net', ['ceo@example.com', 'bounce+jane=example.com@lists.example.net']],
    ['Message-ID: <CAF123@mail.example.com>\nReferences: <a@b.example>\n <c@d.example>\nTo: jane@example.com', ['jane@example.com']],
    [`${'x'.repeat(64)}@example.com ${'y'.repeat(65)}@example.com`, [`${'x'.repeat(64)}@example.com`]],
    ['left-pad@1.3.0 root@localhost @example.com jane@', []],
  ])('finds email addresses in %j', async (content, expected) => {
    expect(await found(content, 'email')).toEqual(expected);
  });

  it('finds hashes of each length once, and no other numbers', async () => {
    const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
    const sha512 = SHA256 + SHA256;
    const content = `${SHA1} ${md5.toUpperCase()} ${md5} sha256:${SHA256} ${sha512} ${'1'.repeat(32)} ${'a'.repeat(33)} x${md5}`;
    expect(await found(content, 'hash')).toEqual([SHA1, md5, SHA256, sha512]);
  });

  it('reports a value once: a host is not a domain and a machine ID is not a hash, unless the content uses it as one', async () => {
    const alert = { host: 'web01.corp.example.com', machineId: SHA1 };
    expect((await extractor.extract(JSON.stringify(alert))).entities.map(({ kind }) => kind)).toEqual(['host', 'machine-id']);
    const visited = JSON.stringify({ ...alert, url: 'https://web01.corp.example.com/' });
    expect(await found(visited, 'domain')).toEqual(['web01.corp.example.com']);
  });

  it('finds the host of a request', async () => {
    expect(await found('GET /a HTTP/1.1\r\nHost: evil.example\r\nUser-Agent: x\r\n', 'domain')).toEqual(['evil.example']);
  });

  it('finds nothing in empty content', async () => {
    for (const content of ['', 'Nothing to see here.'])
      expect(await extractor.extract(content)).toEqual({
        entities: [],
        names: [],
        header: NO_HEADER,
        activity: NO_ACTIVITY,
        incomplete: null,
      });
  });

  it('reports when a kind has more values than the limit', async () => {
    const { entities, incomplete } = await extractor.extract(Array.from({ length: 101 }, (_, i) => `d${i}.example user=u${i}`).join('\n'));
    expect(entities).toHaveLength(200);
    expect(incomplete).toBe('More than 100 entities of a kind (domain, user). The others are left out.');
  });

  it('reports when the content exceeds the length limit', async () => {
    const { entities, incomplete } = await extractor.extract(`first.example${fill(' ')} last.example`);
    expect(entities).toEqual([{ kind: 'domain', value: 'first.example' }]);
    expect(incomplete).toBe('Only the first 1048576 of 1048602 characters were searched.');
  });

  it('processes parallel contents and returns each caller its own result', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => found(`d${i}.example`, 'domain')));
    expect(answers).toEqual(Array.from({ length: 50 }, (_, i) => [`d${i}.example`]));
  });
});

it('rejects work after it is closed', async () => {
  const extractor = createEntityExtractor();
  await extractor.close();
  await expect(extractor.extract('evil.example')).rejects.toThrow('closed');
});
