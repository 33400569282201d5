import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db, PgClient, Transaction } from '../client.js';
import { mayHoldLink } from '../identity/holdings.js';
import { currentName } from '../identity/people.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { type ConnectionDefinition, connections, credentialLinks, organizations } from '../schema/index.js';
import { inOrganization } from '../scope.js';
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
  readonly remoteAgentUuid: string | null;
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
  remoteAgentUuid: sql<
    string | null
  >`case when ${credentialLinks.connectionUuid} is null then (${credentialLinks.newConnection} ->> 'remoteAgentUuid')::uuid else ${connections.remoteAgentUuid} end`,
  createdBy: currentName(credentialLinks.createdByUuid, credentialLinks.createdBy),
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

export async function insertLink(transaction: Transaction, link: typeof credentialLinks.$inferInsert): Promise<LinkRow> {
  await transaction.insert(credentialLinks).values(link);
  const [created] = await select(transaction, eq(credentialLinks.linkUuid, link.linkUuid));
  if (!created) throw new Error('The new credential link cannot be read.');
  return created;
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
    inOrganization(credentialLinks.organizationUuid, scope),
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

/** null where the scope has no such link. */
export async function findLink(db: Db | Transaction, scope: string | null, linkUuid: string): Promise<LinkRow | null> {
  const [link] = await select(db, eq(credentialLinks.linkUuid, linkUuid), inOrganization(credentialLinks.organizationUuid, scope));
  return link ?? null;
}

/** The open links that the person may not hold any more. */
export async function listLostLinks(transaction: Transaction, userUuid: string): Promise<LinkRow[]> {
  const isLost = sql`not ${mayHoldLink(userUuid, credentialLinks.organizationUuid)}`;
  return select(transaction, eq(credentialLinks.holderUuid, userUuid), ...isOpen, isLost).orderBy(asc(credentialLinks.linkUuid));
}

/** Of concurrent calls for one open link, only one returns true. */
export async function endLink(
  transaction: Transaction,
  linkUuid: string,
  ended: { usedAt: number } | { revokedAt: number },
): Promise<boolean> {
  const rows = await transaction
    .update(credentialLinks)
    .set(ended)
    .where(and(eq(credentialLinks.linkUuid, linkUuid), ...isOpen))
    .returning({ linkUuid: credentialLinks.linkUuid });
  return rows.length === 1;
}

/** The links of a connection that are neither used nor revoked. Returns their number. */
export async function revokeLinksTo(transaction: Transaction, connectionUuid: string, revokedAt: number): Promise<number> {
  const revoked = await transaction
    .update(credentialLinks)
    .set({ revokedAt })
    .where(and(eq(credentialLinks.connectionUuid, connectionUuid), isNull(credentialLinks.usedAt), isNull(credentialLinks.revokedAt)))
    .returning({ linkUuid: credentialLinks.linkUuid });
  return revoked.length;
}

/** A used link names the connection that it created. */
export async function setLinkConnection(transaction: Transaction, linkUuid: string, connectionUuid: string): Promise<void> {
  await transaction.update(credentialLinks).set({ connectionUuid, newConnection: null }).where(eq(credentialLinks.linkUuid, linkUuid));
}

export async function deleteEndedLinks(pg: PgClient): Promise<number> {
  const result = await pg`
    delete from credential_links where least(used_at, revoked_at, expires_at) < now() - make_interval(days => ${KEPT_DAYS})`;
  return result.count;
}
