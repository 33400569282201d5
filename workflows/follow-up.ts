import { createBookkeeping } from './lib/bookkeeping.js';

/** Temporal starts this workflow when the follow-up is due. */
export async function followUp(due: { alertId: string; investigationNo: number }): Promise<string> {
  return createBookkeeping().beginFollowUp(due);
}
