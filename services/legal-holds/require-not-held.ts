import type { Transaction } from '../../db/client.js';
import { isHeldNow } from '../../db/lifecycle/legal-holds.js';
import { conflict } from '../errors.js';

/** Refuses to delete a part of a case, or data of the organization, while a legal hold keeps it. */
export async function requireNotHeld(
  transaction: Transaction,
  place: { organizationUuid: string; caseUuid?: string },
  kept: string,
): Promise<void> {
  if (!(await isHeldNow(transaction, place))) return;
  const owner = place.caseUuid === undefined ? 'the organization' : 'the case or its organization';
  throw conflict(`A legal hold on ${owner} keeps ${kept}. An admin has to release the hold first.`);
}
