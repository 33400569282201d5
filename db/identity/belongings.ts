import { and, asc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { apiKeys, cases, connections, credentialLinks, invitations, organizations, proposals, remoteAgents } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { hasRole } from './holdings.js';

export type HeldKind = 'service-key' | 'remote-agent' | 'invitation' | 'credential-link';

export interface HeldThing {
  readonly kind: HeldKind;
  readonly id: string;
  readonly name: string;
  readonly organizationUuid: string | null;
  readonly organizationCode: string | null;
  /** Two people confirm an agent. A hand-over before that would count a person who did not ask for it. */
  readonly canHandOver: boolean;
}

const isUnused = [isNull(credentialLinks.usedAt), isNull(credentialLinks.revokedAt), gt(credentialLinks.expiresAt, sql`now()`)];

/** What gives access and ends with the access of the person. At most `limit` of each kind, oldest first. */
export async function listHeldThings(db: Db | Transaction, userUuid: string, scope: string | null, limit: number): Promise<HeldThing[]> {
  const now = nowSeconds();
  const code = organizations.organizationCode;
  const keys = await db
    .select({ id: apiKeys.keyUuid, name: apiKeys.name, organizationUuid: apiKeys.organizationUuid, organizationCode: code })
    .from(apiKeys)
    .leftJoin(organizations, eq(organizations.organizationUuid, apiKeys.organizationUuid))
    .where(
      and(
        eq(apiKeys.holderUuid, userUuid),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        inOrganization(apiKeys.organizationUuid, scope),
      ),
    )
    .orderBy(asc(apiKeys.keyUuid))
    .limit(limit);
  const agents = await db
    .select({
      id: remoteAgents.agentUuid,
      name: remoteAgents.name,
      organizationUuid: remoteAgents.organizationUuid,
      organizationCode: code,
      canHandOver: sql<boolean>`${remoteAgents.confirmedAt} is not null or ${remoteAgents.enrolledBy} is null`,
    })
    .from(remoteAgents)
    .innerJoin(organizations, eq(organizations.organizationUuid, remoteAgents.organizationUuid))
    .where(and(eq(remoteAgents.holderUuid, userUuid), isNull(remoteAgents.revokedAt), inOrganization(remoteAgents.organizationUuid, scope)))
    .orderBy(asc(remoteAgents.agentUuid))
    .limit(limit);
  const invited = await db
    .select({
      id: invitations.invitationUuid,
      name: sql<string>`coalesce(${invitations.email}, '')`,
      organizationUuid: invitations.organizationUuid,
      organizationCode: code,
    })
    .from(invitations)
    .leftJoin(organizations, eq(organizations.organizationUuid, invitations.organizationUuid))
    .where(
      and(
        eq(invitations.holderUuid, userUuid),
        isNull(invitations.endedAt),
        gt(invitations.expiresAt, now),
        inOrganization(invitations.organizationUuid, scope),
      ),
    )
    .orderBy(asc(invitations.invitationUuid))
    .limit(limit);
  const links = await db
    .select({
      id: credentialLinks.linkUuid,
      name: sql<string>`coalesce(${connections.instanceName}, ${credentialLinks.newConnection} ->> 'instanceName', '')`,
      organizationUuid: credentialLinks.organizationUuid,
      organizationCode: code,
    })
    .from(credentialLinks)
    .innerJoin(organizations, eq(organizations.organizationUuid, credentialLinks.organizationUuid))
    .leftJoin(connections, eq(connections.connectionUuid, credentialLinks.connectionUuid))
    .where(and(eq(credentialLinks.holderUuid, userUuid), ...isUnused, inOrganization(credentialLinks.organizationUuid, scope)))
    .orderBy(asc(credentialLinks.linkUuid))
    .limit(limit);
  return [
    ...keys.map((each) => ({ ...each, kind: 'service-key' as const, canHandOver: true })),
    ...agents.map((each) => ({ ...each, kind: 'remote-agent' as const })),
    ...invited.map((each) => ({ ...each, kind: 'invitation' as const, canHandOver: true })),
    ...links.map((each) => ({ ...each, kind: 'credential-link' as const, canHandOver: true })),
  ];
}

const isOpenCase = (userUuid: string, scope: string | null) =>
  and(
    eq(cases.assigneeUuid, userUuid),
    ne(cases.status, 'closed'),
    isNull(cases.mergedInto),
    inOrganization(cases.organizationUuid, scope),
  );

/** Work that waits for the person, or that they asked for and that waits for others. */
export async function countOpenWork(db: Db | Transaction, userUuid: string, scope: string | null) {
  const waiting = and(
    eq(proposals.requestedByUserUuid, userUuid),
    isNull(proposals.endedAt),
    inOrganization(proposals.organizationUuid, scope),
  );
  const own = and(eq(apiKeys.ownerUuid, userUuid), isNull(apiKeys.revokedAt), inOrganization(apiKeys.organizationUuid, scope));
  return {
    openCases: await db.$count(cases, isOpenCase(userUuid, scope)),
    waitingProposals: await db.$count(proposals, waiting),
    ownKeys: await db.$count(apiKeys, own),
  };
}

/** Open cases of the person that the other one may work on. */
export async function listCasesToReassign(
  transaction: Transaction,
  { from, to, scope, limit }: { from: string; to: string; scope: string | null; limit: number },
): Promise<string[]> {
  const rows = await transaction
    .select({ caseId: cases.caseId })
    .from(cases)
    .where(and(isOpenCase(from, scope), hasRole(to, cases.organizationUuid, 'analyst')))
    .orderBy(asc(cases.caseUuid))
    .limit(limit);
  return rows.map(({ caseId }) => caseId);
}

export async function isAdminOf(transaction: Transaction, userUuid: string, organizationUuid: string | null): Promise<boolean> {
  const [row] = await transaction.execute<{ is_admin: boolean }>(
    sql`select ${hasRole(userUuid, sql`${organizationUuid}::uuid`, 'admin')} as is_admin`,
  );
  return row?.is_admin ?? false;
}

export async function setHolder(transaction: Transaction, { kind, id }: Pick<HeldThing, 'kind' | 'id'>, holderUuid: string): Promise<void> {
  switch (kind) {
    case 'service-key':
      await transaction.update(apiKeys).set({ holderUuid }).where(eq(apiKeys.keyUuid, id));
      return;
    case 'remote-agent':
      await transaction.update(remoteAgents).set({ holderUuid }).where(eq(remoteAgents.agentUuid, id));
      return;
    case 'invitation':
      await transaction.update(invitations).set({ holderUuid }).where(eq(invitations.invitationUuid, id));
      return;
    case 'credential-link':
      await transaction.update(credentialLinks).set({ holderUuid }).where(eq(credentialLinks.linkUuid, id));
  }
}
