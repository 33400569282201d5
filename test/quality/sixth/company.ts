import { createCompany, place, toAscii } from '../company/company.js';

export const PLACES = {
  saoPaulo: place('Brazil', 'São Paulo', 'GRU'),
  recife: place('Brazil', 'Recife', 'REC'),
  lisbon: place('Portugal', 'Lisbon', 'LIS'),
  montevideo: place('Uruguay', 'Montevideo', 'MVD'),
  madrid: place('Spain', 'Madrid', 'MAD'),
  zurich: place('Switzerland', 'Zurich', 'ZRH'),
  bogota: place('Colombia', 'Bogotá', 'BOG'),
  panama: place('Panama', 'Panama City', 'PTY'),
  toronto: place('Canada', 'Toronto', 'YYZ'),
  mumbai: place('India', 'Mumbai', 'BOM'),
} as const;

/** A Brazilian insurer with offices in Recife, Lisbon and Montevideo. */
export const IPE_ROXO = createCompany({
  name: 'Ipê Roxo Seguros',
  domain: 'iperoxo.example',
  directory: 'corp.iperoxo.example',
  netbios: 'IPEROXO',
  home: PLACES.saoPaulo,
  network: '10.77',
  externalIp: '203.0.113.200',
});

export const { computer, digest, endpointAlertId, toGuid } = IPE_ROXO;

/**
 * The account is the initial and the family name, the mail address is the full name, and the travel platform knows the sign-in
 * name and the employee number.
 */
export function person(givenName: string, familyName: string, office = 'São Paulo') {
  const account = `${toAscii(givenName).slice(0, 1)}${toAscii(familyName)}`;
  const upn = `${account}@${IPE_ROXO.profile.directory}`;
  return IPE_ROXO.employee({
    account,
    givenName,
    familyName,
    office,
    email: `${toAscii(givenName)}.${toAscii(familyName)}@${IPE_ROXO.profile.domain}`,
    upn,
    travelName: upn,
    employeeNumber: String(7_104_000 + 37 * IPE_ROXO.people.length),
  });
}
