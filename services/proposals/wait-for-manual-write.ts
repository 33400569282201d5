import { setTimeout as delay } from 'node:timers/promises';
import { findProposalRow, isManualWrite } from '../../db/response/proposal-rows.js';
import type { ServiceContext } from '../context.js';

const MAX_WAIT_MS = 30_000;
const FIRST_LOOK_MS = 50;
const LOOK_EVERY_MS = 250;

/** Returns when the write has ended, waits for a person, or is held. The workflow continues after 30 seconds. */
export async function waitForManualWrite({ db }: ServiceContext, proposalUuid: string): Promise<void> {
  const until = Date.now() + MAX_WAIT_MS;
  for (let waitMs = FIRST_LOOK_MS; Date.now() < until; waitMs = Math.min(LOOK_EVERY_MS, waitMs * 2)) {
    const row = await findProposalRow(db, proposalUuid);
    const isUnderWay =
      row !== null && isManualWrite(row) && row.heldBecause === null && (row.state === 'approved' || row.state === 'running');
    if (!isUnderWay) return;
    await delay(waitMs);
  }
}
