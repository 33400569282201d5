import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../connectors/catalogue.js';
import { type Catalogue, plannableSkills } from '../../../connectors/kit/define.js';
import { CATEGORIES, chooseSeverityForType, findCategories } from '../../../domain/alert/category.js';
import { type ConditionFacts, findProof, holds, readAlertFacts, valuesAt } from '../../../domain/playbook/conditions.js';
import { checkPlan } from '../../../domain/playbook/plan-check.js';
import { type PlannableSkill, planFor, type SkillQuestion } from '../../../domain/playbook/planner.js';
import { type AskStep, Plan, type ProposeStep } from '../../../domain/playbook/playbook.js';

const SKILLS = plannableSkills(catalogue);
const listAsks = (alertType: string): AskStep[] => planFor(alertType, SKILLS).steps.filter((step) => step.do === 'ask');
const listProposals = (alertType: string): ProposeStep[] => planFor(alertType, SKILLS).steps.filter((step) => step.do === 'propose');
const facts = (places: readonly string[] = []): ConditionFacts => ({
  places,
  at: Date.parse('2026-01-15T12:00:00Z') / 1000,
  text: '',
  entities: [],
});
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

  it('asks about the page that a leak was found on', () => {
    const ask = listAsks('Secret in a public repository').find(({ id }) => id === 'threat-intelligence-get-playbook-alerts-url');
    expect(ask?.input['entities']).toEqual({ take: 'item-in-list', prefix: 'url:' });
    const leak = (status: string) => ({ items: [{ category: 'code_repo_leakage', status }] });
    const prove = (status: string) => findProof(ask?.proves ?? [], leak(status), facts())?.proof.fact;
    expect([prove('New'), prove('InProgress'), prove('Dismissed')]).toEqual([
      'exposed-credential',
      'exposed-credential',
      'confirmed-benign',
    ]);
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
    asks: ['threat-intelligence-get-playbook-alerts-domain', 'threat-intelligence-get-enrichment-url', 'travel-booking-get-users-email'],
    leavesOut: ['travel-booking-search-user-travel-email', 'vulnerability-investigation-search-vulnerabilities-of-asset-host'],
    proposes: ['endpoint-detection-create-indicator-url'],
  },
  {
    type: 'Malware detected',
    asks: ['malware-protection-list-computers-host', 'malware-protection-retrieve-events-of-malware-protection-list-computers-host'],
    leavesOut: ['travel-booking-search-user-travel-email', 'travel-booking-get-users-email'],
    proposes: [
      'endpoint-detection-isolate-machine-of-endpoint-detection-list-machines-host',
      'endpoint-detection-create-indicator-file-sha256',
    ],
  },
  {
    type: 'Impossible travel',
    asks: ['travel-booking-search-user-travel-email', 'travel-booking-get-users-email'],
    leavesOut: ['endpoint-detection-list-machines-vulnerabilities-cve'],
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
    leavesOut: ['travel-booking-get-users-email', 'travel-booking-search-user-travel-email'],
    proposes: ['endpoint-detection-create-indicator-ip-address'],
  },
  {
    type: 'Data exfiltration',
    asks: ['endpoint-detection-list-machines-ip', 'travel-booking-get-users-email', 'threat-intelligence-get-playbook-alerts-email'],
    leavesOut: ['travel-booking-search-user-travel-email'],
    proposes: ['endpoint-detection-create-indicator-domain-name'],
  },
  {
    type: 'Ransomware note found',
    asks: ['endpoint-detection-list-machines-ip', 'malware-protection-list-computers-host'],
    leavesOut: ['travel-booking-search-user-travel-email', 'travel-booking-get-users-email'],
    proposes: ['endpoint-detection-isolate-machine-of-endpoint-detection-get-machine-machine-id'],
  },
  {
    type: 'C2 beacon',
    asks: ['endpoint-detection-list-machines-ip', 'endpoint-detection-run-advanced-query-of-threat-intelligence-get-enrichment-domain'],
    leavesOut: ['travel-booking-search-user-travel-email', 'travel-booking-get-users-email'],
    proposes: [
      'endpoint-detection-isolate-machine-of-endpoint-detection-list-machines-host',
      'endpoint-detection-create-indicator-domain-name',
    ],
  },
  {
    type: 'Insider: after-hours access',
    asks: ['travel-booking-search-user-travel-email', 'travel-booking-get-users-email'],
    leavesOut: ['vulnerability-investigation-search-vulnerabilities-of-asset-host'],
    proposes: [],
  },
  {
    type: 'Azure role assignment',
    asks: ['travel-booking-get-users-email', 'endpoint-detection-list-machine-logon-users-of-endpoint-detection-list-machines-host'],
    leavesOut: ['travel-booking-search-user-travel-email'],
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
    expect(planFor('Malware detected', writes).steps.map((step) => step.do)).toEqual([
      'extract-indicators',
      'search-records',
      'correlate',
      'summarise',
    ]);
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
    expect(findProof(proves, answer, facts())?.proof.says).toBe('middle');
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
    expect(findProof(proves, together, facts())?.proof.says).toBe('both');
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
    expect(there('every-alert-place', ['from', 'to'])).toBe(true);
  });

  it('is compared with the places of an encoded mail', () => {
    const content = 'Content-Transfer-Encoding: quoted-printable\n\ncidade: Bogot=C3=A1';
    const read = readAlertFacts({ createdAt: 0, createdAtSource: null, content }, []);
    expect(holds({ path: 'to', is: 'alert-place' }, { to: 'Bogotá' }, read)).toBe(true);
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
  /** The skill says where the trip leads at the time of the alert. */
  const trip = (places: object[], destinations: object[], cancelled = false) => ({ places, destinations, cancelled });
  const there = trip([LISBON, FRANKFURT, SINGAPORE], [FRANKFURT, SINGAPORE]);
  const factOf = (trips: object[], places: readonly string[], cut: string | null = null) =>
    findProof(proves, { trips, cut }, facts(places))?.proof.fact;

  it.each([
    ['the destination', ['singapore']],
    ['the origin and the destination', ['lisbon', 'singapore']],
    ['a stopover', ['frankfurt']],
  ])('explains a sign-in from %s', (_, places) => {
    expect(factOf([there], places)).toBe('trip-explains');
  });

  it.each([
    ['another place', [there], ['lagos']],
    ['the destination and another place', [there], ['singapore', 'lagos']],
    ['only the origin', [there], ['lisbon']],
    ['the destination of a cancelled trip', [trip([LISBON, SINGAPORE], [SINGAPORE], true)], ['singapore']],
    ['a place where the trip leads at another time', [trip([LISBON, FRANKFURT, SINGAPORE], [FRANKFURT])], ['singapore']],
    ['any place, if there is no trip', [], ['singapore']],
  ])('does not explain a sign-in from %s', (_, trips, places) => {
    expect(factOf(trips, places)).toBe('no-trip');
  });

  it('says nothing about an alert without a place, or if the list of trips is incomplete', () => {
    expect(factOf([there], [])).toBeUndefined();
    expect(factOf([], [])).toBeUndefined();
    expect(factOf([], ['lagos'], 'The list was cut.')).toBeUndefined();
  });

  it('counts against a sign-in only: a missing trip says nothing about other alerts', () => {
    const insider = listAsks('Insider: after-hours access').find(({ skill }) => skill === 'travelBooking.searchUserTravel');
    expect(insider?.proves.map(({ fact }) => fact)).toEqual(['trip-explains']);
    for (const type of ['Reported phishing', 'Malware detected', 'Azure role assignment'])
      expect(listAsks(type).map(({ skill }) => skill)).not.toContain('travelBooking.searchUserTravel');
  });
});

/** Small connectors, so that the hops are easy to count. */
describe('the hops of a plan', () => {
  const question = (given: Partial<SkillQuestion> & Pick<SkillQuestion, 'about'>): SkillQuestion => ({
    input: { value: { take: 'item' } },
    proves: [],
    shows: [],
    why: 'Because it may know something.',
    ...given,
  });
  const skill = (name: string, ...questions: SkillQuestion[]): PlannableSkill => ({ skill: name, questions, remedies: [] });
  const asksOf = (...skills: PlannableSkill[]) => planFor('Anything', skills).steps.filter((step) => step.do === 'ask');

  const toMachine = question({ about: 'ip', leadsTo: [{ kind: 'machine-id', path: 'id' }] });
  const toUser = question({ about: 'machine-id', leadsTo: [{ kind: 'user', path: 'users[].name' }] });
  const toHost = question({ about: 'user', leadsTo: [{ kind: 'host', path: 'hosts[]' }] });

  it('lead from an entity to what its answers found, at most two hops away', () => {
    const asks = asksOf(
      skill('one.findMachine', toMachine),
      skill('one.listUsers', toUser),
      skill('two.readUser', toHost),
      skill('two.readHost', question({ about: 'host' })),
    );
    expect(asks.map(({ id }) => id)).toEqual([
      'one-find-machine-ip',
      'one-list-users-machine-id',
      'two-read-user-user',
      'two-read-host-host',
      'one-list-users-of-one-find-machine-ip',
      'two-read-user-of-one-list-users-machine-id',
      'two-read-host-of-two-read-user-user',
      'two-read-user-of-one-list-users-of-one-find-machine-ip',
      'two-read-host-of-two-read-user-of-one-list-users-machine-id',
    ]);
    expect(asks[4]?.each).toEqual({ of: 'answer', step: 'one-find-machine-ip', path: 'id', atMost: 5 });
  });

  it('leave out a question that does not follow hops', () => {
    const asks = asksOf(skill('one.findMachine', toMachine), skill('one.listUsers', { ...toUser, followsHops: false }));
    expect(asks.map(({ id }) => id)).toEqual(['one-find-machine-ip', 'one-list-users-machine-id']);
  });

  it('lead from a skill to itself only for what replaced the entity, such as the incident that it was merged into', () => {
    const merged = skill('one.readIncident', question({ about: 'incident-id', leadsTo: [{ kind: 'incident-id', path: 'mergedInto' }] }));
    expect(asksOf(merged).map(({ id }) => id)).toEqual([
      'one-read-incident-incident-id',
      'one-read-incident-of-one-read-incident-incident-id',
    ]);
    const computers = skill('one.find', question({ about: 'ip', leadsTo: [{ kind: 'host', path: 'name' }] }), question({ about: 'host' }));
    expect(asksOf(computers).map(({ id }) => id)).toEqual(['one-find-ip', 'one-find-host']);
  });

  it('ask about every kind of value that one answer holds, each in a step of its own', () => {
    const leadsTo = [
      { kind: 'ip', path: 'addresses[]' },
      { kind: 'hash', path: 'files[].sha256' },
      { kind: 'ip', path: 'gateway' },
    ] as const;
    const hops = asksOf(
      skill('one.readAlert', question({ about: 'alert-id', leadsTo: [...leadsTo] })),
      skill('two.rate', question({ about: 'ip' }), question({ about: 'hash' })),
    ).filter(({ each }) => each.of === 'answer');
    expect(hops.map(({ id, each }) => `${id} ${each.of === 'answer' ? each.path : ''}`)).toEqual([
      'two-rate-of-one-read-alert-alert-id addresses[]',
      'two-rate-of-one-read-alert-alert-id-2 gateway',
      'two-rate-of-one-read-alert-alert-id-3 files[].sha256',
    ]);
  });

  it('keep the limits of the question: which values, and how many', () => {
    const [, , hop] = asksOf(
      skill('one.readAlert', question({ about: 'alert-id', leadsTo: [{ kind: 'ip', path: 'addresses[]' }] })),
      skill('two.rate', question({ about: 'ip', only: 'public', atMost: 3 })),
    );
    expect(hop?.each).toEqual({ of: 'answer', step: 'one-read-alert-alert-id', path: 'addresses[]', only: 'public', atMost: 3 });
  });

  it.each([[], ...CATEGORIES.map((category) => [category])].map((categories) => ({ categories, name: categories[0] ?? 'no category' })))(
    'make no step twice and stay within the limit of steps for $name',
    ({ categories }) => {
      const plan = planFor('Anything', SKILLS, categories);
      expect(Plan.parse(plan).steps.length).toBeLessThanOrEqual(120);
      const asks = plan.steps.filter((step) => step.do === 'ask');
      expect(new Set(asks.map(({ id }) => id)).size).toBe(asks.length);
      const asked = asks.map(({ skill: name, each, input }) => JSON.stringify([name, each, input]));
      expect(asked.filter((each, index) => asked.indexOf(each) !== index)).toEqual([]);
    },
  );

  it('never send a private address to a third party that must not learn it', () => {
    const asks = listAsks('Something never seen').filter(({ input }) => input['kind']?.take === 'value' && input['kind'].value === 'ip');
    expect(asks.length).toBeGreaterThan(1);
    expect(asks.map(({ each }) => each.only)).toEqual(asks.map(() => 'public'));
  });
});
