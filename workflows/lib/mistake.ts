import { inWorkflowContext, rootCause, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import { findErrorPlace, playbookFile } from '../../domain/playbook/error-place.js';
import { clip } from '../../domain/text.js';
import { InvalidValueError } from './author-values.js';
import { EndlessLoopError } from './loop-guard.js';
import { RunLimitError } from './run-limits.js';
import { StuckError } from './stuck-run.js';

/** The code of an author can throw a text of any length. Temporal refuses one of 2 MB, and repeats the task for ever. */
const MAX_MESSAGE_LENGTH = 4_000;

/** The messages of these errors are sentences for the case. */
const SENTENCES = [EndlessLoopError, StuckError, InvalidValueError, RunLimitError];

/** An error of the code itself: it would fail in each attempt. Failures of activities are instances of TemporalFailure. */
export function isAuthorsMistake(error: unknown): boolean {
  return !(error instanceof TemporalFailure);
}

/** The message of an ActivityFailure is generic. Its root cause has the reason. A mistake has a place. */
export function describeError(error: unknown): string {
  if (!isAuthorsMistake(error)) return clip(rootCause(error) ?? String(error), MAX_MESSAGE_LENGTH);
  const place = error instanceof StuckError ? error.place : findErrorPlace(error instanceof Error ? error.stack : undefined);
  const isSentence = error instanceof Error && SENTENCES.some((each) => error instanceof each);
  const message = endSentence(clip(isSentence ? error.message : toText(error), MAX_MESSAGE_LENGTH));
  const known = place ?? findFile();
  return known === null ? message : `${message} Place: ${known}.`;
}

/** The cause of a failure, small enough for a history. */
export function toCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(clip(toText(error), MAX_MESSAGE_LENGTH));
  if (error.message.length <= MAX_MESSAGE_LENGTH) return error;
  return new Error(clip(error.message, MAX_MESSAGE_LENGTH));
}

/** Some values have no text form. */
function toText(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'The playbook threw a value without a text';
  }
}

/** A thrown value that is no error has no stack, so only the file of the playbook is known. */
function findFile(): string | null {
  return inWorkflowContext() ? playbookFile(workflowInfo().workflowType) : null;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
