import { listAnswerableFollowUps, listFollowUpsOf, type OpenFollowUp, toFollowUpKey } from '../../db/investigations/follow-ups.js';
import type { WorkContext } from '../context.js';
import { type SweepRun, sweep, sweepAll } from '../reconciler/sweep.js';
import { beginFollowUp } from './begin.js';

/** Begins follow-ups whose third party answers again, before they are due. Their own runs then find nothing left to do. */
export function beginAnswerableFollowUps(context: WorkContext, run: SweepRun): Promise<string | null> {
  return sweep<OpenFollowUp>(run, {
    list: (after, limit) => listAnswerableFollowUps(context.db, { after, limit }),
    keyOf: toFollowUpKey,
    handle: (followUp) => beginFollowUp(context, followUp),
  });
}

/** Begins all follow-ups that wait for the connection, after a passed connection test. */
export async function beginFollowUpsOf(context: WorkContext, connectionUuid: string): Promise<number> {
  let begun = 0;
  await sweepAll<OpenFollowUp>({
    list: (after, limit) => listFollowUpsOf(context.db, connectionUuid, { after, limit }),
    keyOf: toFollowUpKey,
    async handle(followUp) {
      await beginFollowUp(context, followUp);
      begun += 1;
    },
  });
  return begun;
}
