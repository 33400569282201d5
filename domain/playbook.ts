import { z } from 'zod';
import type { Severity } from './case.js';
import { EntityKind } from './entity.js';

export const PlaybookOrigin = z.enum(['written', 'generated']);
export type PlaybookOrigin = z.infer<typeof PlaybookOrigin>;

const WHY = z.string().min(1).max(500);

/** Steps are data: nothing in a plan is ever evaluated. */
export const PlanStep = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('extract-indicators'), why: WHY, of: z.array(EntityKind).min(1) }),
  z.strictObject({ do: z.literal('correlate'), why: WHY, by: z.array(EntityKind).min(1), withinDays: z.int().min(1).max(365) }),
  z.strictObject({ do: z.literal('summarise'), why: WHY }),
]);
export type PlanStep = z.infer<typeof PlanStep>;

export const Plan = z.strictObject({ steps: z.array(PlanStep).min(1).max(50) });
export type Plan = z.infer<typeof Plan>;

export const Playbook = z.object({
  playbook_id: z.uuid(),
  name: z.string(),
  origin: PlaybookOrigin,
  organization_code: z.string().nullable().describe('null: serves every organization.'),
  alert_types: z.array(z.string()),
  workflow_type: z.string().describe('The workflow type an engineer sees in Temporal Web.'),
  version: z.int(),
  plan: Plan.nullable().describe('The steps of a generated playbook; null for one written in TypeScript.'),
  created_at: z.int(),
  modified_at: z.int(),
});
export type Playbook = z.infer<typeof Playbook>;

/** What the author of a written playbook declares, and what a starting worker registers. */
export interface PlaybookDeclaration {
  readonly name: string;
  readonly alertTypes: readonly string[];
  readonly severity?: Severity;
}

/** The workflow type that runs every stored plan. */
export const GENERATED_WORKFLOW_TYPE = 'generated';
