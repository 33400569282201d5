import { createCompany, place, toAscii } from '../company/company.js';

export const PLACES = {
  lyon: place('France', 'Lyon', 'LYS'),
  krakow: place('Poland', 'Kraków', 'KRK'),
  osaka: place('Japan', 'Osaka', 'KIX'),
  boston: place('United States', 'Boston', 'BOS'),
  nairobi: place('Kenya', 'Nairobi', 'NBO'),
  lima: place('Peru', 'Lima', 'LIM'),
} as const;

/** A French maker of laboratory instruments with plants in Kraków, Valencia, Freiburg and Osaka. */
export const MEDIVARA = createCompany({
  name: 'Medivara Instruments',
  domain: 'medivara.example',
  directory: 'lab.medivara.example',
  netbios: 'MDV',
  home: PLACES.lyon,
  network: '172.22',
  externalIp: '192.0.2.201',
});

/** Names of computers follow the plant and the inventory number: `lyo-pc7731`. */
export const { computer, digest, endpointAlertId, toGuid } = MEDIVARA;

/** Accounts are the family name and an initial: `wojcik.a`. */
export function person(familyName: string, givenName: string, office = 'Lyon') {
  return MEDIVARA.employee({ account: `${toAscii(familyName)}.${toAscii(givenName).slice(0, 1)}`, givenName, familyName, office });
}
