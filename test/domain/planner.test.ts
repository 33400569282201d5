import { describe, expect, it } from 'vitest';
import { catalogue } from '../../activities/connectors/catalogue.js';
import { answeringSkills, type Catalogue } from '../../activities/connectors/define.js';
import { holds, proofOf, valuesAt } from '../../domain/answer.js';
import { categoriesOf } from '../../domain/category.js';
import { planFor } from '../../domain/planner.js';
import { type AskStep, Plan } from '../../domain/playbook.js';

const SKILLS = answeringSkills(catalogue);
const asksOf = (alertType: string): AskStep[] => planFor(alertType, SKILLS).steps.filter((step) => step.do === 'ask');

describe('a plan', () => {
  it.each(['Odd sign-in', 'Something never seen', 'Malware detected', 't'.repeat(200), '"quoted" <b>'])(
    'for %s is valid and always the same',
    (type) => {
      const plan = planFor(type, SKILLS);
      expect(Plan.parse(plan)).toEqual(plan);
      expect(planFor(type, SKILLS)).toEqual(plan);
    },
  );

  it('asks only reads that exist, with inputs that their contract knows', () => {
    const contracts: Catalogue = catalogue;
    for (const step of asksOf('Something never seen')) {
      const [connector = '', verb = ''] = step.skill.split('.');
      const contract = contracts[connector]?.skills[verb];
      expect(contract?.effect, step.skill).toBe('read');
      expect(Object.keys(contract?.input.shape ?? {}), step.id).toEqual(expect.arrayContaining(Object.keys(step.input)));
    }
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
    for (const { each } of asks) if (each.of === 'answer') expect(ids).toContain(each.step);
  });
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
  });
});
