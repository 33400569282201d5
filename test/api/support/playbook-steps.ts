import { expect } from 'vitest';
import type { StepsAsRun } from '../../../domain/investigation/run-steps.js';
import type { PlaybookSummary } from '../../../services/playbooks/wire.js';
import type { TestService } from '../../support/service.js';
import { readAllPages } from './http.js';

export async function findPlaybook(service: TestService, alertType: string): Promise<PlaybookSummary> {
  const all = await readAllPages<PlaybookSummary>(service, '/platformapi/playbooks', { limit: 200 });
  return (
    all.find(({ alert_types, is_shared }) => !is_shared && alert_types.includes(alertType)) ?? expect.fail(`${alertType} has no playbook`)
  );
}

export async function readSteps(
  service: TestService,
  alertType: string,
  given: { key?: string; version?: number } = {},
): Promise<StepsAsRun> {
  const { playbook_id } = await findPlaybook(service, alertType);
  const version = given.version === undefined ? '' : `?version=${given.version}`;
  const { status, body } = await service.request<StepsAsRun>('GET', `/platformapi/playbooks/${playbook_id}/steps${version}`, given);
  expect(status).toBe(200);
  return body;
}
