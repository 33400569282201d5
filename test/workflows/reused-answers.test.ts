import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { StandIn } from '../../connectors/kit/stand-in/stand-in.js';
import { threatIntelligence } from '../../connectors/threat-intelligence/contract.js';
import type { ThreatIntelligenceStandInState } from '../../connectors/threat-intelligence/stand-in.js';
import { uuidFloor } from '../../db/ids.js';
import type { CaseDetail } from '../../domain/case/case.js';
import { createOrganization } from '../api/support/records.js';
import { ago, changeSkillResults } from '../support/rows.js';
import type { TestService } from '../support/service.js';
import { createConnection, startWithThirdParties, type WithThirdParties } from '../support/with-third-parties.js';

let started: WithThirdParties;
let service: TestService;
let intelligence: StandIn<ThreatIntelligenceStandInState>;

beforeAll(async () => {
  started = await startWithThirdParties();
  ({ service } = started);
  intelligence = started.thirdParties.standIns.threatIntelligence;
  await connect('DEMO');
});
afterAll(() => started?.stop());
beforeEach(async () => {
  intelligence.requests.length = 0;
  await service.forgetAnswers();
});

const connect = (organizationCode: string) =>
  createConnection(service, {
    ...started.thirdParties.connections.threatIntelligence,
    instance_name: `Intelligence ${organizationCode}`,
    organization_code: organizationCode,
  });

/** Investigates an alert about an indicator that every such alert has. */
async function investigate(organizationCode = 'DEMO'): Promise<CaseDetail> {
  const { alert_id: alertId } = await service.sendAlert({ organization_code: organizationCode, alert_type: 'Testbed enriching' });
  await service.waitForStatus(alertId, 15);
  return service.readCase(alertId);
}

const enrichments = () => intelligence.requests.filter(({ url }) => url.startsWith('/v2/ip/'));
const sourceOf = ({ evidence }: CaseDetail) => evidence.find(({ title }) => title === 'The address is known')?.source;

it('asks once about an indicator of two alerts, and names the age and the alert of the answer', async () => {
  const first = await investigate();
  const second = await investigate();
  expect(enrichments()).toHaveLength(1);
  expect(sourceOf(first)).not.toHaveProperty('reused');
  expect(sourceOf(second)).toMatchObject({ reused: true, result_id: sourceOf(first)?.result_id });
  expect(sourceOf(second)?.asked).toMatchObject({ alert_id: first.evidence[0]?.alert_id, at: sourceOf(first)?.asked?.at });
});

it('uses the answer again after the skill got another title', async () => {
  await investigate();
  await changeSkillResults(service, {}, { skillId: 'Earlier title' });
  expect(sourceOf(await investigate())).toMatchObject({
    reused: true,
    skill_id: 'Get Enrichment',
    skill_key: 'threatIntelligence.getEnrichment',
  });
  expect(enrichments()).toHaveLength(1);
});

it('asks again when the answer is too old', async () => {
  const first = await investigate();
  const { reuseSeconds = 0 } = threatIntelligence.skills.getEnrichment;
  expect(reuseSeconds).toBeGreaterThan(0);
  // The id of a result contains its time.
  const age = (seconds: number) => changeSkillResults(service, { skillId: 'Get Enrichment' }, { resultUuid: uuidFloor(ago({ seconds })) });
  await age(reuseSeconds - 60);
  expect(sourceOf(await investigate())).toMatchObject({ reused: true });
  expect(enrichments()).toHaveLength(1);
  await age(reuseSeconds + 5);
  const later = await investigate();
  expect(enrichments()).toHaveLength(2);
  expect(sourceOf(later)).not.toHaveProperty('reused');
  expect(sourceOf(later)?.result_id).not.toBe(sourceOf(first)?.result_id);
});

it('does not use the answer of another organization', async () => {
  await createOrganization(service, 'OTHER');
  await connect('OTHER');
  await investigate();
  expect(sourceOf(await investigate('OTHER'))).not.toHaveProperty('reused');
  expect(enrichments()).toHaveLength(2);
});
