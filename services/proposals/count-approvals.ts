import { writeContracts } from '../../connectors/skill-index.js';
import type { Transaction } from '../../db/client.js';
import { readSecondPersonRule } from '../../db/connections/second-person.js';
import { findApprovers } from '../../db/identity/person.js';
import { listApprovals, type ProposalRow } from '../../db/response/proposal-rows.js';
import { readProtection } from '../../db/response/protected-assets.js';
import { type Approvals, listCautionsOf, weighApprovals } from '../../domain/response/response-rules.js';

export interface CountedApprovals extends Approvals {
  readonly caution: string[];
  /** Why the approval of the principal does not count; null where it counts. */
  readonly explain: (principalUuid: string) => string | null;
}

/** Given and needed approvals now: an asset that was protected since the proposal counts, and so does an account's loss of trust. */
export async function countApprovals(db: Transaction, row: ProposalRow): Promise<CountedApprovals> {
  const secondPersonRule = await readSecondPersonRule(db, row.connectionUuid);
  const protections = await readProtection(db, [row.organizationUuid]);
  const caution = listCautionsOf(row, protections.get(row.organizationUuid), writeContracts.listTargets(row), {
    secondPersonRule,
    sensitivities: writeContracts.listSensitivities(row),
  });
  const approvals = await listApprovals(db, [row.proposalUuid, ...(row.undoOf === null ? [] : [row.undoOf])]);
  const approverOf = await findApprovers(
    db,
    approvals.map(({ principalUuid }) => principalUuid),
  );
  const listPrincipalsOf = (wanted: string | null) =>
    approvals.filter(({ proposalUuid }) => proposalUuid === wanted).map(({ principalUuid }) => principalUuid);
  const own = listPrincipalsOf(row.proposalUuid);
  const ofWrite = listPrincipalsOf(row.undoOf).map(approverOf);
  const weighed = weighApprovals({ secondPersonRule, ofWrite }, caution, own.map(approverOf));
  return { ...weighed, caution, explain: (principalUuid) => weighed.uncounted[own.indexOf(principalUuid)] ?? null };
}
