import { rootCause, TemporalFailure } from '@temporalio/workflow';
import { findErrorPlace } from '../../domain/playbook/error-place.js';
import { EndlessLoopError } from './loop-guard.js';
import { StuckError } from './stuck-run.js';

/** An error of the code itself: it would fail in each attempt. Failures of activities are instances of TemporalFailure. */
export function isAuthorsMistake(error: unknown): boolean {
  return !(error instanceof TemporalFailure);
}

/** The message of an ActivityFailure is generic. Its root cause has the reason. A mistake has a place. */
export function describeError(error: unknown): string {
  if (!isAuthorsMistake(error)) return rootCause(error) ?? String(error);
  const place = error instanceof StuckError ? error.place : findErrorPlace(error instanceof Error ? error.stack : undefined);
  const message = error instanceof EndlessLoopError || error instanceof StuckError ? error.message : String(error);
  return place === null ? endSentence(message) : `${endSentence(message)} Place: ${place}.`;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
