import { z } from 'zod';
import type { Severity } from '../verdict/evidence.js';
import { WorkingCalendar } from './calendar.js';
import type { SaveSlaPolicy } from './policy.js';

/** The clocks of a case. */
export const ClockKind = z.enum(['acknowledge', 'close']);
export type ClockKind = z.infer<typeof ClockKind>;

const Clock = z.object({
  due_at: z.int().nullable().describe('null: no target, or the severity is not known yet.'),
  done_at: z.int().nullable().describe('null: the clock runs.'),
  is_due_soon: z.boolean().describe('Whether the warning was given. The clock runs and is not breached.'),
  is_breached: z.boolean(),
});
export type Clock = z.infer<typeof Clock>;

export const CaseSla = z.object({
  acknowledge: Clock.nullable().describe('Done with the first entry of a person or a key in the timeline. null: unknown.'),
  close: Clock.nullable().describe('Done when the case is closed. null: the case was closed before the service had clocks.'),
});
export type CaseSla = z.infer<typeof CaseSla>;

export const SlaFilter = z.enum(['breached', 'due_soon', 'acknowledged']);
export type SlaFilter = z.infer<typeof SlaFilter>;

export interface StoredClock {
  readonly kind: ClockKind;
  readonly startedAt: number;
  /** The times in between at which the case was closed, in their order. */
  readonly pauses: readonly (readonly [from: number, to: number])[];
}

interface DueTimes {
  readonly dueAt: number | null;
  readonly warnAt: number | null;
}

/** Computes the due times of the cases of one organization. */
export class SlaTimes {
  readonly #policy: SaveSlaPolicy;
  readonly #calendar: WorkingCalendar;

  constructor(policy: SaveSlaPolicy) {
    this.#policy = policy;
    this.#calendar = new WorkingCalendar(policy);
  }

  compute(clock: StoredClock, severity: Severity | null): DueTimes {
    const target = this.#policy.targets.find((each) => each.severity === severity);
    const minutes = clock.kind === 'acknowledge' ? target?.acknowledge_minutes : target?.close_minutes;
    if (minutes == null) return { dueAt: null, warnAt: null };
    const seconds = minutes * 60;
    return { dueAt: this.#end(clock, seconds), warnAt: this.#end(clock, Math.floor((seconds * this.#policy.warn_percent) / 100)) };
  }

  /** The working time of the target without the pauses. */
  #end({ startedAt, pauses }: StoredClock, seconds: number): number | null {
    let begin = startedAt;
    let left = seconds;
    for (const [from, to] of pauses) {
      const worked = this.#calendar.countWorkingTime(begin, from);
      if (worked >= left) break;
      left -= worked;
      begin = to;
    }
    return this.#calendar.addWorkingTime(begin, left);
  }
}
