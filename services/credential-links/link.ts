import type { Transaction } from '../../db/client.js';
import type { LinkRow } from '../../db/connections/credential-links.js';
import { type AuditRecord, recordAudit } from '../../db/identity/audit.js';
import type { LinkEnd } from '../../domain/connection/credential-link.js';
import type { Principal } from '../../domain/identity/identity.js';
import { CommandError } from '../errors.js';
import type { CredentialLink } from './wire.js';

const ENDED: Readonly<Record<LinkEnd, string>> = {
  used: 'This link was used already. It works only once.',
  revoked: 'This link was revoked.',
  expired: 'This link has expired.',
};

export class LinkEnded extends CommandError {
  readonly reason: LinkEnd;

  constructor(reason: LinkEnd) {
    super('gone', `${ENDED[reason]} Ask the person who sent it for a new one.`);
    this.reason = reason;
  }
}

/** In the audit log, the holder of a link has the id of the link. */
export function linkHolder({ linkUuid, organizationUuid }: LinkRow): Principal {
  const person = { personUuid: linkUuid, userUuid: null, sessionUuid: null };
  return { uuid: linkUuid, name: 'customer with a link', role: 'admin', organizationUuid, ...person };
}

export async function auditLink(
  { db, by }: { readonly db: Transaction; readonly by: Principal },
  link: LinkRow,
  action: 'create' | 'revoke' | 'use' | 'refuse',
  details = {},
): Promise<void> {
  await recordAudit(db, toLinkRecord(by, link, action, details));
}

export function toLinkRecord(
  by: Principal | null,
  link: LinkRow,
  action: 'create' | 'revoke' | 'use' | 'refuse',
  details: object,
): AuditRecord {
  return {
    by,
    organizationUuid: link.organizationUuid,
    action: `credential-link.${action}`,
    target: link.connectionUuid ?? link.linkUuid,
    details: { link_id: link.linkUuid, connector: link.connectorKind, instance_name: link.instanceName, ...details },
  };
}

export function describeLink(row: LinkRow): CredentialLink {
  return {
    link_id: row.linkUuid,
    organization_code: row.organizationCode,
    connector: row.connectorKind,
    instance_name: row.instanceName,
    connection_id: row.connectionUuid,
    created_by: row.createdBy,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  };
}
