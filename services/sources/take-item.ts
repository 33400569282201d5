import { insertAlerts } from '../../db/alerts/intake.js';
import type { Queries } from '../../db/client.js';
import type { ProviderRow } from '../../db/identity/providers.js';
import { newUuid } from '../../db/ids.js';
import { changeRevision, commentOnAlert, type Feed, insertItem, notifyOutbox, replaceContent } from '../../db/sources/sources.js';
import type { SourceItem } from '../../domain/alert/intake-source.js';
import { clip } from '../../domain/text.js';
import { readClock } from '../context.js';

/**
 * Stores an item within a transaction. A new item becomes an alert. A changed item adds a comment to its case; without a case,
 * it replaces the alert's content, which no investigation has read yet.
 */
export async function takeItem(
  transaction: Queries,
  feed: Feed,
  provider: ProviderRow,
  { sourceId, revision, alert, note }: SourceItem,
): Promise<'taken' | 'noted' | 'known'> {
  const item = { connectionUuid: feed.connectionUuid, sourceId: clip(sourceId, 500), revision: clip(revision, 500) };
  const alertUuid = newUuid();
  if (alert !== null && (await insertItem(transaction, { ...item, alertUuid }))) {
    await insertAlerts(transaction, [
      {
        alertUuid,
        organizationUuid: feed.organizationUuid,
        organizationCode: feed.organizationCode,
        providerUuid: provider.provider_uuid,
        providerSegment: provider.segment,
        alertType: alert.type,
        alertContent: alert.content,
        createdAtSource: alert.createdAtSource?.toString() ?? null,
        createdBy: feed.connectionUuid,
        createdByName: `source ${feed.instanceName}`,
        createdAt: readClock(),
        idempotencyKey: null,
        bodyDigest: null,
      },
    ]);
    await notifyOutbox(transaction);
    return 'taken';
  }
  const changed = await changeRevision(transaction, item);
  if (changed === null) return 'known';
  const comment = () => commentOnAlert(transaction, changed, clip(note, 10_000));
  if (await comment()) return 'noted';
  // The case can open between the two statements.
  const isReplaced = alert !== null && (await replaceContent(transaction, changed, alert.content));
  if (!isReplaced) await comment();
  return 'noted';
}
