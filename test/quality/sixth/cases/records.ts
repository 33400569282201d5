import { computer, digest, person } from '../company.js';
import {
  account,
  CONCLUDED,
  domainAbuse,
  endpointAlert,
  huntingRow,
  incident,
  intelligenceAlert,
  investigation,
  ip,
  link,
  reputation,
  weakness,
} from '../facts.js';
import { attack, harmless, type LabelledCase } from '../labelled-case.js';

const INCIDENT = 'Incident status change';
const WEAKNESS = 'Vulnerability exploitable on asset';
const CRITICAL = 'Vulnerabilidade crítica em servidor';
const DOMAIN = 'Domain impersonation';
const MAIL = 'E-mail suspeito encaminhado';
const DEVICE = 'Unknown device joined network';
const OUTBOUND = 'Suspicious outbound traffic';
const FEED = 'Threat intelligence match';
const MALWARE = 'Detecção de malware no endpoint';

const server = (name: string) => computer(name, 'svc_app', 'WindowsServer2022');
const pc = {
  confirmed: computer('sp-nb-5401', 'jwanderley'),
  hidden: computer('sp-nb-5402', 'kxavante'),
  missing: computer('sp-nb-5403', 'lyunes'),
  open: computer('sp-nb-5404', 'mzenha'),
  doubtful: computer('sp-nb-5405', 'naguilar'),
  later: computer('sp-nb-5406', 'obezerra'),
  weak: server('sp-srv-71'),
  patched: server('sp-srv-72'),
  second: server('sp-srv-73'),
  allPatched: server('sp-srv-74'),
  low: server('sp-srv-75'),
  exploit: server('rec-srv-76'),
  byAddress: server('rec-srv-77'),
  strange: server('rec-srv-78'),
  cleared: computer('sp-nb-5407', 'pcastanho'),
  bystander: computer('sp-nb-5408', 'qdelamare'),
  printer: computer('sp-nb-5409', 'reiras'),
  neighbour: computer('sp-nb-5410', 'sfroes'),
  clicked: computer('sp-nb-5411', 'tgaspar'),
  hunted: computer('sp-nb-5412', 'uhermida'),
  otherFile: computer('sp-nb-5413', 'vingles'),
};
const MISSING = 'The source knows no incident of this number';

const incidents: readonly LabelledCase[] = [
  attack('malicious', {
    type: INCIDENT,
    name: 'confirmed',
    format: 'Alertmanager YAML',
    kinds: ['incident'],
    told: { title: 'Incident changed', incidentId: 84_501 },
    facts: [
      incident(84_501, { name: 'Intrusion at a branch', severity: 'High', hoursAgo: 6, concluded: CONCLUDED.malware, on: [pc.confirmed] }),
    ],
    why: 'An analyst confirmed the incident.',
  }),
  attack('malicious', {
    type: INCIDENT,
    name: 'a confirmed one between hidden characters',
    format: 'Hidden characters',
    kinds: ['incident'],
    told: { title: 'Incidente atualizado', incidentId: 84_502 },
    facts: [incident(84_502, { name: 'Banking trojan', severity: 'High', hoursAgo: 5, concluded: CONCLUDED.malware, on: [pc.hidden] })],
    why: 'An analyst confirmed the incident; marks for the direction of writing do not change its number.',
  }),
  harmless('benign', {
    type: INCIDENT,
    name: 'a false positive between hidden characters',
    format: 'Hidden characters',
    kinds: ['incident'],
    told: { title: 'Incidente atualizado', incidentId: 84_503 },
    facts: [incident(84_503, { name: 'Macro of the actuaries', severity: 'Medium', hoursAgo: 9, concluded: CONCLUDED.falsePositive })],
    why: 'An analyst closed the incident as a false positive.',
  }),
  attack('malicious', {
    type: INCIDENT,
    name: 'merged into a confirmed one',
    format: 'Portuguese prose',
    kinds: ['incident', 'merged incident'],
    told: { title: 'incidente atualizado', incidentId: 84_504 },
    facts: [incident(84_504, { name: 'Script', severity: 'Low', hoursAgo: 7, mergedInto: 84_501 })],
    why: 'The incident was merged into one that an analyst confirmed.',
  }),
  harmless('benign', {
    type: INCIDENT,
    name: 'merged into a false positive',
    format: 'CEF, Trend Micro',
    kinds: ['incident', 'merged incident'],
    told: { title: 'Incident changed', incidentId: 84_505 },
    facts: [
      incident(84_505, { name: 'Installer', severity: 'Medium', hoursAgo: 9, mergedInto: 84_506 }),
      incident(84_506, { name: 'Installers of the branches', severity: 'Medium', hoursAgo: 10, concluded: CONCLUDED.falsePositive }),
    ],
    why: 'The incident was merged into one that an analyst closed as a false positive.',
  }),
  harmless('benign', {
    type: INCIDENT,
    name: 'merged twice into a security test',
    format: 'Jira markup',
    kinds: ['incident', 'merged incident'],
    told: { title: 'Incident changed', incidentId: 84_507 },
    facts: [
      incident(84_507, { name: 'Part one', severity: 'Medium', hoursAgo: 9, mergedInto: 84_508 }),
      incident(84_508, { name: 'Part two', severity: 'Medium', hoursAgo: 9, mergedInto: 84_509 }),
      incident(84_509, { name: 'Red team of the summer', severity: 'High', hoursAgo: 10, concluded: CONCLUDED.securityTest }),
    ],
    why: 'Two merges lead to an incident that was closed as a security test.',
  }),
  harmless('inconclusive', {
    type: INCIDENT,
    name: 'merged into one that does not exist',
    format: 'logfmt',
    kinds: ['merged incident', 'no such incident'],
    told: { title: 'Incident changed', incidentId: 84_510 },
    facts: [incident(84_510, { name: 'Part of something', severity: 'Medium', hoursAgo: 8, mergedInto: 84_991 })],
    why: 'The incident was merged into one that the source does not have, so nobody knows the conclusion.',
  }),
  harmless('inconclusive', {
    type: INCIDENT,
    name: 'no such incident',
    format: 'Portuguese TSV',
    kinds: ['no such incident'],
    told: { title: 'Incidente atualizado', incidentId: 84_992 },
    why: `${MISSING}.`,
  }),
  harmless('inconclusive', {
    type: INCIDENT,
    name: 'no such incident, and a cleared machine of another matter',
    format: 'GLPI ticket',
    kinds: ['no such incident', 'unknown beside a bystander'],
    told: { title: 'Incidente atualizado', incidentId: 84_993, host: pc.missing.dnsName },
    facts: [endpointAlert(pc.missing, { title: 'Printer program', severity: 'Low', hoursAgo: 50, concluded: CONCLUDED.falsePositive })],
    why: `${MISSING}; the false positive about the machine concerned a printer program.`,
  }),
  harmless('inconclusive', {
    type: INCIDENT,
    name: 'no such incident, and a clean address',
    format: 'Hidden characters',
    kinds: ['no such incident', 'unknown beside a bystander', 'reputation'],
    told: { title: 'Incident changed', incidentId: 84_994, remoteIp: '192.0.2.73' },
    facts: [reputation('ip', '192.0.2.73', 0)],
    why: `${MISSING}; a clean address beside it proves nothing.`,
  }),
  attack('malicious', {
    type: INCIDENT,
    name: 'open, grave, with a bad address',
    format: 'Cortex XDR JSON',
    kinds: ['incident', 'reputation'],
    told: { title: 'Incident changed', incidentId: 84_511 },
    facts: [
      incident(84_511, { name: 'Regular connections', severity: 'High', hoursAgo: 2, on: [pc.open], entities: [ip('203.0.113.100')] }),
      reputation('ip', '203.0.113.100', 90),
    ],
    why: 'The open incident of high severity shows contact of an own machine with an address with a bad reputation.',
  }),
  attack('suspicious', {
    type: INCIDENT,
    name: 'open, with a doubtful address',
    format: 'Uruguayan prose',
    kinds: ['incident', 'reputation'],
    told: { title: 'el incidente cambió', incidentId: 84_512 },
    facts: [
      incident(84_512, { name: 'Unusual connection', severity: 'Medium', hoursAgo: 3, on: [pc.doubtful], entities: [ip('198.51.100.60')] }),
      reputation('ip', '198.51.100.60', 46),
    ],
    why: 'The open incident of medium severity names an address with a doubtful reputation.',
  }),
  harmless('inconclusive', {
    type: INCIDENT,
    name: 'open and informational',
    format: 'INI',
    kinds: ['incident'],
    told: { title: 'Incident changed', incidentId: 84_513 },
    facts: [incident(84_513, { name: 'Unusual attachment', severity: 'Informational', hoursAgo: 3 })],
    why: 'The open incident is informational and names nothing.',
  }),
  attack(['malicious', 'suspicious'], {
    type: INCIDENT,
    name: 'a false positive, and a newer confirmed alert on its machine',
    format: 'English prose',
    kinds: ['incident', 'endpoint alert', 'stale fact'],
    told: { title: 'the incident changed', incidentId: 84_514 },
    facts: [
      incident(84_514, { name: 'Macro', severity: 'Medium', hoursAgo: 40, concluded: CONCLUDED.falsePositive, on: [pc.later] }),
      endpointAlert(pc.later, {
        title: 'Macro loads a stealer',
        severity: 'High',
        hoursAgo: 3,
        concluded: CONCLUDED.malware,
        concludedHoursAgo: 1,
        incidentId: 84_514,
      }),
    ],
    why: 'After the false positive, an analyst confirmed malware on the same machine in the same incident.',
  }),
];

const used = { severity: 'Critical', exploited: 'verified' } as const;
const weaknesses: readonly LabelledCase[] = [
  attack(['suspicious', 'malicious'], {
    type: WEAKNESS,
    name: 'a used vulnerability on the server',
    format: 'Tenable finding',
    kinds: ['vulnerability', 'machine known', 'reputation'],
    told: { title: 'Remote code execution', host: pc.weak.dnsName, internalIp: pc.weak.internalIp, cve: 'CVE-2026-52101' },
    facts: [
      weakness('CVE-2026-52101', { ...used, on: [pc.weak] }),
      reputation('vulnerability', 'CVE-2026-52101', 95, 'Exploited in the Wild by Malware'),
    ],
    why: 'The server has a critical vulnerability that attackers use.',
  }),
  harmless('benign', {
    type: WEAKNESS,
    name: 'a vulnerability that the server does not have',
    format: 'Wiz issue',
    kinds: ['vulnerability', 'machine known'],
    told: { title: 'Remote code execution', host: pc.patched.dnsName, cve: 'CVE-2026-52101' },
    why: 'Both platforms know the server and the vulnerability, and neither finds it there.',
  }),
  attack(['suspicious', 'malicious'], {
    type: WEAKNESS,
    name: 'two vulnerabilities, of which the server has the second',
    format: 'Tenable finding',
    kinds: ['vulnerability', 'machine known'],
    told: { title: 'Several weaknesses', host: pc.second.dnsName, cve: 'CVE-2026-52101 CVE-2026-52102' },
    facts: [weakness('CVE-2026-52102', { ...used, on: [pc.second] }), reputation('vulnerability', 'CVE-2026-52102', 92)],
    why: 'The server has the second vulnerability, and attackers use it.',
  }),
  harmless('benign', {
    type: CRITICAL,
    name: 'two vulnerabilities, of which the server has none',
    format: 'Portuguese CSV, semicolons',
    kinds: ['vulnerability', 'machine known'],
    told: { title: 'Vulnerabilidades críticas', host: pc.allPatched.dnsName, cve: 'CVE-2026-52101, CVE-2026-52102' },
    why: 'Both platforms know the server and both vulnerabilities, and find none of them there.',
  }),
  harmless(['inconclusive', 'suspicious'], {
    type: CRITICAL,
    name: 'a server that nobody knows',
    format: 'Portuguese prose',
    kinds: ['vulnerability', 'unknown machine'],
    told: { title: 'vulnerabilidade crítica', host: 'legado-as400-b', cve: 'CVE-2026-52101' },
    why: 'No third party knows the server, so an empty list of its vulnerabilities proves nothing; attackers use this one.',
  }),
  harmless(['inconclusive', 'suspicious'], {
    type: CRITICAL,
    name: 'a device id that nobody knows',
    format: 'LEEF 1.0',
    kinds: ['vulnerability', 'unknown machine'],
    told: { title: 'Vulnerability', deviceId: 'apl-7731-b', cve: 'CVE-2026-52102' },
    why: 'No third party knows the device, so an empty list of its vulnerabilities proves nothing; attackers use this one.',
  }),
  harmless(['benign', 'inconclusive'], {
    type: CRITICAL,
    name: 'a small vulnerability without an exploit',
    format: 'Portuguese HTML',
    kinds: ['vulnerability', 'machine known'],
    told: { title: 'Vulnerabilidade', host: pc.low.dnsName, cve: 'CVE-2026-52103' },
    facts: [
      weakness('CVE-2026-52103', { severity: 'Low', exploited: 'no', on: [pc.low] }),
      reputation('vulnerability', 'CVE-2026-52103', 5),
    ],
    why: 'The vulnerability is small, and nobody uses it.',
  }),
  attack('suspicious', {
    type: CRITICAL,
    name: 'a vulnerability with a public exploit',
    format: 'Jira markup',
    kinds: ['vulnerability', 'machine known'],
    told: { title: 'Vulnerability', host: pc.exploit.dnsName, cve: 'CVE-2026-52104' },
    facts: [
      weakness('CVE-2026-52104', { severity: 'High', exploited: 'public', on: [pc.exploit] }),
      reputation('vulnerability', 'CVE-2026-52104', 48),
    ],
    why: 'The server has the vulnerability, and an exploit is public.',
  }),
  attack(['suspicious', 'malicious'], {
    type: WEAKNESS,
    name: 'a used vulnerability on a server that its address names',
    format: 'SonicWall key=value',
    kinds: ['vulnerability', 'internal address'],
    told: { title: 'Vulnerable service', internalIp: pc.byAddress.internalIp, cve: 'CVE-2026-52105' },
    facts: [weakness('CVE-2026-52105', { ...used, on: [pc.byAddress] }), reputation('vulnerability', 'CVE-2026-52105', 90)],
    why: 'The address belongs to a server with a critical vulnerability that attackers use.',
  }),
  harmless(['inconclusive', 'benign'], {
    type: WEAKNESS,
    name: 'a vulnerability that nobody knows',
    format: 'Azure Monitor',
    kinds: ['vulnerability', 'unknown indicator', 'machine known'],
    told: { title: 'Vulnerability', host: pc.strange.dnsName, cve: 'CVE-2026-59999' },
    why: 'The platforms know the server and do not list the vulnerability, but they do not know the vulnerability either.',
  }),
];

const domains: readonly LabelledCase[] = [
  attack(['suspicious', 'malicious'], {
    type: DOMAIN,
    name: 'a new abuse of high priority',
    format: 'Markdown, defanged',
    kinds: ['playbook alert'],
    told: { title: 'Domain registered', domain: 'iperoxo-sinistros.example' },
    facts: [domainAbuse('iperoxo-sinistros.example', 'New')],
    why: 'The platform has a new domain abuse of high priority.',
  }),
  harmless('benign', {
    type: DOMAIN,
    name: 'an abuse that was dismissed',
    format: 'Chat export',
    kinds: ['playbook alert'],
    told: { title: 'Domain registered', domain: 'ipe-amarelo.example' },
    facts: [domainAbuse('ipe-amarelo.example', 'Dismissed', 'Moderate')],
    why: 'A person dismissed the domain abuse at the platform.',
  }),
  harmless('benign', {
    type: DOMAIN,
    name: 'an abuse that is resolved',
    format: 'Portuguese mail thread',
    kinds: ['playbook alert'],
    told: { title: 'Domínio registrado', domain: 'iperoxo-app.example' },
    facts: [domainAbuse('iperoxo-app.example', 'Resolved', 'High', 11)],
    why: 'The domain abuse is resolved.',
  }),
  attack('suspicious', {
    type: DOMAIN,
    name: 'named in an alert of the intelligence platform',
    format: 'Check Point Harmony',
    kinds: ['intelligence alert'],
    told: { title: 'Domain registered', domain: 'iperoxo-vagas.example' },
    facts: [intelligenceAlert('iperoxo-vagas.example offers fake jobs', 'iperoxo-vagas.example', 'InternetDomainName')],
    why: 'A new alert of the intelligence platform names the domain; nobody has judged it.',
  }),
  attack(['malicious', 'suspicious'], {
    type: DOMAIN,
    name: 'a domain with a bad reputation',
    format: 'Grafana with template names',
    kinds: ['reputation'],
    told: { title: 'Domain registered', domain: 'lperoxo.example' },
    facts: [reputation('domain', 'lperoxo.example', 81)],
    why: 'The domain has a bad reputation; nothing shows a contact.',
  }),
  harmless('inconclusive', {
    type: DOMAIN,
    name: 'a domain that nobody knows',
    format: 'STIX bundle',
    kinds: ['unknown indicator'],
    told: { title: 'Domain registered', domain: 'ipe-rosa-flores.example' },
    why: 'No third party knows the domain.',
  }),
];

const bystanders: readonly LabelledCase[] = [
  harmless('inconclusive', {
    type: MAIL,
    name: 'an unknown sender beside a popular clean page',
    format: 'Portuguese mail thread',
    kinds: ['unknown beside a bystander', 'reputation', 'unknown indicator'],
    told: { title: 'Convite', from: 'evento@buffet-aroeira.example', url: 'https://mapas-populares.example/r/88', subject: 'Convite' },
    facts: [reputation('url', 'https://mapas-populares.example/r/88', 0), reputation('domain', 'mapas-populares.example', 0)],
    why: 'No third party knows the sender; the clean map page is no fact about it.',
  }),
  harmless('inconclusive', {
    type: MAIL,
    name: 'an unknown attachment beside a clean sender',
    format: 'Mail in MIME parts',
    kinds: ['unknown beside a bystander', 'reputation', 'unknown indicator'],
    told: { title: 'Planilha', from: 'contato@provedor-correio.example', sha256: digest('sheet of a stranger'), fileName: 'planilha.xlsm' },
    facts: [reputation('domain', 'provedor-correio.example', 0)],
    why: 'No third party knows the file; that everybody can have an address at the clean provider proves nothing.',
  }),
  harmless('inconclusive', {
    type: DEVICE,
    name: 'a device id beside the clean page of its maker',
    format: 'Squid access log',
    kinds: ['unknown beside a bystander', 'unknown machine', 'reputation'],
    told: { title: 'Unknown device', deviceId: 'a91-cam-0077', domain: 'atualiza-camera.example' },
    facts: [reputation('domain', 'atualiza-camera.example', 0)],
    why: 'No third party knows the device; the clean domain is no fact about it.',
  }),
  harmless('inconclusive', {
    type: MALWARE,
    name: 'a file without a hash beside a clean address',
    format: 'Darktrace JSON',
    kinds: ['unknown beside a bystander', 'reputation', 'unknown machine'],
    told: { title: 'Arquivo incomum', host: 'nb-visita-19', fileName: 'proposta.iso', remoteIp: '192.0.2.74' },
    facts: [reputation('ip', '192.0.2.74', 0)],
    why: 'No third party knows the machine or the file; the clean address is no fact about them.',
  }),
  harmless('benign', {
    type: MALWARE,
    name: 'a cleared machine beside the infected one of a colleague',
    format: 'GLPI ticket',
    kinds: ['benign beside a bystander', 'investigation', 'machine known'],
    told: {
      title: 'Programa bloqueado',
      host: pc.cleared.dnsName,
      user: pc.cleared.user,
      text: `Chamado aberto na estação ${pc.bystander.dnsName} de um colega.`,
    },
    facts: [
      investigation(`Blocked program on ${pc.cleared.name}`, 'BENIGN', 6),
      endpointAlert(pc.bystander, { title: 'Stealer', severity: 'High', hoursAgo: 8, concluded: CONCLUDED.confirmed }),
    ],
    why: 'The investigation about this machine and program was closed as benign today; the colleague only lent the machine for the ticket.',
  }),
  harmless('benign', {
    type: OUTBOUND,
    name: 'a cleared print service beside an infected neighbour',
    format: 'Cisco ASA syslog',
    kinds: ['benign beside a bystander', 'incident', 'internal address'],
    told: {
      title: 'Unusual outbound connection',
      internalIp: pc.printer.internalIp,
      remoteIp: '198.51.100.61',
      viaHost: pc.neighbour.name,
    },
    facts: [
      incident(84_601, {
        name: 'Unusual outbound connection of the print service',
        severity: 'Low',
        hoursAgo: 4,
        concluded: CONCLUDED.falsePositive,
        on: [pc.printer],
        entities: [ip('198.51.100.61')],
      }),
      endpointAlert(pc.neighbour, { title: 'Password reader', severity: 'High', hoursAgo: 30 }),
    ],
    why: 'The incident about this machine and this connection was closed as a false positive; the neighbour is another matter.',
  }),
  harmless('inconclusive', {
    type: MALWARE,
    name: 'another file on a machine with a cleared one',
    format: 'SentinelOne JSON',
    kinds: ['another entity', 'endpoint alert', 'unknown indicator'],
    told: { title: 'Programa bloqueado', host: pc.otherFile.dnsName, sha256: digest('new unknown file'), fileName: 'novo.exe' },
    facts: [
      endpointAlert(pc.otherFile, {
        title: 'Signed scanner tool',
        severity: 'Low',
        hoursAgo: 24 * 6,
        concluded: CONCLUDED.falsePositive,
        evidence: [{ entityType: 'File', sha256: digest('old known file'), fileName: 'digitaliza.exe' }],
      }),
    ],
    why: 'The false positive of six days ago concerned another file; nobody knows this one.',
  }),
  attack(['malicious', 'suspicious'], {
    type: FEED,
    name: 'a bad address that a machine contacted',
    format: 'STIX bundle',
    kinds: ['hunting row', 'reputation'],
    told: { title: 'Indicators of an intrusion', remoteIp: '203.0.113.101' },
    facts: [
      reputation('ip', '203.0.113.101', 85),
      huntingRow('DeviceNetworkEvents', pc.hunted, 7, { RemoteIP: '203.0.113.101', ActionType: 'ConnectionSuccess' }),
    ],
    why: 'The address is bad, and a hunting query shows that an own machine contacted it.',
  }),
];

const mails: readonly LabelledCase[] = [
  attack(['malicious', 'suspicious'], {
    type: MAIL,
    name: 'a link with a bad reputation',
    format: 'Markdown, defanged',
    kinds: ['reputation'],
    told: { title: 'Reported mail', from: 'cobranca@boleto-facil.example', url: 'https://boleto-facil.example/b/21' },
    facts: [reputation('url', 'https://boleto-facil.example/b/21', 91), reputation('domain', 'boleto-facil.example', 84)],
    why: 'Link and sender have a bad reputation; nothing shows a click.',
  }),
  attack(['malicious', 'suspicious'], {
    type: MAIL,
    name: 'an attachment with a bad reputation',
    format: 'Chat export',
    kinds: ['reputation'],
    told: { title: 'Anexo suspeito', from: 'rh@vagas-seguros.example', sha256: digest('curriculum macro'), fileName: 'curriculo.docm' },
    facts: [reputation('hash', digest('curriculum macro'), 92)],
    why: 'The attachment has a bad reputation; nothing shows that somebody opened it.',
  }),
  attack('malicious', {
    type: MAIL,
    name: 'a link that was clicked',
    format: 'Check Point Harmony',
    kinds: ['reputation', 'machine known'],
    told: {
      title: 'Page of a mail opened',
      host: pc.clicked.dnsName,
      user: pc.clicked.user,
      url: 'https://atualiza-cadastro-ipe.example/f',
    },
    facts: [reputation('url', 'https://atualiza-cadastro-ipe.example/f', 87), reputation('domain', 'atualiza-cadastro-ipe.example', 80)],
    why: 'An own machine opened a page with a bad reputation.',
  }),
  (() => {
    const who = person('Patrício', 'Abelha');
    return harmless('benign', {
      type: MAIL,
      name: 'a newsletter that was cleared',
      format: 'Portuguese prose',
      kinds: ['incident', 'reputation'],
      told: {
        title: 'e-mail denunciado',
        user: who.email,
        from: 'boletim@revista-seguro.example',
        url: 'https://revista-seguro.example/ed/9',
      },
      facts: [
        reputation('domain', 'revista-seguro.example', 0),
        incident(84_602, {
          name: 'Mail reported by a user',
          severity: 'Low',
          hoursAgo: 8,
          concluded: CONCLUDED.falsePositive,
          entities: [account(who), link('https://revista-seguro.example/ed/9')],
        }),
      ],
      why: 'The incident about this link was closed as a false positive, and the domain is clean.',
    });
  })(),
  (() => {
    const who = person('Quirino', 'Bulhões');
    return attack('malicious', {
      type: MAIL,
      name: 'a link that an analyst confirmed',
      format: 'GLPI ticket',
      kinds: ['incident', 'person of the sign-in'],
      told: {
        title: 'E-mail denunciado',
        reporter: who.email,
        from: 'suporte@caixa-postal-cheia.example',
        url: 'https://caixa-postal-cheia.example/v',
      },
      facts: [
        incident(84_603, {
          name: 'Phishing for mailbox passwords',
          severity: 'Medium',
          hoursAgo: 3,
          concluded: CONCLUDED.phishing,
          entities: [account(who), link('https://caixa-postal-cheia.example/v')],
        }),
      ],
      why: 'The incident about this link was closed as phishing.',
    });
  })(),
  harmless('inconclusive', {
    type: MAIL,
    name: 'a sender that nobody knows',
    format: 'Portuguese HTML',
    kinds: ['unknown indicator'],
    told: { title: 'E-mail denunciado', from: 'vendas@tintas-cerrado.example', subject: 'Tabela' },
    why: 'No third party knows the sender.',
  }),
];

export const records: readonly LabelledCase[] = [...incidents, ...weaknesses, ...domains, ...bystanders, ...mails];
