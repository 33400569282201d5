import { insertConnectionRow, type SealedSecret } from '../../db/connections/connections.js';
import type { ConnectionDefinition } from '../../db/schema/index.js';
import { type Context, inTransaction } from '../context.js';
import { auditConnection } from './audit.js';

export interface GivenCredentials {
  readonly plainCredentials: Record<string, unknown>;
  readonly secrets: readonly SealedSecret[];
  readonly secretExpiresOn?: string | null;
}

export interface NewConnection extends ConnectionDefinition, GivenCredentials {
  readonly connectionUuid: string;
}

/** Throws a unique violation for a name that is taken. */
export function insertConnection(context: Omit<Context, 'runner'>, { secrets, ...row }: NewConnection): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    const at = now();
    const since = { stateSince: at, secretsSetAt: at, createdAt: at, modifiedAt: at };
    await insertConnectionRow(db, { ...row, ...since, createdBy: by.uuid }, secrets);
    await auditConnection(inside, row, 'connection.create');
  });
}
