import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvestigationStatus } from '../../domain/alert/alert.js';
import { startTestService } from '../support/service.js';

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function investigate(alertType: string, content: string) {
  const { alert_id } = await service.sendAlert({ alert_type: alertType, alert_content: content });
  const alert = await service.waitForStatus(alert_id, InvestigationStatus.Completed);
  const { evidence } = await service.readCase(alert_id);
  return { alert, notes: new Map(evidence.map(({ title, reason }) => [title, reason])) };
}

it('states on the alert and on the case why a playbook investigates an alert', async () => {
  const [declared, byCategory, byRule, generated] = await Promise.all([
    investigate('Malware detected', 'host: lab-01'),
    investigate('Malware detected on host', 'host: lab-02'),
    investigate('Security alert', JSON.stringify({ rule: { name: 'Trojan found by antivirus' }, severity: 'High', mitre: ['T1204.002'] })),
    investigate('Security alert', JSON.stringify({ rule: { name: 'Something else' } })),
  ]);
  expect(declared.alert).toMatchObject({ playbook: 'Malware on a host', playbook_reason: 'The playbook declares this alert type.' });
  expect(declared.notes.has('Playbook chosen')).toBe(false);

  const inCategory = 'The alert type belongs to the category malware.';
  expect(byCategory.alert).toMatchObject({ playbook: 'Malware on a host', playbook_reason: inCategory });
  expect(byCategory.notes.get('Playbook chosen')).toBe(inCategory);

  expect(byRule.alert).toMatchObject({
    playbook: 'Malware on a host',
    playbook_reason: 'The rule that the alert names belongs to the category malware.',
  });
  expect(byRule.notes.get('Stated in the alert')).toBe('rule: Trojan found by antivirus; severity: high; techniques: T1204.002');

  expect(generated.alert).toMatchObject({ playbook: 'Security alert', playbook_reason: expect.stringContaining('a generated plan') });
});

it('finds the category of an alert whose type says nothing in its content', async () => {
  const content = (tactic: string) => JSON.stringify({ rule: { name: 'Rule 17' }, threat: [{ tactic: { name: tactic } }] });
  const lateral = await investigate('Elastic alert', content('Lateral Movement'));
  const credential = await investigate('Elastic alert', content('Credential Access'));
  for (const { alert } of [lateral, credential]) expect(alert.playbook).toBe('Elastic alert');
  expect(lateral.notes.get('Playbook chosen')).toContain('"Lateral movement alerts"');
  expect(credential.notes.get('Playbook chosen')).toContain('"Credential access alerts"');
  const { body } = await service.request<{ items: { name: string; plan_of: { name: string } | null; runs: { counted: number } }[] }>(
    'GET',
    '/platformapi/playbooks?limit=200',
  );
  const find = (name: string) => body.items.find((each) => each.name === name);
  // The plan that the first alert needed; both ask every question.
  expect(find('Elastic alert')).toMatchObject({ plan_of: { name: 'Lateral movement alerts' }, runs: { counted: 2 } });
  expect(find('Lateral movement alerts')).toMatchObject({ plan_of: null, runs: { counted: 2 } });
});

it('states the roles of the entities', async () => {
  const { alert } = await investigate('Security alert', 'src=192.0.2.7 dst=203.0.113.7 user=kim.ode');
  expect((await service.request('GET', `/platformapi/alerts/${alert.alert_id}`)).body).toMatchObject({
    entities: [
      { kind: 'ip', value: '192.0.2.7', role: 'source' },
      { kind: 'ip', value: '203.0.113.7', role: 'destination' },
      { kind: 'user', value: 'kim.ode' },
    ],
  });
});
