import { createHash } from 'node:crypto';
import type { Computer, Person } from '../../../connectors/kit/stand-in/company.js';
import type { Place } from '../../../connectors/travel-booking/stand-in.js';

export interface Profile {
  readonly name: string;
  readonly domain: string;
  readonly directory: string;
  readonly netbios: string;
  /** Where its trips begin. */
  readonly home: Place;
  /** The first two bytes of its internal addresses. */
  readonly network: string;
  /** The public address of its computers. */
  readonly externalIp: string;
}

/** A person of a company, with the names of the same account in other directories. */
export interface Employee extends Person {
  readonly upn: string;
  /** The name at the travel booking platform. */
  readonly travelName: string;
  readonly employeeNumber?: string;
}

export type NewEmployee = Pick<Employee, 'account' | 'givenName' | 'familyName' | 'office'> &
  Partial<Pick<Employee, 'email' | 'upn' | 'travelName' | 'employeeNumber'>>;

/** A company with all its computers and people, so that every third party knows each of them. */
export type Company = ReturnType<typeof createCompany>;

const HOUR_MS = 3_600_000;
/** The time of a fact or an event, in the form of most third parties. */
export const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

export const place = (country: string, city: string, airportCode: string): Place => ({ country, state: '', city, airportCode });

/** A Latin letter for each letter with an accent, in lower case. */
export const toAscii = (text: string) => text.replaceAll('ł', 'l').normalize('NFD').replace(/[^\w]/g, '').toLowerCase();

export function createCompany(profile: Profile) {
  const computers: Computer[] = [];
  const people: Employee[] = [];
  const seed = profile.domain.split('.')[0];

  /** Returns a digest that is the same in every run and matches no real file. */
  function digest(name: string, algorithm: 'sha256' | 'sha1' | 'md5' = 'sha256'): string {
    return createHash(algorithm).update(`${seed} quality set: ${name}`).digest('hex');
  }

  function toGuid(name: string): string {
    return digest(name, 'md5').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  function endpointAlertId(name: string): string {
    return `da${BigInt(`0x${digest(name).slice(0, 14)}`)}_${BigInt(`0x${digest(name).slice(20, 27)}`)}`;
  }

  function computer(name: string, user: string, os = 'Windows11', more: Partial<Computer> = {}): Computer {
    const n = computers.length;
    const added: Computer = {
      machineId: digest(name, 'sha1'),
      connectorGuid: toGuid(name),
      name,
      dnsName: `${name}.${profile.directory}`,
      internalIp: `${profile.network}.${10 + Math.floor(n / 200)}.${20 + (n % 200)}`,
      externalIp: profile.externalIp,
      user,
      os,
      ...more,
    };
    computers.push(added);
    return added;
  }

  function employee(given: NewEmployee): Employee {
    const email = given.email ?? `${given.account}@${profile.domain}`;
    const added = { upn: email, travelName: given.account, ...given, email, id: toGuid(given.account), isAdmin: false };
    people.push(added);
    return added;
  }

  return { profile, computers, people, digest, toGuid, endpointAlertId, computer, employee };
}
