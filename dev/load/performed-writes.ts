import type { StandInAction } from '../../connectors/endpoint-detection/stand-in.js';

/** The comments of the writes at the third party, without the reference that the service adds to each. */
export function readComments(performed: readonly Pick<StandInAction, 'requestorComment'>[]): string[] {
  return performed.map(({ requestorComment }) => requestorComment.split(' [alert-investigator ')[0] ?? '');
}

export function findRepeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const value of values) (seen.has(value) ? repeated : seen).add(value);
  return [...repeated];
}
