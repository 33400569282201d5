import { eq } from 'drizzle-orm';
import type { ProposalStart } from '../../domain/response/proposal.js';
import type { Db, Transaction } from '../client.js';
import { currentName } from '../identity/people.js';
import { alerts, caseAlerts, cases, organizations, proposals, providers } from '../schema/index.js';

/** Everything that the start of a proposal's workflow shows; null where the proposal does not exist. */
export async function readProposalStart(db: Db | Transaction, proposalUuid: string): Promise<ProposalStart | null> {
  const [found] = await db
    .select({
      proposalId: proposals.proposalUuid,
      skillId: proposals.skillId,
      input: proposals.input,
      assets: proposals.assets,
      runAt: proposals.runAt,
      requestedBy: currentName(proposals.requestedByUserUuid, proposals.requestedBy),
      alertId: alerts.alertId,
      alertType: alerts.alertType,
      organizationCode: organizations.organizationCode,
      provider: providers.name,
      caseId: cases.caseId,
    })
    .from(proposals)
    .innerJoin(organizations, eq(organizations.organizationUuid, proposals.organizationUuid))
    .leftJoin(alerts, eq(alerts.alertUuid, proposals.alertUuid))
    .leftJoin(providers, eq(providers.providerUuid, alerts.providerUuid))
    .leftJoin(caseAlerts, eq(caseAlerts.alertUuid, alerts.alertUuid))
    .leftJoin(cases, eq(cases.caseUuid, caseAlerts.caseUuid))
    .where(eq(proposals.proposalUuid, proposalUuid));
  return found ?? null;
}
