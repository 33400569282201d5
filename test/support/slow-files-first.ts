import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long although they are short, the longest first: they start processes, wait, or investigate many alerts. */
const SLOW = [
  'local/demo',
  'cli/backup',
  'workflows/connections',
  'workflows/proposals/approval',
  'workflows/proposals/recovery',
  'api/dispatch/dispatcher',
  'dashboard/integrations',
  'dashboard/case-work',
  'workflows/versioning',
  'workflows/fairness',
  'worker/stream-consumer',
  'cli/rotate-keys',
  'quality/quality',
  'local/supervision',
  'local/main',
  'local/crash',
  'activities/sources',
  'tools/eject-playbook',
  'tools/compare-playbook',
  'activities/connectors/malware-protection-stream',
  'agent/agent',
  'api/database-away',
  'workflows/over-time',
  'activities/connectors/travel-booking',
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
