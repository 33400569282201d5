import { ActivityFailure, ApplicationFailure, rootCause, TimeoutFailure } from '@temporalio/workflow';
import type { ChosenConnection, SkillFailureFacts, SkillRunError } from '../../domain/connection/skill.js';
import { EffortSpent } from './effort-limit.js';

export interface SkillFailure {
  readonly code: string;
  readonly message: string;
  readonly facts: SkillFailureFacts | null;
}

/** Returns null if no skill caused the error. */
export function toSkillFailure(error: unknown): SkillFailure | null {
  if (error instanceof EffortSpent) return { code: 'SkillTimedOut', message: error.message, facts: null };
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return null;
  const { type, message, details } = error.cause;
  // biome-ignore lint/nursery/noUnsafeTypeAssertion: toFailureFacts is the only writer of these details.
  return { code: type ?? '', message, facts: (details?.[0] as SkillFailureFacts | undefined) ?? null };
}

/** A worker or a remote agent that does not respond in time leaves a gap, not a failed investigation. Returns null for other errors. */
export function toTimeout(error: unknown, { routed, instanceName }: ChosenConnection): SkillFailure | null {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof TimeoutFailure)) return null;
  const who = routed ? `The remote agent of ${instanceName}` : instanceName;
  return { code: 'SkillTimedOut', message: `${who} did not respond in time.`, facts: null };
}

/** Converts an error into the form that a proposal or a skill run stores. */
export function toRunError(error: unknown): SkillRunError {
  const failure = toSkillFailure(error);
  return {
    code: failure?.code ?? 'UnexpectedError',
    message: failure?.message ?? rootCause(error) ?? String(error),
    third_party_status: failure?.facts?.status ?? null,
    resolution: failure?.facts?.resolution ?? null,
  };
}
