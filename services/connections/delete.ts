import { type ConnectionUse, deleteConnectionRow, ensureDefault, listUses } from '../../db/connections/connections.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requireNotHeld } from '../legal-holds/require-not-held.js';
import { confirmRuleChange } from '../response-rules/confirm-rule-change.js';
import { recordRuleEvent } from '../response-rules/record-rule-event.js';
import { auditConnection } from './audit.js';
import { requireLockedConnection } from './read.js';

interface Deleted {
  readonly organizationUuid: string;
  /** The request, if it waits for a second person; nothing has changed. */
  readonly pending: PendingRuleChange | null;
}

/** A connection that requires a second person needs one for its end too: it could be created again without the rule. */
export function deleteConnection(context: Context, connectionUuid: string): Promise<Deleted> {
  return inTransaction(context, async (inside) => {
    const { db } = inside;
    const row = await requireLockedConnection(inside, connectionUuid);
    await requireNotHeld(db, { organizationUuid: row.organizationUuid }, 'the copied records and events of this connection');
    const uses = (await listUses(db, connectionUuid)).map(describeUse);
    if (uses.length > 0)
      throw conflict(`The connection is in use: ${uses.join('; ')}. Remove these uses first.`, {
        errors: uses.map((detail) => ({ detail })),
      });
    const { organizationUuid } = row;
    if (row.needsSecondPerson) {
      const asked = { organizationUuid, change: 'drop-second-person', target: connectionUuid, value: null } as const;
      const pending = await confirmRuleChange(inside, asked);
      if (pending !== null) return { organizationUuid, pending };
      recordRuleEvent(inside, 'rule.relaxed', asked);
    }
    await deleteConnectionRow(db, connectionUuid);
    await ensureDefault(db, row);
    await auditConnection(inside, row, 'connection.delete');
    return { organizationUuid, pending: null };
  });
}

function describeUse({ by, name }: ConnectionUse): string {
  switch (by) {
    case 'investigation':
      return `investigation ${name} waits for it`;
    case 'skill run':
      return `a run of the skill ${name} is under way`;
    case 'proposal':
      return `${name} is proposed with it`;
    case 'remote agent':
      return `a remote agent performs ${name}`;
  }
}
