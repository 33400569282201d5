import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long although they are short, the longest first: they start processes, wait, or investigate many alerts. */
const SLOW = [
  'quality/quality',
  'dev/playbooks/eject-playbook',
  'local/main',
  'local/demo',
  'dashboard/flows-administration',
  'dashboard/flows-triage',
  'dashboard/flows-case',
  'workflows/proposals/rules',
  'workflows/proposals/recovery',
  'workflows/connections',
  'local/crash',
  'dashboard/settings',
  'workflows/skills',
  'workflows/versioning',
  'dashboard/alert',
  'workflows/generated',
  'dev/playbooks/compare-playbook',
  'connectors/malware-protection-stream',
  'cli/backup',
  'workflows/proposals/approval',
  'api/dispatch/dispatcher',
  'dashboard/integrations',
  'dashboard/case-work',
  'workflows/fairness',
  'worker/stream-consumer',
  'cli/rotate-keys',
  'local/supervision',
  'activities/sources',
  'agent/agent',
  'workflows/lost-worker',
  'api/database-away',
  'workflows/over-time',
  'connectors/travel-booking',
  'project/new-connector',
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
