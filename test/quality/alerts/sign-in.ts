import { PEOPLE } from '../../../connectors/kit/stand-in/company.js';
import { attack, harmless } from '../labelled.js';
import { ESTATE, STAFF } from '../truth/estate.js';
import { IPS } from '../truth/reputation.js';

const TRAVEL = 'Impossible travel';
const ANOMALOUS = 'Anomalous sign-in';
const BRUTE = 'Brute force sign-in attempts';
const { aiko, leif, sam, nadia, omar } = STAFF;
const [, RUI] = PEOPLE;

export const signIn = [
  attack(
    TRAVEL,
    'from a Tor exit, nobody travels',
    `user=${aiko.email} signed in from Toronto (${IPS.bad.torExit}) one hour after a sign-in from Rotterdam`,
    'malicious',
    'Known bad address, no journey.',
  ),
  attack(
    TRAVEL,
    'the journey was cancelled',
    JSON.stringify({ userPrincipalName: nadia.email, ipAddress: IPS.bad.torExit, location: 'Toronto', previousLocation: 'Lisbon' }),
    'malicious',
    'The booked journey does not take place, and the address is known bad.',
  ),
  attack(
    TRAVEL,
    'the journey was last month',
    `user=${omar.email} signed in from Dubai (${IPS.doubtful.vpnExit}), twenty minutes after Rotterdam`,
    ['suspicious', 'malicious'],
    'Nothing explains it now, and the address is doubtful.',
  ),
  attack(
    TRAVEL,
    'from somewhere else than where he is booked',
    `user=${leif.email} signed in from Dubai (198.51.100.201)`,
    'suspicious',
    'He is in Oslo; nobody knows the address.',
  ),
  attack(
    TRAVEL,
    'on a journey, but at a known bad address',
    `user=${sam.email} signed in from New York (${IPS.bad.torExit})`,
    ['suspicious', 'malicious'],
    'The journey explains the place, not the address.',
  ),
  harmless(
    TRAVEL,
    'he is in Oslo',
    `user=${leif.email} signed in from Oslo (${IPS.good.hotelInOslo}) two hours after a sign-in from Rotterdam`,
    'benign',
    'Booked, and the address is good.',
  ),
  harmless(
    TRAVEL,
    'she wrote of New York in JSON',
    JSON.stringify({
      user: sam.email,
      ip: IPS.good.airportInNewYork,
      city: 'New York',
      country: 'United States',
      previous: { city: 'Lisbon' },
    }),
    'benign',
    'Booked, and the address is good.',
  ),
  harmless(
    TRAVEL,
    'the demo: Rui in Singapore',
    `user=${RUI.email} signed in from Singapore (192.0.2.10) two hours after a sign-in from ${RUI.office}`,
    'benign',
    'Booked, and the address is good.',
  ),
  harmless(
    TRAVEL,
    'a hotel nobody knows, on a booked journey',
    `user=${leif.email} signed in from Oslo (198.51.100.222)`,
    ['benign', 'inconclusive'],
    'Booked; nobody knows the address.',
  ),
  attack(
    ANOMALOUS,
    'IPv6 command server',
    `User: ${aiko.email}\nAddress: ${IPS.bad.commandServerV6}\nCountry: Canada\nApp: mail`,
    'malicious',
    'Known bad address, no journey.',
  ),
  attack(
    ANOMALOUS,
    'from a machine that is not theirs',
    `user=${omar.email} host=${ESTATE.quiet.dnsName} signed in from Lisbon (198.51.100.210)`,
    ['suspicious', 'malicious'],
    'No journey, and the machine is somebody else’s.',
  ),
  harmless(
    ANOMALOUS,
    'no person and no place',
    'A sign-in with unfamiliar properties was observed. Details are in the portal.',
    'inconclusive',
    'Nothing to look up.',
  ),
  attack(
    BRUTE,
    'a password sprayer',
    `src=${IPS.bad.passwordSprayer} user=${aiko.email} failures=412 then success`,
    ['malicious', 'suspicious'],
    'Known bad address.',
  ),
  attack(
    BRUTE,
    'a scanner of doubtful repute',
    JSON.stringify({ source: { ip: IPS.doubtful.scanner }, user: { email: omar.email }, failures: 33, success: false }),
    'suspicious',
    'A doubtful address tries an account, and no journey explains it.',
  ),
  harmless(
    BRUTE,
    'an expired password at the hotel',
    `user=${leif.email} src=${IPS.good.hotelInOslo} failures=12 reason=password expired`,
    ['benign', 'inconclusive'],
    'Good address, the person travels.',
  ),
  attack(
    BRUTE,
    'from Dubai, while he is in Oslo',
    `user=${leif.email} src=${IPS.good.cloud} location=Dubai failures=57 then success`,
    ['suspicious', 'inconclusive'],
    'He travels, but not to there: a good address alone makes nothing benign.',
  ),
  harmless(
    BRUTE,
    'a new phone in Oslo',
    `user=${leif.email} src=${IPS.good.hotelInOslo} location=Oslo failures=6 then success`,
    'benign',
    'Booked to where it happened, and the address is good.',
  ),
  harmless(
    BRUTE,
    'a service account that fails',
    'account=svc-backup failures=51 src=10.20.1.5 reason=expired',
    'inconclusive',
    'An address of our own and a service.',
  ),
];
