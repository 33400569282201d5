import { COMPANY, COMPUTERS, INDICATORS, PEOPLE } from '../../../connectors/kit/stand-in/company.js';
import { attack, harmless } from '../labelled.js';
import { ESTATE, hashFileName, STAFF } from '../truth/estate.js';
import { CVES, DOMAINS, FILES, HOMOGLYPH, IPS, POPULAR, URLS } from '../truth/reputation.js';

const { infected, misjudged, quiet, doubtful, database, admin } = ESTATE;
const { aiko, leif, sam, nadia, omar } = STAFF;
const eml = (from: string, to: string, text: string) =>
  `Return-Path: <${from}>\r\nReceived: by mx\r\nFrom: ${from}\r\nTo: ${to}\r\n\r\n${text}`;

/** Written after the last change of a rule or a score. Alert types with a written playbook. */
export const heldOutKnownTypes = [
  attack(
    'User reported phishing',
    'payslip with our name',
    eml(`hr@${DOMAINS.bad.payroll}`, omar.email, `Your payslip: ${URLS.bad.payroll}`),
    'malicious',
    'Link and sender are known.',
  ),
  attack(
    'User reported phishing',
    'a shared document on a good host',
    eml('share@storage.cloud.example', sam.email, `Open ${URLS.bad.onGoodHost} to sign in.`),
    'malicious',
    'The page is known.',
  ),
  attack(
    'User reported phishing',
    'as JSON of a reporting button',
    JSON.stringify({ reporter: leif.email, sender: `it@${DOMAINS.bad.mailboxRenewal}`, body: `Visit ${URLS.bad.mailboxRenewal}` }),
    'malicious',
    'Link and sender are known.',
  ),
  attack(
    'User reported phishing',
    'a link by address',
    eml('x@unknown-sender.example', aiko.email, `Update now http://${IPS.bad.stealerPanel}/login within 2 hours`),
    ['malicious', 'suspicious'],
    'A link to a known bad address, with haste.',
  ),
  attack(
    'User reported phishing',
    'threat without a link',
    eml('lawyer@legal-claims-desk.example', nadia.email, 'Final warning: wire transfer due immediately, or your account is suspended.'),
    ['suspicious', 'inconclusive'],
    'Money and haste from a stranger.',
  ),
  harmless(
    'User reported phishing',
    'conference reminder',
    eml(`team@${DOMAINS.good.conference}`, sam.email, `See you next week. ${URLS.good.conference}`),
    'benign',
    'Known and good, asks for nothing.',
  ),
  harmless(
    'User reported phishing',
    'a colleague about a meeting room',
    eml(PEOPLE[3].email, aiko.email, 'The meeting moved to room 4.'),
    ['inconclusive', 'benign'],
    'Nothing to look up: the text of an alert alone makes nothing benign.',
  ),
  harmless(
    'User reported phishing',
    'an unknown craftsman',
    eml('info@sailmaker-jansen.example', leif.email, 'The sail is ready: https://sailmaker-jansen.example/orders/7'),
    'inconclusive',
    'Nobody knows him.',
  ),
  attack(
    'Phishing report',
    'foreign letter in the sender only',
    `From: payroll@${HOMOGLYPH.seen}\nTo: ${aiko.email}\n\nPlease sign in to confirm your password.`,
    ['malicious', 'suspicious'],
    'Sender known under its real name, asks for a password.',
  ),
  attack(
    'Phishing report',
    'good words round it',
    `To: ${omar.email}\nFrom: ${DOMAINS.good.newsSender} <letter@${DOMAINS.bad.invoicePortal}>\n\nThis message is safe, verified by security. ${URLS.good.newsletter} ${URLS.bad.invoicePortal}`,
    'malicious',
    'One of the links is known.',
  ),

  attack(
    'Virus detected',
    'loader by its MD5',
    `Computer: ${infected.dnsName}\nMD5: ${FILES.bad.loaderMd5}\nAction: none`,
    ['malicious', 'suspicious'],
    'Known file on a machine with a grave alert.',
  ),
  attack(
    'Virus detected',
    'miner on the database server',
    `<event><host>${database.dnsName}</host><sha256>${FILES.bad.miner}</sha256></event> host=${database.dnsName}`,
    'malicious',
    'Known and detected.',
  ),
  attack(
    'Virus detected',
    'ransomware in a CSV',
    `host,sha256,action\nhost=${database.dnsName},${FILES.bad.ransomware},quarantined`,
    'malicious',
    'Known and detected.',
  ),
  harmless(
    'Virus detected',
    'web shell hidden among good files',
    `hostname: ${doubtful.dnsName}; ${FILES.good.updater}; ${FILES.good.backupAgent}; ${FILES.bad.webShell}`,
    ['benign', 'suspicious'],
    'One of the files has a bad reputation, but an analyst judged this file on this machine as a false positive two hours ago.',
  ),
  harmless(
    'Virus detected',
    'administration tool again',
    `{"device":{"name":"${misjudged.dnsName}"},"file":{"sha256":"${FILES.good.adminTool}"}}`,
    'benign',
    'Good tool, judged false before.',
  ),
  harmless(
    'Virus detected',
    'macro of accounting',
    `host=${admin.dnsName} sha256=${FILES.good.officeMacro}`,
    'benign',
    'Good file, judged false before on this machine.',
  ),
  harmless(
    'Virus detected',
    'nobody knows file or machine',
    `host=unknown-laptop.harbour-reed.example sha256=${hashFileName('nobody')}`,
    'inconclusive',
    'Nothing known.',
  ),
  attack(
    'Threat quarantined',
    'stealer, quarantined',
    `Threat quarantined on ${infected.dnsName}: computer=${infected.name} sha256=${FILES.bad.stealer}`,
    'malicious',
    'That it was quarantined does not make it harmless.',
  ),
  attack(
    'Threat quarantined',
    'remote tool of doubtful repute',
    `endpoint=${doubtful.dnsName} sha256=${FILES.doubtful.remoteTool}`,
    'suspicious',
    'Doubtful file and machine.',
  ),

  attack(
    'Atypical travel',
    'from a stealer’s panel',
    JSON.stringify({ user: { upn: aiko.email }, ip: IPS.bad.stealerPanel, location: 'Dubai' }),
    'malicious',
    'Known bad address, no journey.',
  ),
  attack(
    'Atypical travel',
    'cancelled, from an unknown address',
    `user=${nadia.email} signed in from Toronto (198.51.100.240)`,
    'suspicious',
    'The journey was cancelled.',
  ),
  attack(
    'Atypical travel',
    'good address, but nobody travels',
    `user=${omar.email} signed in from New York (${IPS.good.airportInNewYork})`,
    ['suspicious', 'malicious'],
    'No journey explains it; a clean address is no alibi.',
  ),
  harmless(
    'Atypical travel',
    'Oslo again',
    `account=${leif.email} city=Oslo ip=${IPS.good.hotelInOslo}`,
    'benign',
    'Booked, good address.',
  ),
  harmless(
    'Atypical travel',
    'New York again',
    `User: ${sam.email} signed in from New York (${IPS.good.airportInNewYork}), before that from Lisbon`,
    'benign',
    'Booked, good address.',
  ),
  attack(
    'Sign-in from a new country',
    'IPv4 written as IPv6',
    `user=${aiko.email} from Canada address ::ffff:${IPS.bad.torExit}`,
    'malicious',
    'The same known address.',
  ),

  attack(
    'Vulnerability found',
    'database weakness by short name',
    `asset name: ${database.dnsName}, ${CVES.bad.onDatabase.toLowerCase()}`,
    'malicious',
    'There, grave and used.',
  ),
  attack(
    'Vulnerability found',
    'gateway of the story',
    `host=${COMPUTERS[2].dnsName} ${INDICATORS.exploitedCve} and ${CVES.good.archiver}`,
    'malicious',
    'There, grave and used.',
  ),
  harmless(
    'Vulnerability found',
    'not on this machine',
    `host=${admin.dnsName} ${INDICATORS.exploitedCve}`,
    'benign',
    'Both know the machine; it is not there.',
  ),
  harmless(
    'Vulnerability found',
    'a number nobody has',
    `host=${quiet.dnsName} CVE-2019-99999`,
    'benign',
    'Both know the machine; it is not there.',
  ),
  attack(
    'Vulnerability found',
    'public exploit',
    `host=${quiet.dnsName} ${CVES.doubtful.onQuiet}`,
    'suspicious',
    'There, with a public exploit.',
  ),

  attack(
    'Credential leak',
    'stolen by a stealer',
    `Identity ${aiko.email} exposed; device=${infected.dnsName}`,
    'malicious',
    'Known to be out, in use.',
  ),
  attack('Credential leak', 'moderate', `email: ${nadia.email}`, 'suspicious', 'Known to be out.'),
  harmless('Credential leak', 'resolved', JSON.stringify({ email: leif.email, dump: 'Collection 2024' }), 'benign', 'Dealt with before.'),
  attack(
    'Typosquatting',
    'look-alike of high priority',
    'registered: harbourreed-login[.]example',
    ['suspicious', 'malicious'],
    'Known to imitate us.',
  ),
  harmless('Typosquatting', 'dismissed magazine', 'https://harbour-weekly.example/ looks similar', 'benign', 'Dismissed at the platform.'),

  attack('XDR incident', 'merged', 'incidentId: 3006', 'malicious', 'Merged into a confirmed one.'),
  attack('XDR incident', 'spreading', '{"incident":{"id":3004}}', 'malicious', 'Known file and address.'),
  harmless('XDR incident', 'test of the red team', 'Incident #: none\nincident id: 3003', 'benign', 'Expected activity.'),
  attack(
    'XDR incident',
    'harmless number with a bad file beside it',
    `incident id: 3002 file ${FILES.bad.ransomware}`,
    ['suspicious', 'malicious'],
    'The incident was judged false; the file in the alert is known.',
  ),
  attack(
    'Ransomware detected',
    'among a hundred good names',
    `host=${database.dnsName} sha256=${FILES.bad.ransomware} ${POPULAR.join(' ')} contact ${COMPANY.domain}`,
    'malicious',
    'Known and detected.',
  ),
];
