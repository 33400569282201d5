import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that took more than 50 seconds in a run on two cores, the longest first. */
const SLOW = [
  'quality/quality',
  'tools/eject-playbook',
  'dashboard/flows-administration',
  'workflows/proposals/rules',
  'local/demo',
  'cli/backup',
  'local/main',
  'dashboard/flows-triage',
  'workflows/connections',
  'workflows/faulty-playbooks',
  'workflows/versioning',
  'workflows/outages',
  'workflows/proposals/recovery',
  'tools/compare-playbook',
  'workflows/notifications',
  'workflows/proposals/approval',
  'dashboard/alert',
  'api/dispatch/dispatcher',
  'dashboard/flows-case',
  'activities/sources',
  'cli/main',
  'workflows/generated',
  'agent/agent',
  'workflows/skills',
  'project/new-connector',
  'dashboard/alerts',
  'dashboard/investigators',
  'dashboard/settings',
  'local/crash',
  'dashboard/case-list',
  'cli/rotate-keys',
  'workflows/fairness',
  'dashboard/integrations',
  'workflows/playbooks/with-third-parties',
  'dashboard/entities',
  'dashboard/every-page',
  'activities/entities',
  'workflows/secrets',
  'workflows/investigation',
  'workflows/notifications-killed',
  'dashboard/sign-in',
  'local/supervision',
  'dashboard/cases',
  'dashboard/credentials',
].map((name) => `/test/${name}.test.ts`);

/** A new clone has no recorded durations, and the longest file must not be the last to start. */
export default class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = SLOW.findIndex((name) => moduleId.endsWith(name));
  return index < 0 ? SLOW.length : index;
}
