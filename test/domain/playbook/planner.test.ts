import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../activities/connectors/catalogue.js';
import { type Catalogue, plannableSkills } from '../../../activities/connectors/kit/define.js';
import { chooseSeverityForType, findCategories } from '../../../domain/alert/category.js';
import { type ConditionFacts, findProof, holds, valuesAt } from '../../../domain/playbook/conditions.js';
import { checkPlan } from '../../../domain/playbook/plan-check.js';
import { type PlannableSkill, planFor } from '../../../domain/playbook/planner.js';
import { type AskStep, Plan, type ProposeStep } from '../../../domain/playbook/playbook.js';

const SKILLS = plannableSkills(catalogue);
const listAsks = (alertType: string): AskStep[] => planFor(alertType, SKILLS).steps.filter((step) => step.do === 'ask');
const listProposals = (alertType: string): ProposeStep[] => planFor(alertType, SKILLS).steps.filter((step) => step.do === 'propose');
const facts = (places: readonly string[] = []): ConditionFacts => ({ places, at: Date.parse('2026-01-15T12:00:00Z') / 1000 });
const contracts: Catalogue = catalogue;
const requireContract = (name: string) => {
  const [connector = '', verb = ''] = name.split('.');
  return contracts[connector]?.skills[verb] ?? null;
};

describe('a plan', () => {
  it.each(['Odd sign-in', 'Something never seen', 'Malware detected', 't'.repeat(200), '"quoted" <b>'])(
    'for %s is valid and deterministic',
    (type) => {
      const plan = planFor(type, SKILLS);
      expect(Plan.parse(plan)).toEqual(plan);
      expect(planFor(type, SKILLS)).toEqual(plan);
    },
  );

  it.each([
    'Something never seen',
    'Ransomware on a host',
    'Malware',
    'Phishing',
    'Vulnerable host',
    'Data loss',
    'Insider',
    'Leaked password',
    'Odd sign-in',
  ])('for %s passes the validation of edited plans', (type) => {
    expect(checkPlan(planFor(type, SKILLS), requireContract)).toEqual([]);
  });

  it('gives a reason for each step', () => {
    for (const step of planFor('Malware detected', SKILLS).steps) expect(step.why.length).toBeGreaterThan(20);
  });

  it('asks every connector for an unknown type and the relevant ones for a known type', () => {
    const everything = listAsks('Something never seen').map((step) => step.skill);
    expect(new Set(everything.map((skill) => skill.split('.')[0])).size).toBe(6);
    const vulnerability = listAsks('Vulnerable host').map((step) => step.skill);
    expect(vulnerability).toContain('vulnerabilityInvestigation.searchVulnerabilitiesOfAsset');
    expect(vulnerability).not.toContain('travelBooking.searchUserTravel');
    expect(listAsks('Impossible travel').map((step) => step.skill)).toContain('travelBooking.searchUserTravel');
  });

  it('has unique ids and refers only to earlier steps', () => {
    const asks = listAsks('Something never seen');
    const ids = asks.map((step) => step.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [place, { each }] of asks.entries()) if (each.of === 'answer') expect(ids.slice(0, place)).toContain(each.step);
  });
});

/** The steps that each category adds, and the steps of an unknown type that it omits. */
describe.each([
  {
    type: 'Reported phishing',
    asks: ['threat-intelligence-list-alerts-domain', 'endpoint-detection-list-indicators-url'],
    leavesOut: ['travel-booking-search-user-travel-email', 'malware-protection-list-computers-host'],
    proposes: ['endpoint-detection-create-indicator-url'],
  },
  {
    type: 'Malware detected',
    asks: ['malware-protection-list-computers-host', 'malware-protection-retrieve-events-of-malware-protection-list-computers-host'],
    leavesOut: ['travel-booking-search-user-travel-email', 'threat-intelligence-list-alerts-domain'],
    proposes: [
      'endpoint-detection-isolate-machine-of-endpoint-detection-list-machines-host',
      'endpoint-detection-create-indicator-file-sha256',
    ],
  },
  {
    type: 'Impossible travel',
    asks: ['travel-booking-search-user-travel-email', 'travel-booking-get-users-email'],
    leavesOut: ['malware-protection-list-computers-host', 'endpoint-detection-list-indicators-url'],
    proposes: ['endpoint-detection-create-indicator-ip-address'],
  },
  {
    type: 'Anomalous sign-in',
    asks: [
      'travel-booking-search-user-travel-email',
      'endpoint-detection-list-machine-logon-users-of-endpoint-detection-list-machines-host',
    ],
    leavesOut: ['vulnerability-investigation-search-vulnerabilities-of-asset-host'],
    proposes: ['endpoint-detection-create-indicator-ip-address'],
  },
  {
    type: 'Vulnerable host',
    asks: [
      'endpoint-detection-list-machines-vulnerabilities-cve',
      'endpoint-detection-list-recommendations-of-endpoint-detection-list-machines-vulnerabilities-cve',
      'vulnerability-investigation-search-vulnerabilities-of-asset-host',
    ],
    leavesOut: ['travel-booking-get-users-email', 'malware-protection-list-computers-host'],
    proposes: ['endpoint-detection-create-indicator-ip-address'],
  },
  {
    type: 'Data exfiltration',
    asks: ['endpoint-detection-list-machines-ip', 'travel-booking-get-users-email', 'threat-intelligence-list-alerts-email'],
    leavesOut: ['travel-booking-search-user-travel-email', 'endpoint-detection-list-indicators-url'],
    proposes: ['endpoint-detection-create-indicator-domain-name'],
  },
  {
    type: 'Ransomware note found',
    asks: ['endpoint-detection-list-machines-ip', 'malware-protection-list-computers-host'],
    leavesOut: ['travel-booking-search-user-travel-email', 'threat-intelligence-list-alerts-domain'],
    proposes: ['endpoint-detection-isolate-machine-of-endpoint-detection-get-machine-machine-id'],
  },
  {
    type: 'C2 beacon',
    asks: ['endpoint-detection-list-machines-ip', 'endpoint-detection-list-indicators-domain'],
    leavesOut: ['travel-booking-search-user-travel-email', 'travel-booking-get-users-email'],
    proposes: [
      'endpoint-detection-isolate-machine-of-endpoint-detection-list-machines-host',
      'endpoint-detection-create-indicator-domain-name',
    ],
  },
  {
    type: 'Insider: after-hours access',
    asks: ['travel-booking-search-user-travel-email', 'travel-booking-get-users-email'],
    leavesOut: ['vulnerability-investigation-search-vulnerabilities-of-asset-host', 'endpoint-detection-list-indicators-url'],
    proposes: [],
  },
  {
    type: 'Azure role assignment',
    asks: ['travel-booking-get-users-email', 'endpoint-detection-list-machine-logon-users-of-endpoint-detection-list-machines-host'],
    leavesOut: ['malware-protection-list-computers-host', 'travel-booking-search-user-travel-email'],
    proposes: [],
  },
])('the plan for $type', ({ type, asks, leavesOut, proposes }) => {
  it('asks the relevant skills and omits the others', () => {
    const ids = listAsks(type).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(asks));
    expect(ids.filter((id) => leavesOut.includes(id))).toEqual([]);
    const everything = listAsks('Something never seen').map(({ id }) => id);
    expect(everything).toEqual(expect.arrayContaining([...asks, ...leavesOut]));
    expect(ids.length).toBeLessThan(everything.length);
  });

  it('proposes the relevant actions, and isolation only when the device is the threat', () => {
    const ids = listProposals(type).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(proposes));
    expect(ids.some((id) => id.includes('isolate'))).toBe(proposes.some((id) => id.includes('isolate')));
  });
});

describe('a proposal', () => {
  it('to block an indicator requires a high score and a malicious verdict', () => {
    const blocks = listProposals('Something never seen').filter(({ skill }) => skill === 'endpointDetection.createIndicator');
    expect(blocks.map(({ input }) => input['indicator_type'])).toContainEqual({ take: 'value', value: 'FileSha256' });
    for (const { from, each } of blocks) {
      expect(from).toBe('malicious');
      expect(each.of === 'answer' ? each.when : []).toContainEqual({ path: 'score', is: 'at-least', value: 65 });
    }
  });

  it('uses every connector with the required capability', () => {
    const provider = (skill: string, path: string): PlannableSkill => ({
      skill,
      questions: [
        { about: 'ip', input: {}, proves: [], shows: [], provides: { reputation: { indicator: path, score: 'risk' } }, why: 'Reputation.' },
      ],
      remedies: [],
    });
    const block: PlannableSkill = {
      skill: 'firewall.block',
      questions: [],
      remedies: [
        {
          about: { capability: 'reputation', of: 'ip', take: 'indicator', when: [{ fact: 'score', is: 'at-least', value: 65 }] },
          name: 'address',
          input: {},
          from: 'malicious',
          why: 'Blocks it.',
        },
      ],
    };
    const steps = planFor('Anything', [provider('one.rate', 'address'), provider('two.rate', 'ip'), block]).steps;
    expect(steps.flatMap((step) => (step.do === 'propose' ? [{ id: step.id, each: step.each }] : []))).toEqual([
      {
        id: 'firewall-block-address',
        each: { of: 'answer', step: 'one-rate-ip', path: 'address', when: [{ path: 'risk', is: 'at-least', value: 65 }], atMost: 5 },
      },
      {
        id: 'firewall-block-address-of-two-rate-ip',
        each: { of: 'answer', step: 'two-rate-ip', path: 'ip', when: [{ path: 'risk', is: 'at-least', value: 65 }], atMost: 5 },
      },
    ]);
    expect(planFor('Anything', [block]).steps.some((step) => step.do === 'propose')).toBe(false);
  });

  it('to isolate a device requires a malicious verdict, or a suspicious one for ransomware', () => {
    const isolations = (type: string) => listProposals(type).filter(({ skill }) => skill === 'endpointDetection.isolateMachine');
    expect(isolations('Malware detected').map(({ from }) => from)).toEqual(['malicious', 'malicious']);
    expect(isolations('Ransomware: malware on a host').map(({ from }) => from)).toEqual(['suspicious', 'suspicious']);
    expect(isolations('Something never seen')).toEqual([]);
  });

  it('is omitted without an ask step as its source', () => {
    const writes = SKILLS.map((skill) => ({ ...skill, questions: [] }));
    expect(planFor('Malware detected', writes).steps.map((step) => step.do)).toEqual(['extract-indicators', 'correlate', 'summarise']);
  });
});

it.each([
  ['Ransomware and malware', 'critical'],
  ['Malware detected', 'high'],
  ['Leaked credential', 'high'],
  ['Reported phishing', 'medium'],
  ['Quarterly report', null],
])('%s has the severity %s', (alertType, severity) => {
  expect(chooseSeverityForType(alertType)).toBe(severity);
});

it.each([
  ['Impossible travel', ['sign-in']],
  ['Reported phishing', ['phishing']],
  ['Ransomware note found', ['ransomware']],
  ['Leaked credential', ['leaked-credential']],
  ['Quarterly report', []],
])('%s has the categories %j', (alertType, categories) => {
  expect(findCategories(alertType)).toEqual(categories);
});

describe('an answer', () => {
  const answer = { score: 89, found: true, items: [{ risk: 'High', tags: ['a', 'b'] }, { risk: null }], none: [] };

  it.each([
    ['score', [89]],
    ['items[].risk', ['High']],
    ['items[].tags[]', ['a', 'b']],
    ['none[].x', []],
    ['missing.deep', []],
    ['__proto__.x', []],
    ['constructor', []],
  ])('has the values at %s', (path, values) => {
    expect(valuesAt(answer, path)).toEqual(values);
  });

  it('is scored by the first proof that matches', () => {
    const proves = [
      { when: [{ path: 'score', is: 'at-least' as const, value: 90 }], points: 50, says: 'high', techniques: [] },
      { when: [{ path: 'score', is: 'at-least' as const, value: 60 }], points: 40, says: 'middle', techniques: [] },
      { when: [{ path: 'found', is: 'true' as const }], points: 1, says: 'low', techniques: [] },
    ];
    expect(findProof(proves, answer, facts())?.says).toBe('middle');
    expect(findProof(proves, {}, facts())).toBeNull();
    expect(holds({ path: 'items[].risk', is: 'equals', value: 'high' }, answer, facts())).toBe(true);
    expect(holds({ path: 'none[].x', is: 'absent' }, answer, facts())).toBe(true);
    expect(holds({ path: 'items[].risk', is: 'has-length', value: 4 }, answer, facts())).toBe(true);
    expect(holds({ path: 'items[].risk', is: 'has-length', value: 64 }, answer, facts())).toBe(false);
  });

  it('matches a list proof only when one item meets all conditions', () => {
    const when = [
      { path: 'risk', is: 'equals' as const, value: 'high' },
      { path: 'isOpen', is: 'true' as const },
    ];
    const apart = { items: [{ risk: 'High' }, { isOpen: true }] };
    const together = { items: [{ risk: 'Low' }, { risk: 'High', isOpen: true }] };
    const proves = [{ inOne: 'items[]', when, points: 1, says: 'both', techniques: [] }];
    expect(findProof(proves, apart, facts())).toBeNull();
    expect(findProof(proves, together, facts())?.says).toBe('both');
  });

  it('is compared with the places in the alert, by name or by whole place', () => {
    const booking = { from: { city: 'Lisbon', country: 'Portugal', state: null }, to: 'Singapore' };
    const there = (is: 'alert-place' | 'every-alert-place', path: string | string[], ...places: string[]) =>
      holds({ path, is }, booking, facts(places));
    expect(there('alert-place', 'to', 'singapore')).toBe(true);
    expect(there('alert-place', 'from', 'lagos', 'portugal')).toBe(true);
    expect(there('alert-place', ['from', 'to'], 'lagos')).toBe(false);
    expect(there('every-alert-place', ['from', 'to'], 'singapore', 'lisbon')).toBe(true);
    expect(there('every-alert-place', 'to', 'singapore', 'lisbon')).toBe(false);
    expect(there('alert-place', ['from', 'to'])).toBe(false);
    expect(there('every-alert-place', ['from', 'to'])).toBe(false);
  });

  it('is compared with the time of the alert, with one day of tolerance for time zones', () => {
    const begun = (date: unknown) => holds({ path: 'date', is: 'by-alert-time' }, { date }, facts());
    expect(['2026-01-14', '2026-01-15', '2026-01-16', '2026-01-17', 'soon', 5].map(begun)).toEqual([true, true, true, false, false, false]);
  });
});

/** Scores bookings with the plan for a sign-in. */
describe('a booked trip', () => {
  const { proves } = listAsks('Odd sign-in').find(({ skill }) => skill === 'travelBooking.searchUserTravel') ?? expect.fail('not asked');
  const place = (city: string, country: string) => ({ city, country, state: null, airport_code: null });
  const [LISBON, FRANKFURT, SINGAPORE] = [place('Lisbon', 'Portugal'), place('Frankfurt', 'Germany'), place('Singapore', 'Singapore')];
  const flight = (origin: object, destination: object, start_date: string, more: object = {}) => ({
    cancelled: false,
    start_date,
    origin,
    destination,
    segments: [],
    ...more,
  });
  const out = flight(LISBON, SINGAPORE, '2026-01-13', {
    segments: [
      { departure: LISBON, arrival: FRANKFURT },
      { departure: FRANKFURT, arrival: SINGAPORE },
    ],
  });
  const back = flight(SINGAPORE, LISBON, '2026-01-18');
  const trip = (...bookings: object[]) => ({ start_date: '2026-01-13', cancelled: false, bookings });
  const scoreTrips = (trips: object[], ...places: string[]) => findProof(proves, { trips }, facts(places))?.points;

  it.each([
    ['the destination', ['singapore']],
    ['the origin and the destination', ['lisbon', 'singapore']],
    ['a stopover', ['frankfurt']],
  ])('lowers the score of a sign-in from %s', (_, places) => {
    expect(scoreTrips([trip(out, back)], ...places)).toBe(-35);
  });

  it.each([
    ['another place', [trip(out, back)], ['lagos']],
    ['the destination and another place', [trip(out, back)], ['singapore', 'lagos']],
    ['only the origin', [trip(out, back)], ['lisbon']],
    ['an unnamed place', [trip(out, back)], []],
    ['the destination of a cancelled flight', [trip({ ...out, cancelled: true }, flight(LISBON, FRANKFURT, '2026-01-13'))], ['singapore']],
    ['the destination of a later flight', [trip(flight(LISBON, SINGAPORE, '2026-01-17'))], ['singapore']],
  ])('does not change the score for a sign-in from %s', (_, trips, places) => {
    expect(scoreTrips(trips, ...places)).toBe(0);
    expect(findProof(proves, { trips }, facts(places))?.says).toContain('do not lead to the places');
  });

  it('raises the score of a sign-in when it is missing', () => {
    expect(scoreTrips([], 'singapore')).toBe(20);
  });
});
