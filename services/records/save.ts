import type { PgClient } from '../../db/client.js';
import { type RecordConnection, writeRecords } from '../../db/records/records.js';
import type { RecordKind, ThirdPartyRecord } from '../../domain/record/record.js';

/** Stores new and changed records in one transaction, so that no search sees a record without its values. */
export async function saveRecords(
  pg: PgClient,
  connection: Pick<RecordConnection, 'connectionUuid' | 'organizationUuid'>,
  kind: RecordKind,
  records: readonly ThirdPartyRecord[],
  copiedAt: number,
): Promise<void> {
  if (records.length > 0) await pg.begin((transaction) => writeRecords(transaction, connection, kind, records, copiedAt));
}
