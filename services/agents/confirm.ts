import { lockAgent, setAgentConfirmed } from '../../db/agents/remote-agents.js';
import { recordAudit } from '../../db/identity/audit.js';
import { findApprovers } from '../../db/identity/person.js';
import { arePeople } from '../../domain/identity/approver.js';
import type { PendingRuleChange } from '../../domain/response/rule-change.js';
import { type Context, inTransaction } from '../context.js';
import { conflict, notFound } from '../errors.js';
import { confirmRuleChange } from '../response-rules/confirm-rule-change.js';
import { recordRuleEvent } from '../response-rules/record-rule-event.js';
import { requireRecentSignIn } from '../sessions/require-recent-sign-in.js';
import { isOfOrganization } from './is-of-organization.js';

/**
 * From then on the agent may receive new secrets. It needs a person of the organization itself, or two people: the one who enrolled
 * it and another, or two who confirm it. Returns the request while it waits for the second one.
 */
export function confirmAgent(context: Context, agentUuid: string): Promise<PendingRuleChange | null> {
  return inTransaction(context, async (inside) => {
    const { db, by, now } = inside;
    await requireRecentSignIn(inside);
    const agent = await lockAgent(db, by.organizationUuid, agentUuid);
    if (agent === null) throw notFound('remote agent with this id');
    const { organizationUuid, name, enrolledBy, confirmedAt, revokedAt } = agent;
    if (confirmedAt !== null) return null;
    if (revokedAt !== null) throw conflict(`The remote agent ${name} is revoked. Create a new one.`);
    const people = [...(enrolledBy === null ? [] : [enrolledBy]), by.uuid];
    const isSecond = people.length === 2 && arePeople(people.map(await findApprovers(db, people)));
    if (!isSecond && !(await isOfOrganization(inside, organizationUuid))) {
      const asked = { organizationUuid, change: 'confirm-agent', target: agentUuid, value: null } as const;
      const pending = await confirmRuleChange(inside, asked);
      if (pending !== null) return pending;
    }
    await setAgentConfirmed(db, agentUuid, now());
    await recordAudit(db, { by, organizationUuid, action: 'remote-agent.confirm', target: agentUuid, details: { name } });
    recordRuleEvent(inside, 'rule.relaxed', { organizationUuid, change: 'confirm-agent', target: agentUuid, value: null });
    return null;
  });
}
