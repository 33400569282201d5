import { insertAgent } from '../../db/agents/remote-agents.js';
import { isUniqueViolation } from '../../db/client.js';
import { recordAudit } from '../../db/identity/audit.js';
import { newUuid } from '../../db/ids.js';
import { hashToken, newToken } from '../../db/tokens.js';
import { type Context, inTransaction } from '../context.js';
import { conflict } from '../errors.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { lockCreator } from '../users/lock-creator.js';
import { isOfOrganization } from './is-of-organization.js';
import type { CreatedRemoteAgent, CreateRemoteAgent } from './wire.js';

const UNSEEN = { version: null, last_seen_at: null, waiting_steps: 0, waiting_since: null, revoked_at: null } as const;

export async function createAgent(context: Context, { organization_code, name }: CreateRemoteAgent): Promise<CreatedRemoteAgent> {
  try {
    return await inTransaction(context, async ({ db, by, now }) => {
      await requireRecentSignIn({ db, by, now });
      const holderUuid = await lockCreator({ db, by });
      const organizationUuid = await requireOrganization(db, by, organization_code);
      const token = newToken('agent');
      const agentUuid = newUuid();
      const createdAt = now();
      const confirmedAt = (await isOfOrganization({ db, by }, organizationUuid)) ? createdAt : null;
      const agent = { agentUuid, organizationUuid, name, createdAt, enrolledBy: by.uuid, holderUuid, confirmedAt };
      await insertAgent(db, { ...agent, tokenHash: hashToken(token) });
      await recordAudit(db, { by, organizationUuid, action: 'remote-agent.create', target: agentUuid, details: { name } });
      return { agent_id: agentUuid, organization_code, name, created_at: createdAt, confirmed_at: confirmedAt, ...UNSEEN, token };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('The organization already has a remote agent with this name. Choose another name.', {
      errors: [{ pointer: '#/name', detail: 'name: is taken.' }],
    });
  }
}
