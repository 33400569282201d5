import { at, escapeXml, json, type Names, named, object, prose, type Told } from '../company/told.js';
import { MEDIVARA, toGuid } from './company.js';

const { domain, directory, netbios } = MEDIVARA.profile;

function sentinel(told: Told): string {
  const entities = [
    told.host && { $id: '2', Type: 'host', HostName: told.host.split('.')[0], DnsDomain: told.host.split('.').slice(1).join('.') },
    told.user && {
      $id: '3',
      Type: 'account',
      Name: told.user.split('@')[0],
      ...(told.user.includes('@') ? { UPNSuffix: told.user.split('@')[1] } : { NTDomain: netbios }),
    },
    told.remoteIp && {
      $id: '4',
      Type: 'ip',
      Address: told.remoteIp,
      Location: object([
        ['City', told.city],
        ['CountryName', told.country],
      ]),
    },
    told.internalIp && { $id: '5', Type: 'ip', Address: told.internalIp },
    told.domain && { $id: '6', Type: 'dns', DomainName: told.domain },
    told.url && { $id: '7', Type: 'url', Url: told.url },
    told.sha256 && { $id: '8', Type: 'filehash', Algorithm: 'SHA256', Value: told.sha256 },
    told.sha1 && { $id: '9', Type: 'filehash', Algorithm: 'SHA1', Value: told.sha1 },
    told.command && { $id: '10', Type: 'process', CommandLine: told.command },
  ].filter(Boolean);
  return json({
    TimeGenerated: at(told),
    DisplayName: told.title,
    AlertName: told.title,
    AlertSeverity: 'Medium',
    ProviderName: 'ASI Scheduled Alerts',
    SystemAlertId: toGuid(told.title),
    Description: told.text ?? told.title,
    ExtendedProperties: JSON.stringify(
      object([
        ['Incident Id', told.incidentId],
        ['Provider Alert Id', told.alertId],
        ['CVE', told.cve],
        ['Device Id', told.deviceId],
        ['Sender', told.from],
      ]),
    ),
    Entities: JSON.stringify(entities),
  });
}

function defender(told: Told): string {
  return json({
    id: told.alertId ?? toGuid(`defender ${told.title}`),
    incidentId: told.incidentId ?? null,
    createdDateTime: at(told),
    severity: 'medium',
    status: 'new',
    title: told.title,
    description: told.text ?? told.title,
    serviceSource: 'microsoftDefenderForEndpoint',
    evidence: [
      (told.host || told.deviceId) && {
        '@odata.type': '#microsoft.graph.security.deviceEvidence',
        deviceDnsName: told.host,
        mdeDeviceId: told.deviceId,
        lastIpAddress: told.internalIp,
      },
      told.user && {
        '@odata.type': '#microsoft.graph.security.userEvidence',
        userAccount: { accountName: told.user.split('@')[0], userPrincipalName: told.user.includes('@') ? told.user : undefined },
      },
      told.remoteIp && { '@odata.type': '#microsoft.graph.security.ipEvidence', ipAddress: told.remoteIp, countryLetterCode: told.country },
      told.url && { '@odata.type': '#microsoft.graph.security.urlEvidence', url: told.url },
      told.domain && { '@odata.type': '#microsoft.graph.security.dnsEvidence', domainName: told.domain },
      (told.sha256 || told.sha1) && {
        '@odata.type': '#microsoft.graph.security.fileEvidence',
        fileDetails: { fileName: told.fileName, sha1: told.sha1, sha256: told.sha256 },
      },
      told.command && { '@odata.type': '#microsoft.graph.security.processEvidence', processCommandLine: told.command },
      told.from && {
        '@odata.type': '#microsoft.graph.security.analyzedMessageEvidence',
        p1Sender: { emailAddress: told.from },
        subject: told.subject,
      },
    ].filter(Boolean),
    additionalData: object([['cve', told.cve]]),
  });
}

function splunk(told: Told): string {
  const names: Names = {
    host: 'dest',
    user: 'user',
    remoteIp: 'dest_ip',
    internalIp: 'src_ip',
    domain: 'query',
    sha256: 'file_hash',
    fileName: 'file_name',
    command: 'process',
    from: 'src_user',
    incidentId: 'incident_id',
    city: 'src_City',
    country: 'src_Country',
  };
  return json({
    sid: `scheduler__admin__SplunkEnterpriseSecuritySuite__RMD5_at_${Date.parse(at(told))}`,
    search_name: `Threat - ${told.title} - Rule`,
    app: 'SplunkEnterpriseSecuritySuite',
    results_link: 'https://splunk.lab.medivara.example:8000/app/search/@go',
    result: { _time: String(Date.parse(at(told)) / 1000), rule_title: told.title, urgency: 'medium', ...object(named(told, names)) },
  });
}

function elastic(told: Told): string {
  return json({
    '@timestamp': at(told),
    kibana: { alert: { rule: { name: told.title, risk_score: 47 }, severity: 'medium', reason: told.text ?? told.title } },
    host: object([
      ['name', told.host],
      ['ip', told.internalIp && [told.internalIp]],
      ['id', told.deviceId],
    ]),
    user: object([['name', told.user]]),
    source: object([['ip', told.internalIp]]),
    destination: object([
      ['ip', told.remoteIp],
      ['domain', told.domain],
      ['geo', told.city && { city_name: told.city, country_name: told.country }],
    ]),
    url: object([['full', told.url]]),
    file: {
      name: told.fileName,
      hash: object([
        ['sha256', told.sha256],
        ['sha1', told.sha1],
        ['md5', told.md5],
      ]),
    },
    process: object([['command_line', told.command]]),
    vulnerability: object([['id', told.cve]]),
    email: object([
      ['from', told.from && { address: [told.from] }],
      ['subject', told.subject],
    ]),
    labels: object([
      ['incident', told.incidentId],
      ['provider_alert', told.alertId],
    ]),
  });
}

function wazuh(told: Told): string {
  return json({
    timestamp: at(told).replace('Z', '+0000'),
    rule: { level: 10, description: told.title, id: '100210', groups: ['local'] },
    agent: object([
      ['id', '073'],
      ['name', told.host],
      ['ip', told.internalIp],
    ]),
    manager: { name: 'wazuh-mgr' },
    decoder: { name: 'json' },
    full_log: told.text ?? told.title,
    syscheck: object([
      ['path', told.fileName && `C:\\ProgramData\\${told.fileName}`],
      ['sha256_after', told.sha256],
      ['sha1_after', told.sha1],
      ['md5_after', told.md5],
    ]),
    data: object([
      ['dstip', told.remoteIp],
      ['dstuser', told.user],
      ['url', told.url],
      ['hostname', told.domain],
      ['vulnerability', told.cve && { cve: told.cve }],
      ['win', told.command && { eventdata: { commandLine: told.command } }],
      ['incident_id', told.incidentId],
      ['alert_id', told.alertId],
      ['device_id', told.deviceId],
      ['geo', told.city && `${told.city}, ${told.country ?? ''}`],
    ]),
  });
}

function guardDuty(told: Told): string {
  return json({
    version: '0',
    'detail-type': 'GuardDuty Finding',
    source: 'aws.guardduty',
    region: 'eu-west-3',
    time: at(told),
    detail: {
      type: told.title,
      severity: 5.4,
      title: told.title,
      description: told.text ?? told.title,
      resource: {
        resourceType: 'Instance',
        instanceDetails: {
          tags: told.host ? [{ key: 'Name', value: told.host }] : [],
          networkInterfaces: [
            object([
              ['privateIpAddress', told.internalIp],
              ['privateDnsName', told.host],
            ]),
          ],
        },
        accessKeyDetails: object([['userName', told.user]]),
      },
      service: {
        action: {
          actionType: 'NETWORK_CONNECTION',
          networkConnectionAction: {
            remoteIpDetails: object([
              ['ipAddressV4', told.remoteIp],
              ['city', told.city && { cityName: told.city }],
              ['country', told.country && { countryName: told.country }],
            ]),
          },
          dnsRequestAction: object([['domain', told.domain]]),
        },
        eventLastSeen: at(told),
      },
    },
  });
}

function ocsf(told: Told): string {
  const observable = (name: string, type: string, value: string | number | undefined) =>
    value === undefined ? [] : [{ name, type, value: String(value) }];
  return json({
    class_uid: 2004,
    class_name: 'Detection Finding',
    time: Date.parse(at(told)),
    severity_id: 3,
    finding_info: { title: told.title, desc: told.text ?? told.title, uid: told.alertId ?? toGuid(`ocsf ${told.title}`) },
    device: object([
      ['hostname', told.host],
      ['ip', told.internalIp],
      ['uid', told.deviceId],
    ]),
    actor: { user: object([['name', told.user]]) },
    vulnerabilities: told.cve ? [{ cve: { uid: told.cve } }] : [],
    observables: [
      ...observable('dst_endpoint.ip', 'IP Address', told.remoteIp),
      ...observable('query.hostname', 'Hostname', told.domain),
      ...observable('url.url_string', 'URL String', told.url),
      ...observable('file.hashes.sha256', 'Hash', told.sha256),
      ...observable('file.hashes.sha1', 'Hash', told.sha1),
      ...observable('process.cmd_line', 'Command Line', told.command),
      ...observable('email.from', 'Email Address', told.from),
      ...observable('incident.id', 'Incident', told.incidentId),
    ],
  });
}

/** An envelope of a log collector with the event as a text, and that with its details as a text. */
function jsonInJson(told: Told): string {
  const details = JSON.stringify(object(named(told, { remoteIp: 'remote_address', internalIp: 'local_address', host: 'hostname' })));
  return json({ collector: 'edge-03', received: at(told), message: JSON.stringify({ name: told.title, details }) });
}

const CEF_NAMES: Names = {
  host: 'dhost',
  user: 'duser',
  internalIp: 'src',
  remoteIp: 'dst',
  domain: 'destinationDnsDomain',
  url: 'request',
  fileName: 'fname',
  sha256: 'fileHash',
  command: 'cs1',
  cve: 'cs2',
  incidentId: 'externalId',
  alertId: 'cs3',
  deviceId: 'deviceExternalId',
  from: 'suser',
  text: 'msg',
};
const cefValue = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('=', '\\=');

function cef(told: Told): string {
  const labels = [
    ...(told.cve ? ['cs2Label=CVE'] : []),
    ...(told.alertId ? ['cs3Label=AlertId'] : []),
    ...(told.incidentId ? ['externalIdLabel=IncidentId'] : []),
    ...(told.command ? ['cs1Label=CommandLine'] : []),
  ];
  const extension = [...named(told, CEF_NAMES).map(([name, value]) => `${name}=${cefValue(value)}`), ...labels].join(' ');
  return `CEF:0|Stormshield|SNS|4.7|evt-77|${told.title.replaceAll('|', '\\|')}|6|rt=${Date.parse(at(told))} ${extension}`;
}

const LEEF_NAMES: Names = {
  host: 'identHostName',
  user: 'usrName',
  internalIp: 'src',
  remoteIp: 'dst',
  sha256: 'fileHash',
  url: 'url',
  incidentId: 'incidentId',
};
const leef = (delimiter: string, declared: string) => (told: Told) =>
  `LEEF:2.0|Trellix|Endpoint|10.7|${told.title.replaceAll(/\W+/g, '_')}|${declared}|` +
  [['devTime', at(told)], ['sev', '6'], ...named(told, LEEF_NAMES)].map(([name, value]) => `${name}=${value}`).join(delimiter);

const SYSLOG_NAMES: Names = { remoteIp: 'dst', internalIp: 'src', user: 'usr', command: 'cmd', fileName: 'file' };
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function syslog3164(told: Told): string {
  const time = new Date(at(told));
  const stamp = `${MONTHS[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2, ' ')} ${time.toISOString().slice(11, 19)}`;
  const { host, ...rest } = told;
  const pairs = named(rest, SYSLOG_NAMES).map(([name, value]) => (/[\s"]/.test(value) ? `${name}="${value}"` : `${name}=${value}`));
  return `<133>${stamp} ${host ?? 'fw-lyo-2'} sensor[2217]: ${told.title}: ${pairs.join(' ')}`;
}

function syslog5424(told: Told): string {
  const { host, ...rest } = told;
  const quote = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll(']', '\\]');
  const pairs = named(rest, { remoteIp: 'remote', internalIp: 'local' }).map(([name, value]) => `${name}="${quote(value)}"`);
  return `<165>1 ${at(told)} ${host ?? 'relay.lab.medivara.example'} edr 8710 ID47 [event@32473 ${pairs.join(' ')}] \uFEFF${told.title}`;
}

function csv(told: Told): string {
  const cell = (value: string) => (/[",\n;]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const pairs: [string, string][] = [
    ['time', at(told)],
    ['rule', told.title],
    ...named(told, { remoteIp: 'destination address', internalIp: 'source address', sha256: 'SHA-256', host: 'computer' }),
  ];
  return `${pairs.map(([name]) => cell(name)).join(',')}\r\n${pairs.map(([, value]) => cell(value)).join(',')}\r\n`;
}

function keyValue(told: Told): string {
  const pairs = named(told, { remoteIp: 'remote_ip', internalIp: 'local_ip' });
  return [`time=${at(told)}`, `name="${told.title}"`, ...pairs.map(([name, value]) => `${name}="${value.replaceAll('"', "'")}"`)].join(' ');
}

function xml(told: Told): string {
  const names: Names = {
    host: 'Computer',
    user: 'TargetUserName',
    remoteIp: 'IpAddress',
    internalIp: 'SourceAddress',
    command: 'CommandLine',
  };
  const data = named(told, names).map(([name, value]) => `    <Data Name="${name}">${escapeXml(value)}</Data>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event">',
    `  <System><Provider Name="${escapeXml(told.title)}"/><TimeCreated SystemTime="${at(told)}"/></System>`,
    '  <EventData>',
    ...data,
    '  </EventData>',
    '</Event>',
  ].join('\n');
}

function yaml(told: Told): string {
  const names: Names = { remoteIp: 'remote_address', internalIp: 'local_address', host: 'endpoint', user: 'principal' };
  const pairs = named(told, names).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`);
  return ['---', 'detection:', `  rule: ${JSON.stringify(told.title)}`, `  seen: ${at(told)}`, '  observed:', ...pairs].join('\n');
}

function html(told: Told): string {
  const rows = named(told, { remoteIp: 'Remote address', internalIp: 'Local address', host: 'Device', user: 'User', sha256: 'SHA-256' });
  const cells = rows.map(([name, value]) => `<tr><td>${name}</td><td><b>${escapeXml(value)}</b></td></tr>`).join('\n');
  return `<!DOCTYPE html><html><head><title>${escapeXml(told.title)}</title><style>td{padding:2px}</style></head><body><h2>${escapeXml(told.title)}</h2><table>\n${cells}\n</table><p>Seen ${at(told)}</p></body></html>`;
}

function markdown(told: Told): string {
  const rows = named(told, {
    remoteIp: 'Remote IP',
    internalIp: 'Local IP',
    host: 'Machine',
    user: 'User',
    sha256: 'SHA256',
    alertId: 'EDR alert',
  });
  return [`## ${told.title}`, '', '| Field | Value |', '|:--|:--|', ...rows.map(([name, value]) => `| **${name}** | \`${value}\` |`)].join(
    '\n',
  );
}

function forwardedMail(told: Told): string {
  const reporter = told.user ?? `frontdesk@${domain}`;
  return [
    `Return-Path: <${reporter}>`,
    `Received: from mx2.${domain} (172.22.0.25) by relay.${directory}; ${new Date(at(told)).toUTCString()}`,
    `From: ${reporter}`,
    `To: abuse@${domain}`,
    `Subject: TR: ${told.subject ?? told.title}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'I received this and do not know what to do with it.',
    '',
    '---------- Forwarded message ---------',
    ...(told.from ? [`From: <${told.from}>`] : []),
    `Date: ${new Date(at(told)).toUTCString()}`,
    `To: <${reporter}>`,
    '',
    told.text ?? told.title,
    ...(told.url ? [told.url] : []),
    ...(told.domain ? [`https://${told.domain}/`] : []),
    ...(told.sha256 ? [`Attachment: ${told.fileName ?? 'document.docm'} (SHA256 ${told.sha256})`] : []),
  ].join('\r\n');
}

const german = prose(
  'Meldung des Leitstands: #.',
  {
    host: 'Betroffen ist der Rechner #.',
    user: 'Angemeldet war die Person #.',
    internalIp: 'Seine Adresse im Werksnetz lautet #.',
    remoteIp: 'Die Gegenstelle war #.',
    domain: 'Aufgelöst wurde der Name #.',
    url: 'Aufgerufen wurde #',
    fileName: 'Die Datei heißt #.',
    sha256: 'Ihr SHA-256-Wert ist #.',
    sha1: 'Ihr SHA-1-Wert ist #.',
    command: 'Ausgeführt wurde: #',
    cve: 'Es geht um die Schwachstelle #.',
    incidentId: 'Der Vorfall trägt die Nummer #.',
    alertId: 'Die Warnung im EDR hat die Kennung #.',
    deviceId: 'Die Gerätekennung ist #.',
    city: 'Der Ort laut Protokoll: #.',
    country: 'Land: #.',
    from: 'Der Absender war #.',
    text: '#',
  },
  ' ',
);

const french = prose(
  'Bonjour, la supervision signale : #.',
  {
    host: 'Le poste concerné est « # ».',
    user: "L'utilisateur est #.",
    internalIp: 'Son adresse interne est #.',
    remoteIp: "L'adresse distante est #.",
    domain: 'Le nom de domaine demandé est #.',
    url: 'Le lien est #',
    fileName: 'Le fichier se nomme #.',
    sha256: "L'empreinte SHA-256 est #.",
    command: 'La commande était : #',
    cve: 'La vulnérabilité est #.',
    incidentId: "L'incident porte le numéro #.",
    alertId: "L'identifiant de l'alerte EDR est #.",
    deviceId: "L'identifiant de l'appareil est #.",
    city: 'La connexion vient de #.',
    country: 'Pays : #.',
    from: "L'expéditeur est #.",
    text: '#',
  },
  ' ',
);

const spanish = prose(
  'Aviso de la planta de Valencia: #.',
  {
    host: 'El equipo afectado es #.',
    user: 'La cuenta es #.',
    internalIp: 'Su dirección interna es #.',
    remoteIp: 'La dirección remota es #.',
    domain: 'El dominio consultado es #.',
    url: 'El enlace es #',
    fileName: 'El archivo se llama #.',
    sha256: 'Su huella SHA-256 es #.',
    command: 'El comando fue: #',
    cve: 'La vulnerabilidad es #.',
    incidentId: 'El incidente tiene el número #.',
    alertId: 'La alerta del EDR es #.',
    deviceId: 'El identificador del dispositivo es #.',
    city: 'El acceso vino de #.',
    country: 'País: #.',
    from: 'El remitente es #.',
    text: '#',
  },
  ' ',
);

const japanese = prose(
  '大阪工場からの連絡：#。',
  {
    host: '対象端末は#です。',
    user: '利用者は#です。',
    internalIp: '社内アドレスは#です。',
    remoteIp: '通信先は#でした。',
    domain: '照会されたドメインは#です。',
    url: 'リンクは「#」です。',
    fileName: 'ファイル名は#です。',
    sha256: 'SHA-256は#です。',
    command: '実行コマンド：「#」。',
    cve: '脆弱性番号は#です。',
    incidentId: 'インシデント番号は#です。',
    alertId: 'EDRのアラートIDは#です。',
    deviceId: 'デバイスIDは#です。',
    city: '接続元の都市は#です。',
    country: '国は#です。',
    from: '送信者は#です。',
    text: '#',
  },
  '',
);

const polish = prose(
  'Zgłoszenie z zakładu w Krakowie: #.',
  {
    host: 'Dotyczy komputera #.',
    user: 'Zalogowany był użytkownik #.',
    internalIp: 'Adres wewnętrzny to #.',
    remoteIp: 'Połączenie prowadziło do #.',
    domain: 'Zapytanie dotyczyło domeny #.',
    url: 'Odnośnik: #',
    fileName: 'Plik nazywa się #.',
    sha256: 'Skrót SHA-256 pliku: #.',
    command: 'Uruchomiono polecenie: #',
    cve: 'Podatność ma numer #.',
    incidentId: 'Incydent nosi numer #.',
    alertId: 'Identyfikator alertu EDR: #.',
    deviceId: 'Identyfikator urządzenia: #.',
    city: 'Logowanie nastąpiło z miasta #.',
    country: 'Kraj: #.',
    from: 'Nadawcą był #.',
    text: '#',
  },
  ' ',
);

const ticket = prose(
  'Ticket opened by the service desk.\nWhat happened: #\n',
  {
    host: 'The machine in question is #,',
    user: `the person working on it is ${netbios}\\#,`,
    internalIp: 'its internal address is #,',
    remoteIp: 'it talked to #,',
    domain: 'the name that was asked for is #,',
    url: 'the page was #',
    fileName: 'the file is called #,',
    sha256: 'with a SHA-256 of #,',
    sha1: 'with a SHA-1 of #,',
    md5: 'with an MD5 of #,',
    command: 'the command was `#`,',
    cve: 'the scanner names #,',
    incidentId: 'see incident #,',
    alertId: 'the EDR alert is #,',
    deviceId: 'the device id is #,',
    city: 'the sign-in came from #,',
    country: '#,',
    from: 'the message was sent by #,',
    text: '#',
  },
  ' ',
);

/** The output of `Get-… | Format-List`. */
function powershell(told: Told): string {
  const names: Names = {
    host: 'PSComputerName',
    user: 'UserName',
    remoteIp: 'RemoteAddress',
    internalIp: 'LocalAddress',
    sha256: 'SHA256',
  };
  const pairs = [['Alert', told.title], ['TimeCreated', at(told)], ...named(told, names)];
  return [
    `PS C:\\> Get-SecurityEvent -Last 1 | Format-List`,
    '',
    ...pairs.map(([name = '', value]) => `${name.padEnd(16)}: ${value}`),
  ].join('\r\n');
}

function defanged(told: Told): string {
  const dots = (value: string) => value.replaceAll('.', '[.]');
  const link = (value: string) => dots(value).replace(/^http/, 'hxxp').replace('://', '[://]');
  return [
    `${told.title}. Indicators (defanged):`,
    ...(told.url ? [`- ${link(told.url)}`] : []),
    ...(told.domain ? [`- ${told.domain.replaceAll('.', '(dot)')}`] : []),
    ...(told.remoteIp ? [`- ${dots(told.remoteIp)}`] : []),
    ...(told.from ? [`- ${dots(told.from).replace('@', '[at]')}`] : []),
    ...(told.sha256 ? [`- ${told.sha256}`] : []),
    ...(told.host ? [`Host: ${told.host}`] : []),
    ...(told.user ? [`User: ${told.user}`] : []),
    ...(told.text ? [told.text] : []),
  ].join('\n');
}

export const FORMATS = {
  sentinel,
  defender,
  splunk,
  elastic,
  wazuh,
  guardDuty,
  ocsf,
  'JSON in JSON': jsonInJson,
  CEF: cef,
  'LEEF, tab': leef('\t', 'x09'),
  'LEEF, caret': leef('^', '^'),
  'syslog 3164': syslog3164,
  'syslog 5424': syslog5424,
  CSV: csv,
  'key=value': keyValue,
  XML: xml,
  YAML: yaml,
  HTML: html,
  Markdown: markdown,
  'forwarded mail': forwardedMail,
  German: german,
  French: french,
  Spanish: spanish,
  Japanese: japanese,
  Polish: polish,
  'ticket prose': ticket,
  PowerShell: powershell,
  defanged,
} as const satisfies Record<string, (told: Told) => string>;
export type Format = keyof typeof FORMATS;
