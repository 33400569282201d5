import { createEntityExtractor, type EntityExtractor } from '../../activities/entities/extractor.js';

let shared: EntityExtractor | null = null;

/**
 * One for all files of the fork, because starting its thread takes longer than most files do. Its limit is much longer than any content
 * takes, so that a busy machine fails no test. `entities.test.ts` tests the limit.
 */
export function sharedExtractor(): EntityExtractor {
  shared ??= createEntityExtractor({ timeoutMs: 60_000 });
  return shared;
}
