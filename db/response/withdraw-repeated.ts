import { and, eq, inArray, isNull, ne } from 'drizzle-orm';
import type { Db } from '../client.js';
import { proposals } from '../schema/index.js';
import { withdraw } from './proposal-decisions.js';

export interface HappenedWrite {
  readonly organizationUuid: string;
  readonly connectionUuid: string;
  readonly connectorKey: string;
  readonly verb: string;
  readonly input: unknown;
}

/** Ends the proposals of the same write that are not sent yet, because it happened, and returns their ids. */
export async function withdrawRepeated(
  db: Db,
  write: HappenedWrite,
  options: { readonly reason: string; readonly isSame: (input: unknown) => boolean; readonly except?: string },
): Promise<string[]> {
  return db.transaction(async (transaction) => {
    const rows = await transaction
      .select()
      .from(proposals)
      .where(
        and(
          isNull(proposals.endedAt),
          isNull(proposals.undoOf),
          inArray(proposals.state, ['waiting', 'approved']),
          eq(proposals.organizationUuid, write.organizationUuid),
          eq(proposals.connectionUuid, write.connectionUuid),
          eq(proposals.connectorKey, write.connectorKey),
          eq(proposals.verb, write.verb),
          options.except === undefined ? undefined : ne(proposals.proposalUuid, options.except),
        ),
      )
      .orderBy(proposals.proposalUuid)
      .for('update');
    const repeated = rows.filter(({ input }) => options.isSame(input));
    for (const row of repeated) await withdraw(transaction, null, row, options.reason);
    return repeated.map(({ proposalUuid }) => proposalUuid);
  });
}
