import { writeContracts } from '../../connectors/skill-index.js';
import type { Transaction } from '../../db/client.js';
import { countApprovers, type ProposalRow, readNeedsSecondPerson } from '../../db/response/proposal-rows.js';
import { readProtection } from '../../db/response/protected-assets.js';
import { approvalsNeeded, listCautionsOf } from '../../domain/response/response-rules.js';

export interface Approvals {
  readonly given: number;
  readonly needed: number;
  readonly caution: string[];
}

/** Given and needed approvals now: an asset that was protected since the proposal counts. */
export async function countApprovals(db: Transaction, row: ProposalRow): Promise<Approvals> {
  const needsSecondPerson = await readNeedsSecondPerson(db, row.connectionUuid);
  const protections = await readProtection(db, [row.organizationUuid]);
  const caution = listCautionsOf(row, protections.get(row.organizationUuid), writeContracts.listTargets(row));
  const approvalsOfWrite = row.undoOf === null ? 0 : await countApprovers(db, row.undoOf);
  const needed = approvalsNeeded({ needsSecondPerson, approvalsOfWrite }, caution);
  return { given: await countApprovers(db, row.proposalUuid), needed, caution };
}
