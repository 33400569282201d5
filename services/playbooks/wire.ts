import { z } from 'zod';
import { ALERT_TYPE_MAX_LENGTH } from '../../domain/alert/alert.js';
import { Plan, PlaybookOrigin } from '../../domain/playbook/playbook.js';
import { storable, text } from '../../domain/text.js';
import { Severity } from '../../domain/verdict/evidence.js';

export const Playbook = z.object({
  playbook_id: z.uuid(),
  name: z.string(),
  origin: PlaybookOrigin,
  organization_code: z.string().nullable().describe('null: the playbook serves every organization.'),
  alert_types: z.array(z.string()).describe('At most 100 of them.'),
  alert_type_count: z.int(),
  is_shared: z
    .boolean()
    .describe('The generated playbook of a category. Alert types of the category use its plan until a person edits theirs.'),
  used_by: z.int().describe('The number of playbooks of alert types that use this plan.'),
  plan_of: z
    .object({ playbook_id: z.uuid(), name: z.string() })
    .nullable()
    .describe('The playbook of the category whose plan this one uses until a person edits or pins it; null: it has its own plan.'),
  workflow_type: z.string().describe('The workflow type in Temporal Web.'),
  severity: Severity.nullable().describe('Under load, investigations of the highest severity start first.'),
  version: z.int().describe('The newest version of the plan.'),
  pinned_version: z.int().nullable().describe('The version that new investigations use; null: the newest.'),
  runs: z
    .object({ counted: z.int(), completed: z.int(), typical_seconds: z.number().nullable() })
    .describe('Counts over the newest investigations (at most 500) of the caller’s organization. typical_seconds is the median.'),
  plan: Plan.nullable().describe('The steps that new investigations run; null for a playbook written in TypeScript.'),
  created_at: z.int(),
  modified_at: z.int(),
  deleted_at: z.int().nullable().describe('A deleted playbook takes no more alerts. Cases that it investigated still name it.'),
});
export type Playbook = z.infer<typeof Playbook>;

/** Without its plan: the plans of a page can have megabytes. */
export const PlaybookSummary = Playbook.omit({ plan: true });
export type PlaybookSummary = z.infer<typeof PlaybookSummary>;

export const CreatePlaybook = z.strictObject({
  organization_code: storable(32),
  alert_type: text(ALERT_TYPE_MAX_LENGTH),
});
export type CreatePlaybook = z.infer<typeof CreatePlaybook>;

/** One version of a generated playbook's plan. */
export const PlanVersion = z.object({
  playbook_id: z.uuid(),
  version: z.int(),
  newest_version: z.int(),
  pinned_version: z.int().nullable(),
  plan: Plan,
  author: z.string().nullable().describe('null: the service generated it.'),
  made_from: z.int().nullable(),
  created_at: z.int(),
});
export type PlanVersion = z.infer<typeof PlanVersion>;

export const PlanVersionSummary = PlanVersion.pick({ version: true, author: true, made_from: true, created_at: true });
export type PlanVersionSummary = z.infer<typeof PlanVersionSummary>;

export const EditPlan = z.strictObject({
  made_from: z.int().min(1).describe('The version that you edited. If a newer version exists, the API refuses the change.'),
  plan: Plan,
});
export type EditPlan = z.infer<typeof EditPlan>;

export const PinPlan = z.strictObject({
  version: z.int().min(1).nullable().describe('null: new investigations use the newest version again.'),
});
