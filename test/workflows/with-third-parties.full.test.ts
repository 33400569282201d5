import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPUTERS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { STORY_ALERTS } from '../../local/demo/story-alerts.js';
import * as playbooks from '../../workflows/playbooks/index.js';
import { expectVerdict, onRealWorker, type RealWorker } from '../support/playbook-kit.js';
import { replayAll } from '../support/service.js';

let real: RealWorker;

beforeAll(async () => {
  real = await onRealWorker();
  // Mila's password was changed long ago, so the intelligence platform has closed its alert.
  const { playbookAlerts } = real.thirdParties.standIns.threatIntelligence.state;
  const [known] = playbookAlerts;
  const entity = `email:${PEOPLE[4].email}`;
  if (known) playbookAlerts.push({ ...known, playbook_alert_id: 'task:dealt-with', status: 'Resolved', title: PEOPLE[4].email, entity });
});
afterAll(() => real?.stop());

describe.each(STORY_ALERTS)('$playbook, through the whole service', ({ playbook, malicious, benign }) => {
  it('concludes malicious for the malicious alert, with evidence of third parties', async () => {
    const result = await real.investigate(malicious);
    expectVerdict(result, 'malicious');
    expect(result.opened.playbook).toBe(Reflect.get(playbooks, playbook).definition.title);
    expect(result.evidence.filter(({ kind }) => kind === 'gap')).toEqual([]);
    const [answered] = result.evidence.filter(({ kind, source }) => kind === 'finding' && source !== null);
    expect(answered?.source).toMatchObject({ connection: expect.stringContaining('main '), result_id: expect.any(String) });
  });

  it('concludes benign for the similar benign alert', async () => {
    const result = await real.investigate(benign);
    expectVerdict(result, 'benign');
    expect(result.opened.playbook).toBe(Reflect.get(playbooks, playbook).definition.title);
  });
});

it('finds the machines of an account that the alert names without a machine', async () => {
  const { account } = PEOPLE[0];
  const result = await real.investigate({
    type: 'Suspicious inbox rule',
    content: `user=${account} created a rule that deletes all mails`,
  });
  const machine = COMPUTERS[0].dnsName;
  const found = result.evidence.find(({ step }) => step.startsWith('endpoint-detection-run-advanced-query-user'));
  expect(found).toMatchObject({ kind: 'note', source: { connection: 'main endpoint-detection' } });
  expect(found?.reason).toContain(machine);
  expect(result.evidence.filter(({ title }) => title.toLowerCase().includes(machine)).map(({ source }) => source?.connection)).toContain(
    'main malware-protection',
  );
  // The name of a machine, not its id.
  expect(result.evidence.find(({ title }) => title.startsWith('Malware detected and removed'))?.title).toContain(machine);
});

it('leaves histories that replay, and sends no write to a third party', async () => {
  expect(await replayAll(real.service)).toBeGreaterThanOrEqual(2 * STORY_ALERTS.length);
  expect(real.thirdParties.standIns.endpointDetection.state.actions).toEqual([]);
});
