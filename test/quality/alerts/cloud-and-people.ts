import { attack, harmless } from '../labelled.js';
import { ESTATE, STAFF } from '../truth/estate.js';
import { DOMAINS, FILES, IPS, URLS } from '../truth/reputation.js';

const CLOUD = 'Suspicious cloud role assignment';
const INSIDER = 'Insider: unusual access after hours';
const UNHEARD = 'Frobnicator drift';
const { infected, quiet, doubtful } = ESTATE;

export const cloudAndPeople = [
  attack(
    CLOUD,
    'owner rights from a Tor exit',
    JSON.stringify({ operationName: 'roleAssignments/write', caller: STAFF.aiko.email, callerIpAddress: IPS.bad.torExit, role: 'Owner' }),
    ['malicious', 'suspicious'],
    'Known bad address gives itself rights.',
  ),
  attack(
    CLOUD,
    'keys used by a stealer’s panel',
    `AWS IAM access key created by ${STAFF.nadia.account} from ${IPS.bad.stealerPanel}; callback ${DOMAINS.bad.commandServer}`,
    'malicious',
    'Address and name are known.',
  ),
  harmless(
    CLOUD,
    'the pipeline gives itself a role',
    `caller=deploy-bot callerIpAddress=${IPS.good.cloud} role=Reader`,
    ['inconclusive', 'benign'],
    'A good address by one source alone.',
  ),
  harmless(CLOUD, 'no address at all', 'Role "Contributor" was assigned to group "Developers".', 'inconclusive', 'Nothing to look up.'),
  attack(
    INSIDER,
    'with a tool of the trade',
    `user=${STAFF.aiko.email} host=${infected.dnsName} read 4,000 records, tool digest ${FILES.bad.stealer}`,
    'malicious',
    'Known stealer on a machine at high risk.',
  ),
  attack(
    INSIDER,
    'at night on a machine of medium risk, to a doubtful share',
    `user=${STAFF.nadia.email} device=${doubtful.dnsName} copied payroll to ${URLS.doubtful.shortLink}`,
    'suspicious',
    'Doubtful on every side, proven on none.',
  ),
  harmless(
    INSIDER,
    'jet lag',
    `user=${STAFF.sam.email} opened the archive at 03:10 from ${IPS.good.airportInNewYork}`,
    ['benign', 'inconclusive'],
    'She is in New York, and the address is good.',
  ),
  harmless(INSIDER, 'somebody works late', `user=${STAFF.omar.account} badge at 23:10`, 'inconclusive', 'Nothing is known.'),
  attack(
    UNHEARD,
    'a type nobody has described, with known indicators',
    `${infected.dnsName} drifted; ${FILES.bad.loader}; ${URLS.bad.payroll}`,
    'malicious',
    'File, link and machine are known.',
  ),
  harmless(
    UNHEARD,
    'a type nobody has described, all good',
    `host=${quiet.dnsName} drifted after ${URLS.good.updates} (${IPS.good.updates}) installed ${FILES.good.updater}`,
    'benign',
    'Everything is known and good.',
  ),
  harmless(UNHEARD, 'a type nobody has described, nothing named', 'The frobnicator drifted by 4 %.', 'inconclusive', 'Nothing to look up.'),
  attack(
    UNHEARD,
    'an unknown file hidden behind good names',
    `host=${quiet.dnsName} ran 5d41402abc4b2a76b9719d911017c592aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa and asked ${DOMAINS.good.cdn}, ${DOMAINS.good.identity}`,
    'inconclusive',
    'Good names say nothing about a file that nobody knows.',
  ),
  attack(UNHEARD, 'incident of the source in passing', 'see incident id: 3001', ['malicious', 'suspicious'], 'A confirmed incident.'),
];
