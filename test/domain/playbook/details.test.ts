import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../connectors/catalogue.js';
import { plannableSkills } from '../../../connectors/kit/define.js';
import type { EntityKind } from '../../../domain/entity/entity.js';
import { isDetailWanted, listDetailSteps } from '../../../domain/playbook/details.js';
import { planFor } from '../../../domain/playbook/planner.js';
import type { AskStep } from '../../../domain/playbook/playbook.js';
import type { EvidenceDraft } from '../../../domain/verdict/evidence.js';
import { FACT_RULES, type FactName } from '../../../domain/verdict/fact.js';

const plan = planFor('Anything', plannableSkills(catalogue));
const details = listDetailSteps(plan);
const asks = plan.steps.filter((step) => step.do === 'ask');
const findAsk = (skill: string): AskStep => asks.find((step) => step.skill === skill) ?? expect.fail(`no step asks ${skill}`);

const finding = (name: FactName, at: number | null = null): EvidenceDraft => ({
  step: name,
  kind: 'finding',
  source: null,
  title: FACT_RULES[name].says,
  points: FACT_RULES[name].points,
  reason: '',
  techniques: [],
  fact: { name, at, about: ['x'] },
});
const malicious = [finding('malicious-reputation'), finding('contact')];

describe('details', () => {
  it('are questions without points that lead nowhere, and those that only they need', () => {
    const skills = new Set(asks.filter(({ id }) => details.has(id)).map(({ skill }) => skill));
    expect([...skills].sort()).toEqual([
      'endpointDetection.listMachineLogonUsers',
      'endpointDetection.listMachinesVulnerabilities',
      'endpointDetection.listRecommendations',
      // About an account, if the alert is not about a sign-in or a leak.
      'threatIntelligence.getPlaybookAlerts',
    ]);
    // The same skill about a machine and the vulnerability of the alert has points.
    expect(asks.some(({ id, skill }) => skill === 'endpointDetection.listMachinesVulnerabilities' && !details.has(id))).toBe(true);
  });

  it('are wanted while they can change the verdict or the severity', () => {
    const step = findAsk('endpointDetection.listMachineLogonUsers');
    const suspicious = [finding('suspicious-reputation')];
    expect(isDetailWanted(step, suspicious, {})).toBe(true);
    expect(isDetailWanted(step, [...suspicious, finding('important-asset')], {})).toBe(false);
    expect(isDetailWanted(step, [{ ...finding('confirmed-benign', 1), fact: { name: 'confirmed-benign', covers: 'activity' } }], {})).toBe(
      false,
    );
    expect(isDetailWanted(step, [], { sourceSeverity: 'high' })).toBe(false);
  });

  it('are wanted for every attack', () => {
    expect(isDetailWanted(findAsk('endpointDetection.listMachineLogonUsers'), [...malicious, finding('important-asset')], {})).toBe(true);
  });

  it('that have no meaning for the verdict are wanted for alerts that a person handles', () => {
    const step = findAsk('endpointDetection.listRecommendations');
    expect(isDetailWanted(step, malicious, {})).toBe(true);
    expect(isDetailWanted(step, [], {})).toBe(false);
  });

  it('are questions about vulnerabilities if the alert names none', () => {
    const listed = (kinds: EntityKind[]) =>
      asks.filter(({ id }) => listDetailSteps(plan, new Set(kinds)).has(id)).map(({ skill }) => skill);
    const step = findAsk('vulnerabilityInvestigation.searchVulnerabilitiesOfAsset');
    expect(listed(['host'])).toContain(step.skill);
    expect(listed(['host', 'cve'])).not.toContain(step.skill);
    expect(isDetailWanted(step, malicious, {}, new Set(['host']))).toBe(false);
  });
});
