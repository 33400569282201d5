import type { SkillRunError } from '../../domain/connection/skill.js';

/** The problem of a manual write that waits for another approval. */
export function needsSecondPerson(message: string): SkillRunError {
  return { code: 'SecondPersonNeeded', message, third_party_status: null, resolution: 'A second person has to approve it.' };
}
