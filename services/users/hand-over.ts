import { type AuditRecord, recordAudits } from '../../db/identity/audit.js';
import { isAdminOf, listCasesToReassign, listHeldThings, setHolder } from '../../db/identity/belongings.js';
import { lockActiveUser } from '../../db/identity/holdings.js';
import { isUserOf, readUserName } from '../../db/identity/users.js';
import { updateCase } from '../cases/update.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, invalid, notFound } from '../errors.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { MAX_HELD } from './list-belongings.js';
import { lockCreator } from './lock-creator.js';
import type { HandOver } from './wire.js';

const MAX_CASES = 100;
const ACTIONS = {
  'service-key': 'api-key.hand-over',
  'remote-agent': 'remote-agent.hand-over',
  invitation: 'invitation.hand-over',
  'credential-link': 'credential-link.hand-over',
} as const;

/** Another admin takes over what a person holds, so that it does not end with the person's access. Open cases are assigned to them. */
export function handOver(context: Context, userUuid: string, { to_user_id: to, ids }: HandOver): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by } = inside;
    const scope = by.organizationUuid;
    await requireRecentSignIn(inside);
    // Otherwise a person who is about to leave could keep keys alive whose values they know.
    if ((await lockCreator(inside)) === userUuid) throw conflict('You cannot hand over your own belongings. Ask another admin.');
    if (!(await isUserOf(db, scope, userUuid))) throw notFound('user with this id');
    const successor = to === userUuid ? null : await lockActiveUser(db, to);
    if (successor === null) throw unusable('is not another active person');
    const held = await listHeldThings(db, userUuid, scope, MAX_HELD);
    const wanted = held.filter(({ id, canHandOver }) => ids?.includes(id) ?? canHandOver);
    for (const { name, organizationUuid, canHandOver } of wanted) {
      if (!canHandOver) throw conflict(`The remote agent ${name} is not confirmed. Create a new one instead.`);
      if (!(await isAdminOf(db, to, organizationUuid))) throw unusable(`is no admin of the organization of ${name}`);
    }
    const names = { from_name: await readUserName(db, userUuid), to_name: successor.name };
    for (const thing of wanted) await setHolder(db, thing, to);
    const toRecord = ({ kind, id, name, organizationUuid }: (typeof wanted)[number]): AuditRecord => {
      return { by, organizationUuid, action: ACTIONS[kind], target: id, details: { name, from: userUuid, to, ...names } };
    };
    await recordAudits(db, wanted.map(toRecord));
    if (ids !== undefined) return;
    for (const caseId of await listCasesToReassign(db, { from: userUuid, to, scope, limit: MAX_CASES }))
      await updateCase(inside, caseId, { assignee: successor.name });
  });
}

function unusable(reason: string) {
  return invalid([{ pointer: '#/to_user_id', detail: `to_user_id: ${reason}. Choose another person.` }]);
}
