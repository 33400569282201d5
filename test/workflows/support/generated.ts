import { expect } from 'vitest';
import { COMPUTERS, INDICATORS, PEOPLE } from '../../../connectors/kit/stand-in/company.js';
import type { ThirdParties } from '../../../connectors/stand-ins.js';
import type { WithThirdParties } from '../../support/with-third-parties.js';

/** Content with an entity of every kind that a connector can look up. */
export function contentWithEverything(thirdParties: ThirdParties): string {
  const [incident] = thirdParties.standIns.incidentSource.state.incidents;
  return [
    `host=${COMPUTERS[0].dnsName} user=${PEOPLE[0].email} ${INDICATORS.maliciousIp} ${INDICATORS.maliciousUrl}`,
    `sha256 ${INDICATORS.malwareSha256} ${INDICATORS.exploitedCve} incident_id=${incident?.['incidentId']}`,
  ].join('\n');
}

/** Expects that an investigation completes without the time of the source, and says so. */
export async function expectIgnoredTime(
  { service, thirdParties }: Pick<WithThirdParties, 'service' | 'thirdParties'>,
  alertType: string,
  createdAtSource: number,
): Promise<void> {
  const content = contentWithEverything(thirdParties);
  const sent = await service.sendAlert({ alert_type: alertType, alert_content: content, created_at_source: createdAtSource });
  const done = await service.waitForStatus(sent.alert_id, 15, 20);
  expect(done).toMatchObject({ investigation_status: 15, created_at_source: createdAtSource });
  const { evidence } = await service.readCase(sent.alert_id);
  expect(evidence.find(({ title }) => title === 'The time of the source was ignored')).toMatchObject({
    kind: 'note',
    reason: expect.stringContaining(`created_at_source is ${createdAtSource}`),
  });
  expect(evidence.filter(({ kind, reason }) => kind === 'gap' && /invalid|date|number/i.test(reason))).toEqual([]);
}
