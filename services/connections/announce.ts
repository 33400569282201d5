import type { Transaction } from '../../db/client.js';
import type { ConnectionRow } from '../../db/connections/connections.js';
import { recordEvent } from '../events/record-event.js';

export type AnnouncedConnection = Pick<ConnectionRow, 'connectionUuid' | 'organizationUuid' | 'connectorKind' | 'instanceName'>;

export function announceConnection(
  db: Transaction,
  name: 'connection.broken' | 'connection.restored',
  { connectionUuid, organizationUuid, connectorKind, instanceName }: AnnouncedConnection,
): Promise<void> {
  const data = { connection_id: connectionUuid, connector: connectorKind, instance_name: instanceName };
  return recordEvent(db, { name, organizationUuid, subjectUuid: connectionUuid, data });
}
