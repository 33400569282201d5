import { z } from 'zod';
import { Severity } from '../verdict/evidence.js';

/** A rule of `domain/investigation/behaviours/<tactic>.yaml`. */
export const BehaviourRule = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{3,60}$/, 'must be words in lower case with hyphens'),
  title: z.string().min(3).max(100),
  techniques: z
    .array(z.string().regex(/^T\d{4}(\.\d{3})?$/, 'must be an ATT&CK technique such as T1490'))
    .min(1)
    .max(5),
  /** From 30 points the behaviour alone makes the alert suspicious. Text can be forged, so no rule reaches a serious finding. */
  points: z.int().min(5).max(44),
  /** The case has at least this severity, unless its alert is benign. */
  severity: Severity.optional(),
  /** CEL over `commands`, `event_ids`, `actions` and `fields`. */
  condition: z.string().min(1).max(4000),
  /** The content of an alert that the rule matches, and of one that only looks like it. They are the rule's tests. */
  positive: z.union([z.string(), z.record(z.string(), z.unknown())]),
  negative: z.union([z.string(), z.record(z.string(), z.unknown())]),
});
export type BehaviourRule = z.infer<typeof BehaviourRule>;

export const BehaviourFile = z.strictObject({ tactic: z.string().regex(/^[a-z-]+$/), rules: z.array(BehaviourRule).min(1) });

/** A behaviour that an alert states, for the verdict. */
export interface BehaviourFound {
  readonly id: string;
  readonly title: string;
  readonly techniques: readonly string[];
  readonly points: number;
  readonly severity: Severity | null;
  /** The part of the alert that states it. */
  readonly stated: string;
}
