import { createBookkeeping } from './lib/bookkeeping.js';

/** Started when it is due: has the alert investigated again, unless somebody did so meanwhile. */
export async function followUp(due: { alertId: string; investigationNo: number }): Promise<string> {
  return createBookkeeping().beginFollowUp(due);
}
