import { z } from 'zod';
import { WorkingHours } from '../../domain/sla/calendar.js';
import { policyFields, SlaTarget } from '../../domain/sla/policy.js';

/** The targets of an organization, and when their clocks run. */
export const SlaPolicy = z.object({
  organization_code: z.string(),
  ...policyFields,
  hours: z.array(WorkingHours),
  targets: z.array(SlaTarget).describe('A severity without a target has no limit.'),
  modified_at: z.int().nullable().describe('null: never saved. Cases have no limits.'),
});
export type SlaPolicy = z.infer<typeof SlaPolicy>;
