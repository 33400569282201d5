import { expect, it } from 'vitest';
import { CARDS } from '../../../connectors/skill-index.js';
import { makeCard } from '../../../domain/alert/entity-cards.js';
import { entityPage } from '../../../domain/case/entity-page.js';
import { cutSnippet } from '../../../domain/search/search.js';
import { SkillKey } from '../../../domain/skill-key.js';

it('writes any value into the address of its page', () => {
  const page = new URL(entityPage({ kind: 'url', value: 'https://a.example/?x=1&y=%20#z' }, 'DEMO'), 'https://service.example');
  expect(page.pathname).toBe('/entity');
  expect(Object.fromEntries(page.searchParams)).toEqual({ kind: 'url', value: 'https://a.example/?x=1&y=%20#z', organization: 'DEMO' });
});

function cardOf(skill: string, output: unknown) {
  const rule = CARDS.get(SkillKey.parse(skill));
  if (!rule) throw new Error(`${skill} has no card.`);
  return makeCard(rule, { ...answer, output });
}

const answer = {
  result_id: '0190f8d2-0000-7000-8000-000000000000',
  connection: 'main',
  skill_id: 'Search',
  skill_key: SkillKey.parse('search'),
  at: 1,
};

it('shows trips with their places', () => {
  const trips = [
    { name: 'Fair', start_date: '2026-11-01', places: [{ city: 'Riga' }, { city: null }, { city: 'Oslo' }, { city: 'Riga' }] },
  ];
  expect(cardOf('travelBooking.searchUserTravel', { trips })).toMatchObject({
    card: 'trips',
    entries: [
      {
        title: 'Fair',
        fields: [
          { name: 'From', value: '2026-11-01' },
          { name: 'Places', value: 'Riga, Oslo' },
        ],
      },
    ],
  });
});

it.each([null, 'text', [], { items: 'text' }, { items: [null, 3] }, {}])('makes no entry of an answer of another form: %j', (output) => {
  const card = cardOf('endpointDetection.listMachines', output);
  expect(card?.entries ?? []).toEqual([]);
});

it('cuts a long text around the first match, on one line', () => {
  const snippet = cutSnippet(`${'before '.repeat(100)}\n\nNeedle${' after'.repeat(100)}`, ['needle']);
  expect(snippet).toMatch(/^….*before Needle after.*…$/);
  expect(snippet.length).toBeLessThanOrEqual(162);
  expect(cutSnippet('short', ['absent'])).toBe('short');
});
