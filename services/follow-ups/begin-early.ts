import { listAnswerableFollowUps, listFollowUpsOf } from '../../db/investigations/follow-ups.js';
import type { WorkContext } from '../context.js';
import { beginFollowUp } from './begin.js';

const PAGE_SIZE = 200;

/** Begins follow-ups whose third party answers again, before they are due. Their own runs then find nothing left to do. */
export async function beginAnswerableFollowUps(context: WorkContext, heartbeat: () => void): Promise<void> {
  for (const followUp of await listAnswerableFollowUps(context.db, PAGE_SIZE)) {
    heartbeat();
    await beginFollowUp(context, followUp);
  }
}

/** Begins all follow-ups that wait for the connection, after a passed connection test. */
export async function beginFollowUpsOf(context: WorkContext, connectionUuid: string): Promise<number> {
  let begun = 0;
  for (;;) {
    const waiting = await listFollowUpsOf(context.db, connectionUuid, PAGE_SIZE);
    for (const followUp of waiting) await beginFollowUp(context, followUp);
    begun += waiting.length;
    if (waiting.length < PAGE_SIZE) return begun;
  }
}
