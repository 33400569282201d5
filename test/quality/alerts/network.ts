import { attack, harmless } from '../labelled.js';
import { ESTATE, STAFF } from '../truth/estate.js';
import { DOMAINS, FILES, IPS, POPULAR, URLS } from '../truth/reputation.js';

const BEACON = 'Beaconing to command and control';
const DNS = 'Suspicious DNS traffic';
const LOSS = 'Data exfiltration over the web';
const { infected, quiet, doubtful, database } = ESTATE;

export const network = [
  attack(
    BEACON,
    'every sixty seconds to a command server',
    `host=${infected.dnsName} dst=${IPS.bad.commandServer} interval=60s jitter=2%`,
    'malicious',
    'Known command server, machine at high risk.',
  ),
  attack(
    BEACON,
    'from a machine that nobody suspects',
    `src_host=${quiet.dnsName} dest_ip=${IPS.bad.commandServer} dest_domain=${DOMAINS.bad.commandServer}`,
    'malicious',
    'Name and address are both known.',
  ),
  attack(
    BEACON,
    'an address alone',
    `connection to ${IPS.bad.commandServer}:443, 1,204 times`,
    ['suspicious', 'malicious'],
    'Known command server; nothing else is named.',
  ),
  attack(
    BEACON,
    'padded with twenty good names',
    `host=${quiet.dnsName} domains: ${POPULAR.slice(0, 20).join(', ')}; dst=${IPS.bad.commandServer}`,
    ['malicious', 'suspicious'],
    'Good names beside a command server prove nothing.',
  ),
  attack(
    BEACON,
    'good names first, the bad one after the cap',
    `host=${quiet.dnsName} asked for ${POPULAR.join(' ')} ${DOMAINS.bad.commandServer}`,
    ['malicious', 'suspicious', 'inconclusive'],
    'More names than are looked up: must not be called harmless.',
  ),
  harmless(
    BEACON,
    'the updater calls home',
    `host=${quiet.dnsName} dst=${IPS.good.updates} domain=${DOMAINS.good.updates} interval=3600s`,
    'benign',
    'Known and good on every side, from a machine nobody has anything against.',
  ),
  harmless(
    BEACON,
    'to somewhere that nobody knows',
    `host=${quiet.dnsName} dst=198.51.100.205 interval=300s`,
    'inconclusive',
    'Nobody knows the address.',
  ),
  attack(
    DNS,
    'names below a command server',
    `host=${infected.dnsName} asked 1,912 times within an hour for names below ${DOMAINS.bad.commandServer}`,
    'malicious',
    'Known command server, machine at high risk.',
  ),
  attack(
    DNS,
    'a dynamic name from a doubtful machine',
    JSON.stringify({ query: DOMAINS.doubtful.dynamic, computer: doubtful.dnsName, count: 88, answers: [IPS.doubtful.scanner] }),
    'suspicious',
    'Name, address and machine are each doubtful.',
  ),
  harmless(
    DNS,
    'the resolver is asked a lot',
    `host=${quiet.dnsName} sent 20,000 queries for ${DOMAINS.good.cdn} to ${IPS.good.resolver}`,
    'benign',
    'All known and good, the machine too.',
  ),
  attack(
    LOSS,
    'two gigabytes to a drop zone',
    `user=${STAFF.aiko.email} host=${infected.dnsName} url=${URLS.bad.dropZone} bytes_out=2147483648`,
    'malicious',
    'Known drop zone, machine at high risk.',
  ),
  attack(
    LOSS,
    'CSV of a proxy',
    `time,user,host,url,bytes\n2026-01-10T10:00:00Z,${STAFF.nadia.account},${doubtful.dnsName},${URLS.bad.dropZone},734003200\n`,
    'malicious',
    'Link and its host are known.',
  ),
  attack(
    LOSS,
    'a sharing service of doubtful repute',
    `user=${STAFF.nadia.email} device=${doubtful.dnsName} uploaded 300 MB to ${URLS.doubtful.shortLink}`,
    'suspicious',
    'Doubtful place, machine of medium risk.',
  ),
  harmless(
    LOSS,
    'the quarterly report to our own storage',
    `user=${STAFF.sam.email} device=${quiet.dnsName} uploaded 300 MB to ${URLS.good.storage} (${IPS.good.cloud})`,
    'benign',
    'Our own storage, known and good, from a machine nobody has anything against.',
  ),
  harmless(
    LOSS,
    'a large upload to an unknown place',
    `user=${STAFF.omar.email} uploaded 1 GB to https://customer-portal-xyz.example/inbox`,
    'inconclusive',
    'Nobody knows the place.',
  ),
  attack(
    LOSS,
    'a good storage beside the drop zone',
    `host=${database.dnsName} first ${URLS.good.storage}, then ${URLS.bad.dropZone}; file digest ${FILES.good.officeMacro}`,
    ['malicious', 'suspicious'],
    'The good ones do not make the bad one good.',
  ),
];
