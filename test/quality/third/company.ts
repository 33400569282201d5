import { createHash } from 'node:crypto';
import type { Computer, Person } from '../../../connectors/kit/stand-in/company.js';
import type { Place } from '../../../connectors/travel-booking/stand-in.js';

/** Medivara, a French maker of laboratory instruments with plants in Kraków, Valencia, Freiburg and Osaka. */
export const MEDIVARA = {
  name: 'Medivara Instruments',
  domain: 'medivara.example',
  directory: 'lab.medivara.example',
  netbios: 'MDV',
} as const;

const HOUR_MS = 3_600_000;
/** The time of a fact or an event, in the form of most third parties. */
export const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** Returns a digest that is the same in every run and matches no real file. */
export function digest(name: string, algorithm: 'sha256' | 'sha1' | 'md5' = 'sha256'): string {
  return createHash(algorithm).update(`medivara quality set: ${name}`).digest('hex');
}

export function toGuid(name: string): string {
  return digest(name, 'md5').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** All computers and people of the set, so that every third party knows each of them. */
export const COMPUTERS: Computer[] = [];
export const STAFF: Person[] = [];

/** Names follow the plant and the inventory number: `lyo-pc7731`. */
export function computer(name: string, user: string, os = 'Windows11'): Computer {
  const n = COMPUTERS.length;
  const added: Computer = {
    machineId: digest(name, 'sha1'),
    connectorGuid: toGuid(name),
    name,
    dnsName: `${name}.${MEDIVARA.directory}`,
    internalIp: `172.22.${10 + Math.floor(n / 200)}.${20 + (n % 200)}`,
    externalIp: '192.0.2.201',
    user,
    os,
  };
  COMPUTERS.push(added);
  return added;
}

/** Accounts are the family name and an initial: `wojcik.a`. */
export function person(familyName: string, givenName: string, office = 'Lyon'): Person {
  const ascii = (text: string) => text.replaceAll('ł', 'l').normalize('NFD').replace(/[^\w]/g, '').toLowerCase();
  const account = `${ascii(familyName)}.${ascii(givenName).slice(0, 1)}`;
  const added: Person = {
    id: toGuid(account),
    account,
    email: `${account}@${MEDIVARA.domain}`,
    givenName,
    familyName,
    office,
    isAdmin: false,
  };
  STAFF.push(added);
  return added;
}

const place = (country: string, city: string, airportCode: string): Place => ({ country, state: '', city, airportCode });
export const PLACES = {
  lyon: place('France', 'Lyon', 'LYS'),
  krakow: place('Poland', 'Kraków', 'KRK'),
  osaka: place('Japan', 'Osaka', 'KIX'),
  boston: place('United States', 'Boston', 'BOS'),
  nairobi: place('Kenya', 'Nairobi', 'NBO'),
  lima: place('Peru', 'Lima', 'LIM'),
} as const;
