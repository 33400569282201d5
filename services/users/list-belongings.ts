import type { Db } from '../../db/client.js';
import { countOpenWork, listHeldThings } from '../../db/identity/belongings.js';
import { isUserOf } from '../../db/identity/users.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import type { Belongings } from './wire.js';

/** Of each kind. */
export const MAX_HELD = 200;

/** What a person leaves: what ends with the access, and the work that waits. */
export async function listBelongings({ db, by }: { readonly db: Db; readonly by: Context['by'] }, userUuid: string): Promise<Belongings> {
  if (!(await isUserOf(db, by.organizationUuid, userUuid))) throw notFound('user with this id');
  const held = await listHeldThings(db, userUuid, by.organizationUuid, MAX_HELD);
  const { openCases, waitingProposals, ownKeys } = await countOpenWork(db, userUuid, by.organizationUuid);
  return {
    items: held.map(({ kind, id, name, organizationCode, canHandOver }) => {
      return { kind, id, name, organization_code: organizationCode, can_hand_over: canHandOver };
    }),
    own_keys: ownKeys,
    open_cases: openCases,
    waiting_proposals: waitingProposals,
  };
}
