import { describe, expect, it } from 'vitest';
import { placesIn } from '../../../domain/playbook/place.js';

describe('the places that an alert names', () => {
  it.each([
    ['signed in from Singapore', ['singapore']],
    ['from Singapore, then from Lisbon and from Singapore again', ['singapore', 'lisbon']],
    ['user=dana city=Porto Alegre country=Brazil', ['porto alegre', 'brazil']],
    ['{"location": "Kuala Lumpur"}', ['kuala lumpur']],
    ['| City | Nairobi |', ['nairobi']],
    ['**Location:** Osaka', ['osaka']],
    ['LOCATION: Oslo', ['oslo']],
    ['Anmeldung aus München, Ort: Kiel', ['münchen', 'kiel']],
    ['Connexion depuis Montréal, pays : Canada', ['montréal', 'canada']],
    ['Inicio de sesión desde Bogotá, ciudad: Lima', ['bogotá', 'lima']],
    ['Cidade: São Paulo', ['são paulo']],
    ['Luogo: Torino', ['torino']],
    ['Miasto: Łódź', ['łódź']],
    ['Место: Казань', ['казань']],
    ['A cidade foi registrada, no país India.', ['india']],
    ['||cidade|{{Mumbai}}|', ['mumbai']],
    ['都市はLima', ['lima']],
    ['城市：Shanghai', ['shanghai']],
  ])('%s', (content, places) => {
    expect(placesIn(content)).toEqual(places);
  });

  it.each([
    'signed in from 203.0.113.7',
    'from: dana@corp.example',
    'mail from the director',
    'It came from a machine',
    'platform Windows',
    'velocity=High',
    '',
  ])('are none in: %s', (content) => {
    expect(placesIn(content)).toEqual([]);
  });

  it('are found in limited time in a hostile text', () => {
    const before = process.cpuUsage().user;
    for (const text of ['from '.repeat(50_000), `from ${'A'.repeat(200_000)}`, 'city=Aa '.repeat(20_000), 'from Aaa Bbb '.repeat(20_000)])
      placesIn(text);
    expect(process.cpuUsage().user - before).toBeLessThan(3_000_000);
  });
});
