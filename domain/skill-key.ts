import { z } from 'zod';

/** A skill's identity in rows, plans and Temporal: `<connector>.<verb>`. It stays when the skill gets another title. */
export const SkillKey = z.string().brand<'SkillKey'>();
export type SkillKey = z.infer<typeof SkillKey>;

/** The key in requests and replies. */
export const SkillKeyText = z.string().describe('The permanent id of the skill: `<connector>.<verb>`. `skill_id` is its display name.');

/** The connector's name in the catalogue and the skill's name in its contract. */
export function toSkillKey(connectorKey: string, verb: string): SkillKey {
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: workflows call this, and their sandbox freezes a schema before its first use.
  return `${connectorKey}.${verb}` as SkillKey;
}
