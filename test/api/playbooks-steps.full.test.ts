import { expect, it, onTestFinished } from 'vitest';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';
import { createConnection, startWithThirdParties } from '../support/with-third-parties.js';
import { readSteps } from './support/playbook-steps.js';

it('shows the dependencies between the steps of a written playbook', async () => {
  const { service, thirdParties, stop } = await startWithThirdParties();
  onTestFinished(stop);
  for (const fields of Object.values(thirdParties.connections))
    await createConnection(service, { instance_name: `Our ${fields.connector}`, ...fields });
  const [computer] = COMPUTERS;
  const [person] = PEOPLE;
  const { alert_id: alertId } = await service.sendAlert({
    alert_type: 'Malware detected',
    alert_content: `host=${computer.dnsName} user=${person.email} sha256=${INDICATORS.malwareSha256} action=quarantined`,
  });
  await service.waitForStatus(alertId, 15);
  const { investigations, steps } = await readSteps(service, 'Malware detected');
  expect(investigations).toBe(1);
  const listPredecessors = (skillId: string): string[] => {
    const step = steps.find(({ skill_id }) => skill_id === skillId) ?? expect.fail(`${skillId} was not taken`);
    const near = step.after.map((id) => id.slice(id.indexOf('/') + 1));
    return [...near, ...near.flatMap(listPredecessors)];
  };
  expect(listPredecessors('Get machine')).toContain('List machines');
  expect(listPredecessors('Isolate machine')).toContain('Get machine');
  const proposed = steps.filter(({ does }) => does === 'propose');
  expect(proposed.find(({ skill_id }) => skill_id === 'Isolate machine')).toMatchObject({ times: 1, unanswered: 0 });
  expect(proposed.every(({ typical_ms }) => typical_ms === null)).toBe(true);
  // A search in the copies of records is not a call of its own.
  const calls = steps.filter(
    ({ does, skill_id }) => does !== 'propose' && !/^List (?:alerts|indicators|incidents|investigations)$/i.test(skill_id),
  );
  expect(calls.every(({ typical_ms }) => typical_ms !== null)).toBe(true);
});
