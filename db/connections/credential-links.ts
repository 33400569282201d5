import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { type CredentialLink, findLinkEnd, type LinkEnd } from '../../domain/connection/credential-link.js';
import type { Principal } from '../../domain/identity/identity.js';
import type { Db, PgClient, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { recordAudit } from '../identity/audit.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { type ConnectionDefinition, connections, credentialLinks, organizations } from '../schema/index.js';
import { hashToken } from '../tokens.js';

/** The link explains for this long why it does not work any more. */
const KEPT_DAYS = 30;

export interface LinkRow {
  readonly linkUuid: string;
  readonly organizationUuid: string;
  readonly organizationCode: string;
  readonly organizationName: string;
  readonly connectionUuid: string | null;
  readonly newConnection: ConnectionDefinition | null;
  readonly connectorKind: string;
  readonly instanceName: string;
  readonly settings: Record<string, unknown>;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly revokedAt: number | null;
}

const columns = {
  linkUuid: credentialLinks.linkUuid,
  organizationUuid: credentialLinks.organizationUuid,
  organizationCode: organizations.organizationCode,
  organizationName: organizations.name,
  connectionUuid: credentialLinks.connectionUuid,
  newConnection: credentialLinks.newConnection,
  connectorKind: sql<string>`coalesce(${connections.connectorKind}, ${credentialLinks.newConnection} ->> 'connectorKind')`,
  instanceName: sql<string>`coalesce(${connections.instanceName}, ${credentialLinks.newConnection} ->> 'instanceName')`,
  settings: sql<Record<string, unknown>>`coalesce(${connections.settings}, ${credentialLinks.newConnection} -> 'settings')`,
  createdBy: credentialLinks.createdBy,
  createdAt: credentialLinks.createdAt,
  expiresAt: credentialLinks.expiresAt,
  usedAt: credentialLinks.usedAt,
  revokedAt: credentialLinks.revokedAt,
};

/** As `findLinkEnd` decides. */
const isOpen = [isNull(credentialLinks.usedAt), isNull(credentialLinks.revokedAt), gt(credentialLinks.expiresAt, sql`now()`)];

function select(db: Db | Transaction, ...conditions: (SQL | undefined)[]) {
  return db
    .select(columns)
    .from(credentialLinks)
    .innerJoin(organizations, eq(organizations.organizationUuid, credentialLinks.organizationUuid))
    .leftJoin(connections, eq(connections.connectionUuid, credentialLinks.connectionUuid))
    .where(and(...conditions));
}

export function toCredentialLink(row: LinkRow): CredentialLink {
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

async function auditLink(transaction: Transaction, by: Principal | null, link: LinkRow, action: string, details = {}): Promise<void> {
  await recordAudit(transaction, {
    by,
    organizationUuid: link.organizationUuid,
    action: `credential-link.${action}`,
    target: link.connectionUuid ?? link.linkUuid,
    details: { link_id: link.linkUuid, connector: link.connectorKind, instance_name: link.instanceName, ...details },
  });
}

/** `of`: an existing connection, or the one that the credentials create. */
export async function createCredentialLink(
  db: Db,
  by: Principal,
  of: { readonly organizationUuid: string } & ({ readonly connectionUuid: string } | { readonly newConnection: ConnectionDefinition }),
  validHours: number,
  token: string,
): Promise<LinkRow> {
  return db.transaction(async (transaction) => {
    const linkUuid = newUuid();
    const createdAt = nowSeconds();
    const expiresAt = createdAt + validHours * 3_600;
    await transaction
      .insert(credentialLinks)
      .values({ ...of, linkUuid, tokenHash: hashToken(token), createdBy: by.name, createdAt, expiresAt });
    const [link] = await select(transaction, eq(credentialLinks.linkUuid, linkUuid));
    if (!link) throw new Error('The new credential link cannot be read.');
    await auditLink(transaction, by, link, 'create', { expires_at: expiresAt });
    return link;
  });
}

export async function listOpenLinks(
  db: Db,
  scope: string | null,
  filters: { connectorKind?: string | undefined; connectionUuid?: string | undefined },
  page: PageRequest,
): Promise<Page<LinkRow>> {
  const rows = await select(
    db,
    ...isOpen,
    scope === null ? undefined : eq(credentialLinks.organizationUuid, scope),
    filters.connectorKind === undefined ? undefined : sql`${columns.connectorKind} = ${filters.connectorKind}`,
    filters.connectionUuid === undefined ? undefined : eq(credentialLinks.connectionUuid, filters.connectionUuid),
    page.after === null ? undefined : gt(credentialLinks.linkUuid, page.after),
  )
    .orderBy(asc(credentialLinks.linkUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.linkUuid);
}

export async function findLinkByToken(db: Db, token: string): Promise<LinkRow | null> {
  const [link] = await select(db, eq(credentialLinks.tokenHash, hashToken(token)));
  return link ?? null;
}

/** The organization of the link; null where the scope has no such link. Revoking an ended link changes nothing. */
export async function revokeCredentialLink(db: Db, by: Principal, linkUuid: string): Promise<string | null> {
  return db.transaction(async (transaction) => {
    const scope = by.organizationUuid === null ? undefined : eq(credentialLinks.organizationUuid, by.organizationUuid);
    const [link] = await select(transaction, eq(credentialLinks.linkUuid, linkUuid), scope);
    if (!link) return null;
    if (await end(transaction, linkUuid, { revokedAt: nowSeconds() })) await auditLink(transaction, by, link, 'revoke');
    return link.organizationUuid;
  });
}

/** Of concurrent calls for one open link, only one returns true. */
async function end(transaction: Transaction, linkUuid: string, ended: { usedAt: number } | { revokedAt: number }): Promise<boolean> {
  const rows = await transaction
    .update(credentialLinks)
    .set(ended)
    .where(and(eq(credentialLinks.linkUuid, linkUuid), ...isOpen))
    .returning({ linkUuid: credentialLinks.linkUuid });
  return rows.length === 1;
}

/**
 * Ends the link and stores the credentials in one transaction: a failure of `store` leaves the link open. `store` returns the connection.
 * Returns the reason if the link has ended in the meantime.
 */
export async function redeemCredentialLink(
  db: Db,
  by: Principal,
  link: LinkRow,
  store: (transaction: Transaction) => Promise<string>,
): Promise<LinkEnd | null> {
  return db.transaction(async (transaction) => {
    const now = nowSeconds();
    if (!(await end(transaction, link.linkUuid, { usedAt: now }))) {
      const [current] = await select(transaction, eq(credentialLinks.linkUuid, link.linkUuid));
      return current === undefined ? 'revoked' : (findLinkEnd(current, now) ?? 'expired');
    }
    const connectionUuid = await store(transaction);
    await transaction
      .update(credentialLinks)
      .set({ connectionUuid, newConnection: null })
      .where(eq(credentialLinks.linkUuid, link.linkUuid));
    await auditLink(transaction, by, { ...link, connectionUuid }, 'use');
    return null;
  });
}

export async function recordRefusedLink(db: Db, by: Principal, link: LinkRow, reason: LinkEnd): Promise<void> {
  await db.transaction((transaction) => auditLink(transaction, by, link, 'refuse', { reason }));
}

export async function deleteEndedLinks(pg: PgClient): Promise<number> {
  const result = await pg`
    delete from credential_links where least(used_at, revoked_at, expires_at) < now() - make_interval(days => ${KEPT_DAYS})`;
  return result.count;
}
