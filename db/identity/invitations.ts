import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import type { Role } from '../../domain/identity/identity.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { type PageRequest, toPage } from '../page.js';
import { invitations, organizations } from '../schema/index.js';
import { inOrganization } from '../scope.js';
import { hashToken } from '../tokens.js';
import { currentName } from './people.js';

type Invitation = typeof invitations.$inferSelect;

export async function insertInvitation(
  transaction: Transaction,
  token: string,
  row: Omit<typeof invitations.$inferInsert, 'tokenHash'>,
): Promise<void> {
  await transaction.insert(invitations).values({ ...row, tokenHash: hashToken(token) });
}

export async function endSetUpLinks(transaction: Transaction, role: Role, endedAt: number): Promise<void> {
  await transaction
    .update(invitations)
    .set({ endedAt })
    .where(and(isNull(invitations.email), eq(invitations.role, role), isNull(invitations.endedAt)));
}

function isOpen() {
  return and(isNull(invitations.endedAt), gt(invitations.expiresAt, nowSeconds()));
}

/** The invitations that a person can still use. */
export async function listInvitations(db: Db, scope: string | null, page: PageRequest) {
  const rows = await db
    .select({
      invitation_uuid: invitations.invitationUuid,
      email: invitations.email,
      role: invitations.role,
      organization_code: organizations.organizationCode,
      invited_by: currentName(invitations.invitedByUuid, invitations.invitedBy),
      created_at: invitations.createdAt,
      expires_at: invitations.expiresAt,
    })
    .from(invitations)
    .leftJoin(organizations, eq(organizations.organizationUuid, invitations.organizationUuid))
    .where(
      and(
        isOpen(),
        inOrganization(invitations.organizationUuid, scope),
        page.after === null ? undefined : gt(invitations.invitationUuid, page.after),
      ),
    )
    .orderBy(asc(invitations.invitationUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.invitation_uuid);
}

/** Ends an open invitation of the scope. null: there is none. */
export async function endOpenInvitation(
  transaction: Transaction,
  scope: string | null,
  invitationUuid: string,
  endedAt: number,
): Promise<Pick<Invitation, 'organizationUuid'> | null> {
  const [ended] = await transaction
    .update(invitations)
    .set({ endedAt })
    .where(and(eq(invitations.invitationUuid, invitationUuid), isOpen(), inOrganization(invitations.organizationUuid, scope)))
    .returning({ organizationUuid: invitations.organizationUuid });
  return ended ?? null;
}

/** The invitation of a link that can be used. */
export async function findOpenInvitation(db: Db | Transaction, token: string): Promise<Invitation | null> {
  const isWanted = and(eq(invitations.tokenHash, hashToken(token)), isOpen());
  const [found] = await db.select().from(invitations).where(isWanted).for('update');
  return found ?? null;
}

export async function markInvitationUsed(
  transaction: Transaction,
  invitationUuid: string,
  userUuid: string,
  endedAt: number,
): Promise<void> {
  await transaction.update(invitations).set({ endedAt, userUuid }).where(eq(invitations.invitationUuid, invitationUuid));
}
