import { z } from 'zod';
import { SkillRunState } from '../../domain/connection/connection.js';
import { SkillKeyText } from '../../domain/skill-key.js';

export const RunSkill = z.strictObject({
  input: z.record(z.string().max(100), z.unknown()).default({}),
  confirm: z.boolean().optional().describe('Must be true for a write.'),
});

export const SkillOutcome = z.object({
  skill_id: z.string(),
  skill_key: SkillKeyText,
  output: z.record(z.string(), z.unknown()),
  truncated: z.boolean().describe('The output is larger than 1 MiB, and only a part is included.'),
  attempts: z.int(),
  duration_ms: z.int(),
});
export type SkillOutcome = z.infer<typeof SkillOutcome>;

export const SkillRun = z.object({
  run_id: z.uuid(),
  skill_id: z.string(),
  skill_key: SkillKeyText,
  connection_id: z.uuid(),
  input: z.unknown().describe('The input of the skill.'),
  state: SkillRunState,
  asked_by: z.string(),
  asked_at: z.int(),
  decided_by: z.string().nullable(),
  outcome: SkillOutcome.nullable(),
  problem: z
    .object({ code: z.string(), message: z.string(), third_party_status: z.int().nullable(), resolution: z.string().nullable() })
    .nullable(),
});
export type SkillRun = z.infer<typeof SkillRun>;

/** A run in a list, without its outcome. */
export const SkillRunListItem = SkillRun.omit({ outcome: true }).extend({
  organization_code: z.string(),
  connector: z.string(),
  instance_name: z.string().describe('The name of the connection.'),
});
export type SkillRunListItem = z.infer<typeof SkillRunListItem>;
