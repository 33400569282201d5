import { z } from 'zod';
import { Severity } from '../verdict/evidence.js';
import { AROUND_THE_CLOCK, Calendar, countWeeklyMinutes } from './calendar.js';

const WEEKS_OF_A_YEAR = 52;

export const SlaTarget = z.object({
  severity: Severity,
  acknowledge_minutes: z.int().min(1).nullable().describe('Working minutes until a person acknowledges the case. null: no limit.'),
  close_minutes: z.int().min(1).nullable().describe('Working minutes until the case is closed. null: no limit.'),
});
export type SlaTarget = z.infer<typeof SlaTarget>;

/** Fields of the policy of an organization. */
export const policyFields = {
  ...Calendar.shape,
  warn_percent: z.int().min(1).max(99).default(80).describe('The part of the target after which the service warns.'),
  targets: z
    .array(z.strictObject(SlaTarget.shape))
    .max(Severity.options.length)
    .refine(
      (targets) => new Set(targets.map(({ severity }) => severity)).size === targets.length,
      'has two targets for the same severity; keep one of them',
    )
    .describe('A severity without a target has no limit.'),
};

/** Replaces the policy of an organization. */
export const SaveSlaPolicy = z.strictObject(policyFields).superRefine(({ hours, targets }, context) => {
  const limit = countWeeklyMinutes(hours) * WEEKS_OF_A_YEAR;
  for (const [index, target] of targets.entries())
    for (const field of ['acknowledge_minutes', 'close_minutes'] as const)
      if ((target[field] ?? 0) > limit)
        context.addIssue({ code: 'custom', path: ['targets', index, field], message: 'is more than a year of the working hours' });
});
export type SaveSlaPolicy = z.infer<typeof SaveSlaPolicy>;

export const NO_POLICY: SaveSlaPolicy = {
  time_zone: 'UTC',
  hours: [...AROUND_THE_CLOCK],
  holidays: [],
  warn_percent: 80,
  targets: [],
};
