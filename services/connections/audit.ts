import type { Transaction } from '../../db/client.js';
import type { ConnectionRow } from '../../db/connections/connections.js';
import { recordAudit } from '../../db/identity/audit.js';
import type { Principal } from '../../domain/identity/identity.js';

export async function auditConnection(
  { db, by }: { readonly db: Transaction; readonly by: Principal },
  connection: Pick<ConnectionRow, 'connectionUuid' | 'organizationUuid' | 'connectorKind' | 'instanceName'>,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { connectionUuid: target, organizationUuid, connectorKind: connector, instanceName } = connection;
  await recordAudit(db, { by, organizationUuid, action, target, details: { connector, instance_name: instanceName, ...details } });
}
