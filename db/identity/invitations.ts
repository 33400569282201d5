import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import type { Principal, Role } from '../../domain/identity/identity.js';
import { INVITATION_HOURS, type Invitation, type Join } from '../../domain/identity/user.js';
import type { Db, Transaction } from '../client.js';
import { nowSeconds } from '../columns.js';
import { newUuid } from '../ids.js';
import { type Page, type PageRequest, toPage } from '../page.js';
import { invitations, organizations, users } from '../schema/index.js';
import { hashToken, newToken } from '../tokens.js';
import { recordAudit } from './audit.js';
import { startSession } from './user-sessions.js';
import { addMembership, createUser, lockNames } from './users.js';

const SERVICE = 'service';

interface NewInvitation {
  readonly email: string | null;
  readonly role: Role;
  readonly organizationUuid: string | null;
}

async function insertInvitation(transaction: Transaction, by: Principal | null, given: NewInvitation) {
  const [token, invitationUuid, createdAt] = [newToken('in'), newUuid(), nowSeconds()];
  const times = { createdAt, expiresAt: createdAt + INVITATION_HOURS * 3600 };
  const invitedBy = by?.name ?? SERVICE;
  await transaction.insert(invitations).values({ invitationUuid, tokenHash: hashToken(token), ...given, invitedBy, ...times });
  const details = { email: given.email, role: given.role };
  const { organizationUuid } = given;
  await recordAudit(transaction, { by, organizationUuid, action: 'invitation.create', target: invitationUuid, details });
  return { token, invitation_uuid: invitationUuid, invited_by: invitedBy, created_at: createdAt, expires_at: times.expiresAt };
}

export async function createInvitation(db: Db, by: Principal, given: NewInvitation) {
  return db.transaction((transaction) => insertInvitation(transaction, by, given));
}

/** The token of a new set-up link for the first admin, which replaces an earlier one. null: there are users. */
export async function createSetUpLink(db: Db): Promise<string | null> {
  return db.transaction(async (transaction) => {
    // The processes of one installation start at the same time.
    await lockNames(transaction);
    if ((await transaction.$count(users)) > 0) return null;
    const isSetUp = and(isNull(invitations.email), isNull(invitations.endedAt));
    await transaction.update(invitations).set({ endedAt: nowSeconds() }).where(isSetUp);
    const { token } = await insertInvitation(transaction, null, { email: null, role: 'admin', organizationUuid: null });
    return token;
  });
}

function isOpen() {
  return and(isNull(invitations.endedAt), gt(invitations.expiresAt, nowSeconds()));
}

function inScope(scope: string | null) {
  return scope === null ? undefined : eq(invitations.organizationUuid, scope);
}

/** The invitations that a person can still use. */
export async function listInvitations(db: Db, scope: string | null, page: PageRequest): Promise<Page<Invitation>> {
  const rows = await db
    .select({
      invitation_uuid: invitations.invitationUuid,
      email: invitations.email,
      role: invitations.role,
      organization_code: organizations.organizationCode,
      invited_by: invitations.invitedBy,
      created_at: invitations.createdAt,
      expires_at: invitations.expiresAt,
    })
    .from(invitations)
    .leftJoin(organizations, eq(organizations.organizationUuid, invitations.organizationUuid))
    .where(and(isOpen(), inScope(scope), page.after === null ? undefined : gt(invitations.invitationUuid, page.after)))
    .orderBy(asc(invitations.invitationUuid))
    .limit(page.limit + 1);
  return toPage(rows, page, (row) => row.invitation_uuid);
}

/** False where the scope has no such open invitation. */
export async function revokeInvitation(db: Db, by: Principal, invitationUuid: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const [revoked] = await transaction
      .update(invitations)
      .set({ endedAt: nowSeconds() })
      .where(and(eq(invitations.invitationUuid, invitationUuid), isOpen(), inScope(by.organizationUuid)))
      .returning({ organizationUuid: invitations.organizationUuid });
    if (!revoked) return false;
    await recordAudit(transaction, { by, ...revoked, action: 'invitation.revoke', target: invitationUuid });
    return true;
  });
}

/** Whether the link can be used, and whether the person has to enter an address. */
export async function findInvitation(db: Db, token: string): Promise<{ email: string | null } | null> {
  const isWanted = and(eq(invitations.tokenHash, hashToken(token)), isOpen());
  const [found] = await db.select({ email: invitations.email }).from(invitations).where(isWanted);
  return found ?? null;
}

/** Makes the person a user and starts a session. Returns its token; null if the link was used meanwhile. Throws NameTaken. */
export async function acceptInvitation(
  db: Db,
  { token, name, email }: Pick<Join, 'token' | 'name' | 'email'>,
  passwordHash: string,
  session: { client: string; absoluteSeconds: number },
): Promise<string | null> {
  return db.transaction(async (transaction) => {
    const isWanted = and(eq(invitations.tokenHash, hashToken(token)), isOpen());
    const [found] = await transaction.select().from(invitations).where(isWanted).for('update');
    if (!found) return null;
    const { invitationUuid, organizationUuid, role } = found;
    const user = { name: name.trim(), email: found.email ?? email ?? null, passwordHash, provider: null };
    const userUuid = await createUser(transaction, user);
    await addMembership(transaction, userUuid, { organizationUuid, role, fromClaims: false });
    await transaction.update(invitations).set({ endedAt: nowSeconds(), userUuid }).where(eq(invitations.invitationUuid, invitationUuid));
    const by = { uuid: userUuid, name: user.name };
    const details = { invitation_uuid: invitationUuid, invited_by: found.invitedBy, role };
    await recordAudit(transaction, { by, organizationUuid, action: 'user.join', target: userUuid, details });
    return startSession(transaction, userUuid, session);
  });
}
