import { type ConnectionUse, deleteConnectionRow, ensureDefault, listUses } from '../../db/connections/connections.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requireNotHeld } from '../legal-holds/require-not-held.js';
import { auditConnection } from './audit.js';
import { requireLockedConnection } from './read.js';

/** Returns the organization of the connection. */
export function deleteConnection(context: Context, connectionUuid: string): Promise<string> {
  return inTransaction(context, async (inside) => {
    const { db } = inside;
    const row = await requireLockedConnection(inside, connectionUuid);
    await requireNotHeld(db, { organizationUuid: row.organizationUuid }, 'the copied records and events of this connection');
    const uses = (await listUses(db, connectionUuid)).map(describeUse);
    if (uses.length > 0)
      throw conflict(`The connection is in use: ${uses.join('; ')}. Remove these uses first.`, {
        errors: uses.map((detail) => ({ detail })),
      });
    await deleteConnectionRow(db, connectionUuid);
    await ensureDefault(db, row);
    await auditConnection(inside, row, 'connection.delete');
    return row.organizationUuid;
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
