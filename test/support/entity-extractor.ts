import { createEntityExtractor, type EntityExtractor } from '../../activities/entities/extractor.js';

let shared: EntityExtractor | null = null;

/** One for all files of the fork, because starting its thread takes longer than most files do. It has no state. */
export function sharedExtractor(): EntityExtractor {
  shared ??= createEntityExtractor();
  return shared;
}
