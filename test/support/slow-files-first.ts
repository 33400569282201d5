import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files with a long duration, because they start processes or investigate many alerts. */
const SLOW =
  /\/test\/(?:local|quality|rehearsal)\/|\/test\/(?:workflows\/(?:versioning|over-time)|activities\/sources|api\/database-away)\.test\.ts$/;

/** A new clone has no recorded durations, and the longest file must not be the last to start. */
export default class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

function isSlow({ moduleId }: TestSpecification): boolean {
  return SLOW.test(moduleId);
}
