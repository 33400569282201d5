import { computer, digest, person } from '../company.js';
import { account, CONCLUDED, detection, endpointAlert, file, incident, investigation, link, reputation, weakness } from '../facts.js';
import { attack, harmless, type LabelledCase } from '../labelled-case.js';
import { SHARED } from '../shared.js';

const MAIL = 'Phishing reported by employee';
const ATTACHMENT = 'Attachment blocked at gateway';
const RDP = 'Lateral movement via RDP';
const GROUP = 'Privileged group change';
const SCRIPT = 'Suspicious PowerShell';
const TASK = 'Scheduled task persistence';
const SERVICE = 'Service account interactive logon';
const ROBOT = 'Bot automation anomaly';
const SCAN = 'Port sweep from internal host';
const WEB = 'Web application attack';
const TERMINAL = 'Malware blocked by endpoint agent';
const DNS = 'DNS tunnelling suspected';
const VOLUME = 'Unusual mail volume';

const who = {
  mailA: person('Rafael', 'Antunes'),
  mailB: person('Sílvia', 'Barreto'),
  mailC: person('Tadeu', 'Coimbra'),
  mailD: person('Úrsula', 'Dantas', 'Recife'),
  mailE: person('Vítor', 'Evangelista'),
  mailF: person('Wanda', 'Figueira'),
  adminA: person('Xavier', 'Gusmão'),
  adminB: person('Yasmin', 'Holanda'),
  adminC: person('Zeca', 'Itaborahy'),
  adminD: person('Alana', 'Junqueira'),
  adminE: person('Benito', 'Klabin'),
  adminF: person('Célia', 'Loureiro'),
  adminG: person('Dario', 'Machado'),
  vdiA: person('Estela', 'Nogueira'),
  vdiB: person('Fausto', 'Ottoni'),
  vdiC: person('Graça', 'Pessoa'),
  vdiD: person('Hugo', 'Quintela'),
};
const server = (name: string, user = 'svc_app') => computer(name, user, 'WindowsServer2022');
const pc = {
  ran: computer('sp-nb-4201', who.mailF.account),
  quiet: server('sp-app-11'),
  moved: server('sp-app-12'),
  infected: server('sp-app-13'),
  robotQuiet: server('sp-rpa-01'),
  robotGood: server('sp-rpa-02'),
  robotBad: server('sp-rpa-03'),
  directory: server('sp-dc-02', 'svc_dc'),
  scannedDrill: server('sp-web-21', 'svc_web'),
  scannedWeak: server('sp-web-22', 'svc_web'),
  honeypot: server('sp-isca-01', 'svc_isca'),
  asked: computer('sp-nb-4202', 'cmuniz'),
  askedBad: computer('sp-nb-4203', 'dnaves'),
};

const relayed = { viaHost: SHARED.mailRelay.dnsName, viaIp: SHARED.mailRelay.internalIp };
const relay: readonly LabelledCase[] = [
  harmless('inconclusive', {
    type: MAIL,
    name: 'a sender that nobody knows, through the relay',
    format: 'Mail in MIME parts',
    kinds: ['shared infrastructure', 'unknown indicator'],
    told: { title: 'Cotação', user: who.mailA.email, from: 'vendas@marcenaria-jequitiba.example', subject: 'Cotação de março', ...relayed },
    why: 'No third party knows the sender; the relay carries all mail of the company.',
  }),
  attack(['malicious', 'suspicious'], {
    type: MAIL,
    name: 'a sender with a bad reputation, through the relay',
    format: 'Mail in MIME parts',
    kinds: ['shared infrastructure', 'reputation'],
    told: {
      title: 'Nota fiscal',
      user: who.mailB.email,
      from: 'nfe@nota-eletronica-sp.example',
      subject: 'Nota fiscal em atraso',
      url: 'https://nota-eletronica-sp.example/nfe/55',
      ...relayed,
    },
    facts: [reputation('domain', 'nota-eletronica-sp.example', 86), reputation('url', 'https://nota-eletronica-sp.example/nfe/55', 90)],
    why: 'Link and sender have a bad reputation; nothing shows a click.',
  }),
  harmless('benign', {
    type: MAIL,
    name: 'a mail of the health plan, through the relay',
    format: 'Portuguese mail thread',
    kinds: ['shared infrastructure', 'incident', 'benign beside a bystander'],
    told: {
      title: 'Mail reported by a user',
      user: who.mailC.email,
      from: 'avisos@saude-ipe.example',
      url: 'https://saude-ipe.example/carteirinha',
      ...relayed,
    },
    facts: [
      incident(84_201, {
        name: 'Mail reported by a user',
        severity: 'Low',
        hoursAgo: 6,
        concluded: CONCLUDED.falsePositive,
        entities: [account(who.mailC), link('https://saude-ipe.example/carteirinha')],
      }),
    ],
    why: 'The incident about this mail and link was closed as a false positive; confirmed records of the relay belong to others.',
  }),
  harmless('benign', {
    type: MAIL,
    name: 'the phishing drill of the spring, through the relay',
    format: 'Jira markup',
    kinds: ['shared infrastructure', 'investigation', 'reputation'],
    told: { title: 'Mail reported by a user', user: who.mailD.email, from: 'premio@sorteio-interno.example', ...relayed },
    facts: [
      reputation('domain', 'sorteio-interno.example', 70),
      investigation('Reported mail of sorteio-interno.example (drill)', 'SECURITY_TEST', 10),
    ],
    why: 'The investigation about this sender was closed as a security test.',
  }),
  harmless('inconclusive', {
    type: ATTACHMENT,
    name: 'an attachment that nobody knows, at the relay',
    format: 'CEF, Trend Micro',
    kinds: ['shared infrastructure', 'unknown indicator', 'unknown beside a bystander'],
    told: {
      title: 'Attachment blocked',
      host: SHARED.mailRelay.dnsName,
      user: who.mailE.email,
      sha256: digest('price list'),
      fileName: 'tabela.xlsm',
    },
    why: 'No third party knows the file; the relay blocks files of all people, and its records contradict each other.',
  }),
  attack('malicious', {
    type: ATTACHMENT,
    name: 'an attachment that ran on the machine of its reader',
    format: 'Check Point Harmony',
    kinds: ['shared infrastructure', 'malware event', 'machine known', 'hunting row'],
    told: {
      title: 'Attachment delivered before its verdict',
      host: pc.ran.dnsName,
      user: who.mailF.email,
      sha256: digest('loader in a price list'),
      fileName: 'tabela-nova.xlsm',
      viaHost: SHARED.mailRelay.dnsName,
    },
    facts: [
      detection(pc.ran, 'Executed malware', digest('loader in a price list'), 1),
      reputation('hash', digest('loader in a price list'), 90),
    ],
    why: 'The agent saw the attachment run on the machine of the reader.',
  }),
  harmless('inconclusive', {
    type: VOLUME,
    name: 'only the relay',
    format: 'logfmt',
    kinds: ['shared infrastructure'],
    told: {
      title: 'Unusual mail volume',
      viaHost: SHARED.mailRelay.dnsName,
      viaIp: SHARED.mailRelay.internalIp,
      text: '3,900 mails an hour',
    },
    why: 'The alert names only the relay of all mail; its records belong to different people and contradict each other.',
  }),
  attack('suspicious', {
    type: MAIL,
    name: 'a doubtful sender, passed on by the service desk',
    format: 'Portuguese mail thread',
    kinds: ['shared infrastructure', 'reputation', 'person of the sign-in'],
    told: {
      title: 'Oferta',
      user: 'financeiro@iperoxo.example',
      reporter: 'central.servicos@iperoxo.example',
      from: 'ofertas@atacado-brindes.example',
      subject: 'Brindes',
      viaHost: SHARED.mailRelay.dnsName,
    },
    facts: [reputation('domain', 'atacado-brindes.example', 38)],
    why: 'The domain of the sender has a score of 38, and nothing else is known.',
  }),
];

const jump: readonly LabelledCase[] = [
  harmless(['inconclusive', 'suspicious'], {
    type: RDP,
    name: 'an administrator without any record',
    format: 'Windows event XML',
    kinds: ['shared infrastructure', 'machine known'],
    told: { title: 'RDP session', host: pc.quiet.dnsName, user: who.adminA.account, viaHost: SHARED.jumpHost.dnsName },
    why: 'Neither the administrator nor the target has a record; those of the jump host belong to others.',
  }),
  harmless('benign', {
    type: RDP,
    name: 'the move of an application',
    format: 'auditd log',
    kinds: ['shared infrastructure', 'investigation', 'machine known', 'benign beside a bystander'],
    told: { title: 'RDP session', host: pc.moved.dnsName, user: who.adminB.account, viaHost: SHARED.jumpHost.name },
    facts: [investigation(`RDP session of ${who.adminB.account} on ${pc.moved.name}`, 'BENIGN', 11)],
    why: 'The investigation about this person, this target and this activity was closed as benign today.',
  }),
  attack('malicious', {
    type: RDP,
    name: 'a target with malware that an analyst confirmed',
    format: 'Darktrace JSON',
    kinds: ['shared infrastructure', 'endpoint alert', 'machine known'],
    told: { title: 'Unusual RDP', host: pc.infected.dnsName, user: who.adminC.account, viaHost: SHARED.jumpHost.dnsName },
    facts: [
      endpointAlert(pc.infected, {
        title: 'RDP session started a loader',
        severity: 'High',
        hoursAgo: 4,
        concluded: CONCLUDED.malware,
        concludedHoursAgo: 1,
        evidence: [account(who.adminC)],
      }),
    ],
    why: 'An analyst confirmed malware on the target in a session of this account today.',
  }),
  harmless('benign', {
    type: GROUP,
    name: 'a group change that is expected',
    format: 'Portuguese HTML',
    kinds: ['shared infrastructure', 'incident', 'benign beside a bystander'],
    told: { title: 'Membro novo em Domain Admins', user: who.adminD.account, viaHost: SHARED.jumpHost.dnsName },
    facts: [
      incident(84_202, {
        name: `New member of Domain Admins by ${who.adminD.account}`,
        severity: 'Medium',
        hoursAgo: 8,
        concluded: CONCLUDED.expected,
        entities: [account(who.adminD)],
      }),
    ],
    why: 'The incident about this person and this change was closed as expected.',
  }),
  harmless(['inconclusive', 'suspicious'], {
    type: SCRIPT,
    name: 'a script of a person beside the intrusion of another',
    format: 'Alertmanager YAML',
    kinds: ['shared infrastructure', 'another entity'],
    told: {
      title: 'PowerShell',
      host: SHARED.jumpHost.dnsName,
      user: who.adminE.account,
      command: 'powershell -File C:\\Rotinas\\relatorio.ps1',
    },
    why: 'The confirmed records of the jump host name other people; this person and script have none.',
  }),
  attack('malicious', {
    type: SCRIPT,
    name: 'a script of the person in the confirmed intrusion',
    format: 'JSON lines',
    kinds: ['shared infrastructure', 'incident'],
    told: {
      title: 'PowerShell',
      host: SHARED.jumpHost.dnsName,
      user: who.adminF.account,
      command: 'powershell -nop -w hidden -File C:\\Temp\\s.ps1',
    },
    facts: [
      incident(84_203, {
        name: `Hidden PowerShell of ${who.adminF.account}`,
        severity: 'High',
        hoursAgo: 2,
        concluded: CONCLUDED.compromisedAccount,
        on: [SHARED.jumpHost],
        entities: [account(who.adminF)],
      }),
    ],
    why: 'The incident about this account and this activity was closed as a compromised account today.',
  }),
  harmless(['inconclusive', 'suspicious'], {
    type: TASK,
    name: 'a task of a person beside the cleared tool of another',
    format: 'Portuguese TSV',
    kinds: ['shared infrastructure', 'another entity'],
    told: {
      title: 'Tarefa agendada criada',
      host: SHARED.jumpHost.dnsName,
      user: who.adminG.account,
      command: 'schtasks /create /tn Limpeza /tr C:\\Temp\\l.cmd',
    },
    why: 'The false positives of the jump host belong to other people; this person and task have no record.',
  }),
];

const accounts: readonly LabelledCase[] = [
  harmless(['inconclusive', 'suspicious'], {
    type: SERVICE,
    name: 'the robot on a machine without any record',
    format: 'LEEF 1.0',
    kinds: ['shared infrastructure', 'machine known'],
    told: { title: 'Interactive logon', host: pc.robotQuiet.dnsName, user: SHARED.robot },
    why: 'The machine has no record; those of the account belong to other machines and contradict each other.',
  }),
  harmless('benign', {
    type: SERVICE,
    name: 'the robot on a machine where it is expected',
    format: 'Tenable finding',
    kinds: ['shared infrastructure', 'endpoint alert', 'machine known', 'benign beside a bystander'],
    told: { title: 'Interactive logon', host: pc.robotGood.dnsName, user: SHARED.robot },
    facts: [
      endpointAlert(pc.robotGood, {
        title: 'Interactive logon of a service account',
        severity: 'Low',
        hoursAgo: 6,
        concluded: CONCLUDED.expected,
      }),
    ],
    why: 'An analyst closed the same logon on this machine as expected today.',
  }),
  attack('malicious', {
    type: SERVICE,
    name: 'the robot on a machine with malware',
    format: 'SentinelOne JSON',
    kinds: ['shared infrastructure', 'malware event', 'machine known'],
    told: { title: 'Interactive logon', host: pc.robotBad.dnsName, user: SHARED.robot },
    facts: [detection(pc.robotBad, 'Executed malware', digest('remote shell'), 1, 'W32.Shell')],
    why: 'Malware ran on this machine within the hour.',
  }),
  harmless('inconclusive', {
    type: ROBOT,
    name: 'the robot at night',
    format: 'Grafana with template names',
    kinds: ['shared infrastructure'],
    told: { title: 'Bot automation anomaly', user: SHARED.robot, text: 'Runs at 03:12 instead of 01:00' },
    why: 'The alert names only an account of many machines, whose records contradict each other.',
  }),
  harmless(['inconclusive', 'suspicious'], {
    type: ROBOT,
    name: 'the synchronisation from a machine that nobody knows',
    format: 'Windows event XML',
    kinds: ['shared infrastructure', 'unknown machine', 'unknown beside a bystander'],
    told: { title: 'Directory replication requested', host: 'nb-visitante-3', user: SHARED.sync },
    why: 'No third party knows the machine; the records of the account belong to other machines.',
  }),
  harmless('benign', {
    type: ROBOT,
    name: 'the synchronisation from its server',
    format: 'English prose',
    kinds: ['shared infrastructure', 'investigation', 'machine known', 'benign beside a bystander'],
    told: { title: 'directory replication was requested', host: pc.directory.dnsName, user: SHARED.sync },
    facts: [investigation(`Directory replication by ${pc.directory.name}`, 'BENIGN', 15)],
    why: 'The investigation about this machine and this activity was closed as benign today.',
  }),
];

const machines: readonly LabelledCase[] = [
  harmless(['inconclusive', 'suspicious'], {
    type: SCAN,
    name: 'the scanner alone',
    format: 'Vectra JSON in syslog',
    kinds: ['shared infrastructure', 'internal address'],
    told: { title: 'Internal port sweep', internalIp: SHARED.scanner.internalIp },
    why: 'The alert names only a machine whose records, about different people, contradict each other.',
  }),
  harmless('benign', {
    type: WEB,
    name: 'the scanner in the approved test of a server',
    format: 'Markdown, defanged',
    kinds: ['shared infrastructure', 'investigation', 'machine known', 'benign beside a bystander'],
    told: { title: 'SQL injection attempts', host: pc.scannedDrill.dnsName, internalIp: SHARED.scanner.internalIp },
    facts: [investigation(`SQL injection attempts on ${pc.scannedDrill.name} by the approved scan`, 'SECURITY_TEST', 3)],
    why: 'The investigation about this server and this activity was closed as a security test today.',
  }),
  harmless(['inconclusive', 'suspicious'], {
    type: WEB,
    name: 'the scanner at a honeypot',
    format: 'Snort alert',
    kinds: ['shared infrastructure', 'machine known'],
    told: { title: 'Honeypot touched', host: pc.honeypot.dnsName, internalIp: SHARED.scanner.internalIp },
    why: 'The honeypot has no record, and those of the scanner contradict each other.',
  }),
  attack(['suspicious', 'malicious'], {
    type: WEB,
    name: 'an exploit against a server that has the vulnerability',
    format: 'Check Point syslog',
    kinds: ['shared infrastructure', 'vulnerability', 'machine known'],
    told: { title: 'Exploit attempt', host: pc.scannedWeak.dnsName, internalIp: SHARED.scanner.internalIp, cve: 'CVE-2026-52001' },
    facts: [
      weakness('CVE-2026-52001', { severity: 'Critical', exploited: 'verified', on: [pc.scannedWeak] }),
      reputation('vulnerability', 'CVE-2026-52001', 93, 'Exploited in the Wild by Malware'),
    ],
    why: 'The server has the critical vulnerability, and attackers use it.',
  }),
  harmless(['inconclusive', 'suspicious'], {
    type: TERMINAL,
    name: 'an unknown file on the terminal server',
    format: 'CrowdStrike JSON',
    kinds: ['shared infrastructure', 'unknown indicator', 'unknown beside a bystander'],
    told: {
      title: 'Unsigned program',
      host: SHARED.terminal.dnsName,
      user: who.vdiA.account,
      sha256: digest('calculator of premiums'),
      fileName: 'calc-premio.exe',
    },
    why: 'No third party knows the file or the person; the records of the terminal server belong to others.',
  }),
  attack('malicious', {
    type: TERMINAL,
    name: 'a file that ran on the terminal server',
    format: 'Hidden characters',
    kinds: ['shared infrastructure', 'malware event', 'reputation'],
    told: {
      title: 'Unsigned program',
      host: SHARED.terminal.dnsName,
      user: who.vdiB.account,
      sha256: digest('keyboard logger'),
      fileName: 'teclas.exe',
    },
    facts: [
      detection(SHARED.terminal, 'Executed malware', digest('keyboard logger'), 1),
      reputation('hash', digest('keyboard logger'), 94),
    ],
    why: 'The agent saw this file run, and its reputation is bad.',
  }),
  attack('malicious', {
    type: TERMINAL,
    name: 'a bad page that was opened on the terminal server',
    format: 'Squid access log',
    kinds: ['shared infrastructure', 'reputation'],
    told: { title: 'Page opened', host: SHARED.terminal.dnsName, user: who.vdiC.account, url: 'https://renova-senha-ipe.example/entrar' },
    facts: [reputation('url', 'https://renova-senha-ipe.example/entrar', 91), reputation('domain', 'renova-senha-ipe.example', 85)],
    why: 'An own account opened a page with a bad reputation.',
  }),
  harmless('benign', {
    type: TERMINAL,
    name: 'a file that was cleared on the terminal server',
    format: 'Cortex XDR JSON',
    kinds: ['shared infrastructure', 'endpoint alert', 'benign beside a bystander'],
    told: { title: 'Unsigned program', host: SHARED.terminal.dnsName, user: who.vdiD.account, sha256: digest('printer helper') },
    facts: [
      endpointAlert(SHARED.terminal, {
        title: 'Unsigned printer helper',
        severity: 'Low',
        hoursAgo: 3,
        concluded: CONCLUDED.falsePositive,
        evidence: [file(digest('printer helper'), 'imprime.exe'), account(who.vdiD)],
      }),
    ],
    why: 'An analyst closed the alert about this file and this person as a false positive today.',
  }),
  harmless('inconclusive', {
    type: DNS,
    name: 'the resolver asks for a name that nobody knows',
    format: 'Portuguese CSV, semicolons',
    kinds: ['shared infrastructure', 'internal address', 'unknown indicator'],
    told: { title: 'Consulta DNS longa', internalIp: SHARED.resolver.internalIp, domain: 'a8f3.tele-metria.example' },
    why: 'No third party knows the name; the resolver asks for all machines.',
  }),
  attack('malicious', {
    type: DNS,
    name: 'a machine asks the resolver for a bad name',
    format: 'Darktrace JSON',
    kinds: ['shared infrastructure', 'reputation', 'machine known'],
    told: { title: 'DNS tunnel', host: pc.askedBad.dnsName, domain: 'q.exfil-consulta.example', viaIp: SHARED.resolver.internalIp },
    facts: [reputation('domain', 'q.exfil-consulta.example', 89), reputation('domain', 'exfil-consulta.example', 89)],
    why: 'An own machine asked for a name with a bad reputation.',
  }),
  harmless('inconclusive', {
    type: DNS,
    name: 'a machine without any record, reported by the log collector',
    format: 'auditd log',
    kinds: ['shared infrastructure', 'machine known', 'unknown indicator'],
    told: { title: 'Consulta DNS longa', host: pc.asked.dnsName, domain: 'b7.sensor-predial.example', viaHost: SHARED.collector.dnsName },
    why: 'The machine and the name have no record; the collector passes on the logs of all machines.',
  }),
];

export const sharedHosts: readonly LabelledCase[] = [...relay, ...jump, ...accounts, ...machines];
