import { COMPUTERS, INDICATORS, PEOPLE } from '../../../connectors/kit/stand-in/company.js';
import { attack, harmless } from '../labelled.js';
import { ESTATE, STAFF } from '../truth/estate.js';
import { CVES, DOMAINS } from '../truth/reputation.js';

const VULNERABLE = 'Vulnerable host';
const CRITICAL = 'Critical vulnerability detected';
const LEAKED = 'Leaked credential';
const BRAND = 'Brand impersonation';
const { quiet, doubtful, database, misjudged } = ESTATE;

export const exposure = [
  attack(
    VULNERABLE,
    'exploited, grave and there',
    `host=${database.dnsName} has ${CVES.bad.onDatabase} in database-server 2.0`,
    'malicious',
    'The weakness is there, is grave, and is used by attackers.',
  ),
  attack(
    CRITICAL,
    'the gateway of the story, as JSON',
    JSON.stringify({ asset: { hostname: COMPUTERS[2].dnsName }, vulnerability: { cve: INDICATORS.exploitedCve.toLowerCase(), cvss: 10 } }),
    'malicious',
    'The weakness is there, is grave, and is used by attackers.',
  ),
  attack(
    VULNERABLE,
    'no host named, but one has it',
    `${CVES.bad.onDatabase} was found in the estate`,
    'malicious',
    'One of our machines has it.',
  ),
  attack(
    VULNERABLE,
    'a proof of concept is out',
    `host=${quiet.dnsName} cve=${CVES.doubtful.onQuiet} product=viewer`,
    'suspicious',
    'There, grave, with a public exploit, but nobody is known to use it.',
  ),
  harmless(
    VULNERABLE,
    'scanner mistakes the machine',
    `host=${misjudged.dnsName} has ${CVES.bad.onDatabase}`,
    'benign',
    'Both platforms know the machine, and neither finds it there.',
  ),
  harmless(
    CRITICAL,
    'said to be critical, used by nobody',
    `host=${doubtful.dnsName} has ${CVES.good.printing} in print-spooler 2.0`,
    ['benign', 'inconclusive'],
    'There, small, and no exploit.',
  ),
  harmless(VULNERABLE, 'no weakness named', `host=${quiet.dnsName} is missing patches`, 'inconclusive', 'Nothing to look up.'),
  harmless(
    VULNERABLE,
    'a computer nobody knows',
    `host=printer-77.harbour-reed.example has ${CVES.bad.onDatabase}`,
    'inconclusive',
    'Neither platform knows it.',
  ),
  attack(
    LEAKED,
    'sold by a stealer',
    `${STAFF.aiko.email} was seen in stealer logs; host=${ESTATE.infected.dnsName}`,
    'malicious',
    'Known to be out, taken by malware, the account is in use.',
  ),
  attack(
    LEAKED,
    'out, of moderate priority',
    JSON.stringify({ identity: STAFF.nadia.email, source: 'paste site' }),
    'suspicious',
    'Known to be out; nothing says that it was used.',
  ),
  harmless(LEAKED, 'dealt with before', `${STAFF.leif.email} appears in a collection of 2024`, 'benign', 'Resolved at the platform.'),
  harmless(
    LEAKED,
    'nobody knows of it',
    `${STAFF.omar.email} appears in "Collection 9"`,
    'inconclusive',
    'The platform knows of no such leak.',
  ),
  harmless(LEAKED, 'nobody is named', 'A credential of your organization was observed for sale.', 'inconclusive', 'Nothing to look up.'),
  attack(
    BRAND,
    'a look-alike that is ready to be used',
    'harbourreed-login.example was registered and has a mail server',
    ['suspicious', 'malicious'],
    'Known to imitate us, high priority.',
  ),
  attack(
    BRAND,
    'a look-alike that is known for phishing',
    `New domain: ${DOMAINS.bad.payroll}`,
    ['suspicious', 'malicious'],
    'Known malicious.',
  ),
  harmless(BRAND, 'a magazine with a similar name', 'harbour-weekly.example resembles your brand', 'benign', 'Dismissed at the platform.'),
  attack(
    BRAND,
    'the story: one letter differs',
    'harbour-read.example looks like harbour-reed.example',
    ['suspicious', 'malicious'],
    'Known to imitate us.',
  ),
  harmless(BRAND, 'a domain nobody knows', 'harbor-and-read-books.example resembles your brand', 'inconclusive', 'Unknown to everybody.'),
  attack(
    LEAKED,
    'the story: Dana',
    `${PEOPLE[0].email} was seen in stealer logs; host=${COMPUTERS[0].dnsName}`,
    'malicious',
    'Known to be out and in use.',
  ),
];
