import { createHash } from 'node:crypto';
import { COMPANY, type Computer, type Person } from '../../../connectors/kit/stand-in/company.js';
import type { Place } from '../../../connectors/travel-booking/stand-in.js';

/** The computers and people of Harbour & Reed that labelled alerts mention in addition to the demo. */

/** Returns a digest that is the same in every run and matches no real file. */
export function hashFileName(file: string, algorithm: 'sha256' | 'sha1' | 'md5' = 'sha256'): string {
  return createHash(algorithm).update(`harbour-reed quality set: ${file}`).digest('hex');
}

function computer(name: string, lastOctet: number, user: string, os = 'Windows11'): Computer {
  return {
    machineId: hashFileName(name, 'sha1'),
    connectorGuid: hashFileName(name, 'md5').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    name,
    dnsName: `${name}.${COMPANY.domain}`,
    internalIp: `10.20.5.${lastOctet}`,
    externalIp: '198.51.100.24',
    user,
    os,
  };
}

export const ESTATE = {
  /** Compromised: severe alerts of the endpoint platform, detections of the agents. */
  infected: computer('hr-ws-031', 31, 'aiko.tan'),
  /** An analyst classified its alerts as false positives. */
  misjudged: computer('hr-ws-040', 40, 'leif.holm'),
  /** No third party has a finding about it. */
  quiet: computer('hr-ws-055', 55, 'sam.okoro'),
  /** Rated at medium risk, with a low alert that is not reviewed. */
  doubtful: computer('hr-ws-062', 62, 'nadia.ferro'),
  database: computer('hr-srv-db', 70, 'joost.bakker', 'WindowsServer2022'),
  admin: computer('hr-ws-admin', 71, 'joost.bakker'),
} as const;

function person(n: number, givenName: string, familyName: string, office: string): Person {
  const account = `${givenName}.${familyName}`.toLowerCase();
  const id = `5b0c2a10-1${String(n).padStart(3, '0')}-4c1e-9d10-000000000000`;
  return { id, account, email: `${account}@${COMPANY.domain}`, givenName, familyName, office, isAdmin: false };
}

export const STAFF = {
  /** Never travels. */
  aiko: person(1, 'Aiko', 'Tan', 'Rotterdam'),
  /** In Oslo this week, by train and ferry. */
  leif: person(2, 'Leif', 'Holm', 'Rotterdam'),
  /** In New York this week. */
  sam: person(3, 'Sam', 'Okoro', 'Lisbon'),
  /** The trip to Toronto was cancelled. */
  nadia: person(4, 'Nadia', 'Ferro', 'Lisbon'),
  /** Travelled to Dubai a month ago. */
  omar: person(5, 'Omar', 'Haddad', 'Rotterdam'),
} as const;

const place = (country: string, city: string, airportCode: string): Place => ({ country, state: '', city, airportCode });
export const PLACES = {
  rotterdam: place('Netherlands', 'Rotterdam', 'RTM'),
  lisbon: place('Portugal', 'Lisbon', 'LIS'),
  oslo: place('Norway', 'Oslo', 'OSL'),
  newYork: place('United States', 'New York', 'JFK'),
  toronto: place('Canada', 'Toronto', 'YYZ'),
  dubai: place('United Arab Emirates', 'Dubai', 'DXB'),
} as const;
