import { describe, expect, it } from 'vitest';
import { catalogue } from '../../activities/connectors/catalogue.js';
import { type Catalogue, plannableSkills } from '../../activities/connectors/define.js';
import { holds, proofOf, valuesAt } from '../../domain/answer.js';
import { categoriesOf, severityOfType } from '../../domain/category.js';
import { checkPlan } from '../../domain/plan-check.js';
import { planFor } from '../../domain/planner.js';
import { type AskStep, Plan, type ProposeStep } from '../../domain/playbook.js';

const SKILLS = plannableSkills(catalogue);
const asksOf = (alertType: string): AskStep[] => planFor(alertType, SKILLS).steps.filter((step) => step.do === 'ask');
const proposalsOf = (alertType: string): ProposeStep[] => planFor(alertType, SKILLS).steps.filter((step) => step.do === 'propose');
const contracts: Catalogue = catalogue;
const contractOf = (name: string) => {
  const [connector = '', verb = ''] = name.split('.');
  return contracts[connector]?.skills[verb] ?? null;
};

describe('a plan', () => {
  it.each(['Odd sign-in', 'Something never seen', 'Malware detected', 't'.repeat(200), '"quoted" <b>'])(
    'for %s is valid and always the same',
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
  ])('for %s stands the check that an edited one has to stand', (type) => {
    expect(checkPlan(planFor(type, SKILLS), contractOf)).toEqual([]);
  });

  it('says why each step is taken and speaks of kinds, never of an alert’s values', () => {
    for (const step of planFor('Malware detected', SKILLS).steps) expect(step.why.length).toBeGreaterThan(20);
  });

  it('asks everything where nobody knows the type, and what fits where somebody does', () => {
    const everything = asksOf('Something never seen').map((step) => step.skill);
    expect(new Set(everything.map((skill) => skill.split('.')[0])).size).toBe(6);
    const vulnerability = asksOf('Vulnerable host').map((step) => step.skill);
    expect(vulnerability).toContain('vulnerabilityInvestigation.searchVulnerabilitiesOfAsset');
    expect(vulnerability).not.toContain('travelBooking.searchUserTravel');
    expect(asksOf('Impossible travel').map((step) => step.skill)).toContain('travelBooking.searchUserTravel');
  });

  it('has ids that are unique and dependencies that are there', () => {
    const asks = asksOf('Something never seen');
    const ids = asks.map((step) => step.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [place, { each }] of asks.entries()) if (each.of === 'answer') expect(ids.slice(0, place)).toContain(each.step);
  });
});

/** What each category adds to a plan, and what it leaves out that a type nobody knows is asked. */
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
  it('asks what such an alert needs, and not what it does not', () => {
    const ids = asksOf(type).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(asks));
    expect(ids.filter((id) => leavesOut.includes(id))).toEqual([]);
    const everything = asksOf('Something never seen').map(({ id }) => id);
    expect(everything).toEqual(expect.arrayContaining([...asks, ...leavesOut]));
    expect(ids.length).toBeLessThan(everything.length);
  });

  it('proposes what would help, and only where the machine is the danger to cut it off', () => {
    const ids = proposalsOf(type).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(proposes));
    expect(ids.some((id) => id.includes('isolate'))).toBe(proposes.some((id) => id.includes('isolate')));
  });
});

describe('a proposal', () => {
  it('of a block is for what is known to be malicious itself, from a malicious verdict', () => {
    const blocks = proposalsOf('Something never seen').filter(({ skill }) => skill === 'endpointDetection.createIndicator');
    expect(blocks.map(({ input }) => input['indicator_type'])).toContainEqual({ take: 'value', value: 'FileSha256' });
    for (const { from, each } of blocks) {
      expect(from).toBe('malicious');
      expect(each.of === 'answer' ? each.when : []).toContainEqual({ path: 'score', is: 'at-least', value: 65 });
    }
  });

  it('of an isolation comes once a machine, on suspicion where it is ransomware', () => {
    const isolations = (type: string) => proposalsOf(type).filter(({ skill }) => skill === 'endpointDetection.isolateMachine');
    expect(isolations('Malware detected').map(({ from }) => from)).toEqual(['malicious', 'malicious']);
    expect(isolations('Ransomware: malware on a host').map(({ from }) => from)).toEqual(['suspicious', 'suspicious']);
    expect(isolations('Something never seen')).toEqual([]);
  });

  it('is left out where nothing is asked that it could be about', () => {
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
])('%s is urgent: %s', (alertType, severity) => {
  expect(severityOfType(alertType)).toBe(severity);
});

it.each([
  ['Impossible travel', ['sign-in']],
  ['Reported phishing', ['phishing']],
  ['Ransomware note found', ['ransomware']],
  ['Leaked credential', ['leaked-credential']],
  ['Quarterly report', []],
])('%s is of the categories %j', (alertType, categories) => {
  expect(categoriesOf(alertType)).toEqual(categories);
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
  ])('is read at %s', (path, values) => {
    expect(valuesAt(answer, path)).toEqual(values);
  });

  it('is judged by the first proof that holds', () => {
    const proves = [
      { when: [{ path: 'score', is: 'at-least' as const, value: 90 }], points: 50, says: 'high', techniques: [] },
      { when: [{ path: 'score', is: 'at-least' as const, value: 60 }], points: 40, says: 'middle', techniques: [] },
      { when: [{ path: 'found', is: 'true' as const }], points: 1, says: 'low', techniques: [] },
    ];
    expect(proofOf(proves, answer)?.says).toBe('middle');
    expect(proofOf(proves, {})).toBeNull();
    expect(holds({ path: 'items[].risk', is: 'equals', value: 'high' }, answer)).toBe(true);
    expect(holds({ path: 'none[].x', is: 'absent' }, answer)).toBe(true);
    expect(holds({ path: 'items[].risk', is: 'has-length', value: 4 }, answer)).toBe(true);
    expect(holds({ path: 'items[].risk', is: 'has-length', value: 64 }, answer)).toBe(false);
  });
});
