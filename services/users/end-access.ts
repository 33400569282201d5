import { breakConnection } from '../../db/connections/connection-calls.js';
import { endLink, type LinkRow, listLostLinks } from '../../db/connections/credential-links.js';
import { type AuditRecord, recordAudits } from '../../db/identity/audit.js';
import { announceEnd } from '../../db/identity/credentials.js';
import {
  endAgents,
  endInvitations,
  endKeys,
  endPersonalAccess,
  hasAnyRole,
  listConnectionsOfAgent,
  lockForEnd,
} from '../../db/identity/holdings.js';
import { describeAgentWait } from '../../domain/connection/remote-agent.js';
import { recordForUser } from '../audit/record-for-user.js';
import { announceConnection } from '../connections/announce.js';
import type { Inside, WorkContext } from '../context.js';
import { toLinkRecord } from '../credential-links/link.js';

/** Why a person lost access. */
type Reason = 'deactivated' | 'claims' | 'provider-refused';

/**
 * Ends everything that gives more access than the person has now: call it after the change, in its transaction. Things that another
 * person took over stay. Returns whether anything ended.
 */
export async function endAccess(inside: Inside<WorkContext>, userUuid: string, reason: Reason): Promise<boolean> {
  const { db, by, now } = inside;
  await lockForEnd(db, userUuid);
  const at = now();
  const because = { user_uuid: userUuid, because: reason };
  const personal = (await hasAnyRole(db, userUuid)) ? {} : await endPersonalAccess(db, userUuid, at);
  const links: LinkRow[] = [];
  // Links are locked before their connection, as in `redeemLink`.
  for (const link of await listLostLinks(db, userUuid)) if (await endLink(db, link.linkUuid, { revokedAt: at })) links.push(link);
  const keys = await endKeys(db, userUuid, at);
  const invitations = await endInvitations(db, userUuid, at);
  const agents = await endAgents(db, userUuid, at);
  for (const agent of agents) await breakConnectionsOf(inside, agent);

  const toRecords = (action: string, ended: readonly { uuid: string; name: string | null; organizationUuid: string | null }[]) =>
    ended.map(({ uuid: target, name, organizationUuid }): AuditRecord => {
      return { by, organizationUuid, action, target, details: { name, ...because } };
    });
  await recordAudits(db, [
    ...links.map((link) => toLinkRecord(by, link, 'revoke', because)),
    ...toRecords('api-key.revoke', keys),
    ...toRecords('invitation.revoke', invitations),
    ...toRecords('remote-agent.revoke', agents),
  ]);
  const ended = {
    ...personal,
    api_keys: keys.filter(({ ownerUuid }) => ownerUuid !== null).length,
    service_keys: keys.filter(({ ownerUuid }) => ownerUuid === null).length,
    invitations: invitations.length,
    credential_links: links.length,
    remote_agents: agents.length,
  };
  const isAny = Object.values(ended).some((count) => count > 0);
  if (!isAny) return false;
  await recordForUser(db, userUuid, { by, action: 'user.end-access', details: { because: reason, ended } });
  await announceEnd(db);
  return true;
}

/** No agent serves these connections any more, so their admins must hear of it. */
async function breakConnectionsOf({ db, now, beforeCommit }: Inside<WorkContext>, agent: { uuid: string; name: string }): Promise<void> {
  const reason = describeAgentWait({ name: agent.name, isRevoked: true });
  for (const connection of await listConnectionsOfAgent(db, agent.uuid)) {
    const broken = await breakConnection(db, connection, reason, now());
    if (broken !== null) beforeCommit((transaction) => announceConnection(transaction, 'connection.broken', broken));
  }
}
